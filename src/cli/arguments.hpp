#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"

// The command line, read by CLI11 behind an interface of few types: that library is all headers, and where
// each file with a subcommand saw them it was compiled some forty times, a third of the time that all of
// Scholar took. What is called alike does as in CLI11.

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace scholar::cli {

// What a value must be.
class Check {
  public:
    // `fault`: nothing for a good value, else what is wrong with it.
    explicit Check(std::function<std::string(const std::string&)> fault);
    explicit Check(std::shared_ptr<const CLI::Validator> validator) : validator_(std::move(validator)) {}
    const CLI::Validator& validator() const { return *validator_; }

  private:
    std::shared_ptr<const CLI::Validator> validator_;
};

// From `least` to `most`, both included.
Check range(int least, int most);
Check range(unsigned least, unsigned most);
Check range(std::uint64_t least, std::uint64_t most);
Check range(double least, double most);
Check positive_number();
Check non_negative_number();
Check one_of(std::vector<std::string> words);

// An option, or an argument without a name, of a command that it does not outlive.
class Option {
  public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option check(const Check& check) const;
    Option required() const;
    Option needs(const Option& other) const;
    Option excludes(const Option& other) const;
    // --help shows the value that the variable has now.
    Option capture_default_str() const;
    Option type_name(const std::string& name) const;
    Option description(const std::string& text) const;
    Option group(const std::string& name) const;
    // Whether more values than one may follow the name.
    Option allow_extra_args(bool allowed) const;
    Option expected(int values) const;
    Option expected(int least, int most) const;
    // Of one that is given several times all values are taken.
    Option take_all() const;

    std::size_t count() const;
    std::string name() const;
    bool operator==(const Option&) const = default;

  private:
    CLI::Option* option_;
};

// A variable, with the type that its option's values have.
using Value = std::variant<std::string*, std::filesystem::path*, int*, unsigned*, std::uint64_t*, double*,
                           std::optional<int>*, std::optional<std::uint64_t>*, std::vector<std::string>*>;

// A command or subcommand of a CommandLine that it does not outlive.
class Command {
  public:
    explicit Command(CLI::App* app) : app_(app) {}

    // `value` outlives the reading of the command line.
    template <class T>
    Option add_option(const std::string& names, T& value, const std::string& help) const {
        return add(names, Value(&value), help);
    }
    Option add_option(const std::string& names,
                      const std::function<void(const std::vector<std::string>&)>& given,
                      const std::string& help) const;
    Option add_flag(const std::string& names, bool& value, const std::string& help) const;
    void add_flag_callback(const std::string& names, std::function<void()> given,
                           const std::string& help) const;
    Command add_subcommand(const std::string& name, const std::string& help) const;
    // Whose options stand under a title of their own.
    Command add_option_group(const std::string& title) const;

    // Runs when the command was given and all of it is good.
    void callback(std::function<void()> then) const;
    // Below the options in --help.
    void footer(const std::string& text) const;
    void footer(std::function<std::string()> text) const;
    void require_subcommand(std::size_t least, std::size_t most) const;
    // What it does not know may be meant for the command above.
    void fallthrough() const;
    // From the first word that it does not know on nothing is looked at: remaining().
    void prefix_command() const;
    void remove_help_flag() const;

    std::vector<std::string> remaining() const;
    // That were given.
    std::vector<std::string> subcommands() const;
    std::vector<Option> options() const;
    Option option(const std::string& name) const;

  private:
    Option add(const std::string& names, const Value& value, const std::string& help) const;

    CLI::App* app_;
};

// In a callback: the command line is wrong, and `option` what is wrong with it.
[[noreturn]] void refuse(const std::string& option, const std::string& what);

// A program's command line.
class CommandLine {
  public:
    explicit CommandLine(const std::string& description, const std::string& name = "");
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    Command command() const { return Command(app_.get()); }
    void set_version(const std::string& version);
    // Of the names in --help.
    void set_column_width(std::size_t width);

    // Answered: it asked for no more than --help or --version, which have been printed.
    enum class Read { Commanded, Answered };
    // An error says what is wrong with the command line.
    [[nodiscard]] base::Result<Read> parse(int argc, char** argv);

  private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace scholar::cli
