#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>

namespace scholar::cli {

namespace {

Check checked(CLI::Validator validator) {
    return Check(std::make_shared<const CLI::Validator>(std::move(validator)));
}

}  // namespace

Check::Check(std::function<std::string(const std::string&)> fault)
    : validator_(std::make_shared<const CLI::Validator>(
          [fault = std::move(fault)](std::string& text) { return fault(text); }, "")) {}

Check range(int least, int most) {
    return checked(CLI::Range(least, most));
}
Check range(unsigned least, unsigned most) {
    return checked(CLI::Range(least, most));
}
Check range(std::uint64_t least, std::uint64_t most) {
    return checked(CLI::Range(least, most));
}
Check range(double least, double most) {
    return checked(CLI::Range(least, most));
}
Check positive_number() {
    return checked(CLI::PositiveNumber);
}
Check non_negative_number() {
    return checked(CLI::NonNegativeNumber);
}
Check one_of(std::vector<std::string> words) {
    return checked(CLI::IsMember(std::move(words)));
}

Option Option::check(const Check& check) const {
    option_->check(check.validator());
    return *this;
}
Option Option::required() const {
    option_->required();
    return *this;
}
Option Option::needs(const Option& other) const {
    option_->needs(other.option_);
    return *this;
}
Option Option::excludes(const Option& other) const {
    option_->excludes(other.option_);
    return *this;
}
Option Option::capture_default_str() const {
    option_->capture_default_str();
    return *this;
}
Option Option::type_name(const std::string& name) const {
    option_->type_name(name);
    return *this;
}
Option Option::description(const std::string& text) const {
    option_->description(text);
    return *this;
}
Option Option::group(const std::string& name) const {
    option_->group(name);
    return *this;
}
Option Option::allow_extra_args(bool allowed) const {
    option_->allow_extra_args(allowed);
    return *this;
}
Option Option::expected(int values) const {
    option_->expected(values);
    return *this;
}
Option Option::expected(int least, int most) const {
    option_->expected(least, most);
    return *this;
}
Option Option::take_all() const {
    option_->take_all();
    return *this;
}
std::size_t Option::count() const {
    return option_->count();
}
std::string Option::name() const {
    return option_->get_name();
}

Option Command::add(const std::string& names, const Value& value, const std::string& help) const {
    return std::visit([&](auto* variable) { return Option(app_->add_option(names, *variable, help)); },
                      value);
}
Option Command::add_option(const std::string& names,
                           const std::function<void(const std::vector<std::string>&)>& given,
                           const std::string& help) const {
    return Option(app_->add_option_function<std::vector<std::string>>(names, given, help));
}
Option Command::add_flag(const std::string& names, bool& value, const std::string& help) const {
    return Option(app_->add_flag(names, value, help));
}
void Command::add_flag_callback(const std::string& names, std::function<void()> given,
                                const std::string& help) const {
    app_->add_flag_callback(names, std::move(given), help);
}
Command Command::add_subcommand(const std::string& name, const std::string& help) const {
    return Command(app_->add_subcommand(name, help));
}
Command Command::add_option_group(const std::string& title) const {
    return Command(app_->add_option_group(title));
}
void Command::callback(std::function<void()> then) const {
    app_->callback(std::move(then));
}
void Command::footer(const std::string& text) const {
    app_->footer(text);
}
void Command::footer(std::function<std::string()> text) const {
    app_->footer(std::move(text));
}
void Command::require_subcommand(std::size_t least, std::size_t most) const {
    app_->require_subcommand(least, most);
}
void Command::fallthrough() const {
    app_->fallthrough();
}
void Command::allow_extras() const {
    app_->allow_extras();
}
void Command::prefix_command() const {
    app_->prefix_command();
}
void Command::remove_help_flag() const {
    app_->set_help_flag();
}
std::vector<std::string> Command::remaining() const {
    return app_->remaining();
}
std::vector<std::string> Command::subcommands() const {
    std::vector<std::string> names;
    for (const CLI::App* given : app_->get_subcommands()) names.push_back(given->get_name());
    return names;
}
std::vector<Option> Command::options() const {
    std::vector<Option> options;
    for (CLI::Option* option : app_->get_options()) options.emplace_back(option);
    return options;
}
Option Command::option(const std::string& name) const {
    return Option(app_->get_option(name));
}

void refuse(const std::string& option, const std::string& what) {
    throw CLI::ValidationError(option, what);
}

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : app_(std::make_unique<CLI::App>(description, name)) {}
CommandLine::~CommandLine() = default;

void CommandLine::set_version(const std::string& version) {
    app_->set_version_flag("--version", version);
}
void CommandLine::set_column_width(std::size_t width) {
    app_->get_formatter()->column_width(width);
}

base::Result<CommandLine::Read> CommandLine::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) return base::fail("{}", error.what());
        app_->exit(error);
        return Read::Answered;
    }
    return Read::Commanded;
}

}  // namespace scholar::cli
