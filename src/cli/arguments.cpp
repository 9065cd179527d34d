#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/ranges.h>
#include <limits>
#include <type_traits>

#include "base/hint.hpp"
#include "base/text.hpp"

namespace scholar::cli {

namespace {

Check checked(CLI::Validator validator) {
    return Check(std::make_shared<const CLI::Validator>(std::move(validator)));
}

// `bounds` for --help, `expected` for the error. A number outside, no number, and NaN are refused.
template <class Number>
CLI::Validator number_between(Number least, Number most, const std::string& bounds,
                              const std::string& expected) {
    return CLI::Validator(
        [least, most, expected](std::string& text) {
            Number value{};
            // Written so that a NaN is refused too.
            if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most)
                return std::string();
            return fmt::format("value '{}', expected {}", base::excerpt(text), expected);
        },
        bounds);
}

template <class Number>
Check range_of(Number least, Number most) {
    return checked(number_between(
        least, most, fmt::format("{} in [{} - {}]", CLI::detail::type_name<Number>(), least, most),
        fmt::format("a {} from {} to {}", std::is_integral_v<Number> ? "whole number" : "number", least,
                    most)));
}

constexpr double kLargest = std::numeric_limits<double>::max();

// The names of options as they are typed, those of the groups of `app` too.
void add_options(const CLI::App& app, std::vector<std::string>& names) {
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const CLI::App* group :
         app.get_subcommands([](const CLI::App* one) { return one->get_name().empty(); }))
        add_options(*group, names);
}

// What is wrong with a word that nothing expected.
std::string unexpected_word(const CLI::App& app, const std::string& word) {
    const std::string shown = base::excerpt(word);
    if (word.size() > 1 && word.starts_with('-')) {
        std::vector<std::string> known;
        add_options(app, known);
        for (const CLI::App* given : app.get_subcommands()) add_options(*given, known);
        const auto meant = base::nearest(word.substr(0, word.find('=')), known);
        return fmt::format("unknown option '{}'{}", shown,
                           meant ? fmt::format(": did you mean '{}'?", *meant) : "");
    }
    std::vector<std::string> known;
    if (app.get_subcommands().empty())
        for (const CLI::App* command :
             app.get_subcommands([](const CLI::App* one) { return !one->get_name().empty(); }))
            known.push_back(command->get_name());
    if (known.empty()) return fmt::format("'{}' was not expected", shown);
    return fmt::format("unknown command '{}': {}", shown, base::hint(word, known));
}

// The first word that nothing expected, with what is wrong with it; it explains better than what is missing
// because of it.
std::optional<std::string> first_unexpected(const CLI::App& root) {
    for (const CLI::App* app = &root; app != nullptr;) {
        if (const auto words = app->remaining(); !words.empty()) return unexpected_word(*app, words.front());
        const auto given = app->get_subcommands();
        app = given.empty() ? nullptr : given.front();
    }
    return std::nullopt;
}

}  // namespace

Check::Check(std::function<std::string(const std::string&)> fault)
    : validator_(std::make_shared<const CLI::Validator>(
          [fault = std::move(fault)](std::string& text) { return fault(text); }, "")) {}

Check range(int least, int most) {
    return range_of(least, most);
}
Check range(unsigned least, unsigned most) {
    return range_of(least, most);
}
Check range(std::uint64_t least, std::uint64_t most) {
    return range_of(least, most);
}
Check range(double least, double most) {
    return range_of(least, most);
}
Check positive_number() {
    return checked(
        number_between(std::numeric_limits<double>::min(), kLargest, "POSITIVE", "a number above 0"));
}
Check non_negative_number() {
    return checked(number_between(0.0, kLargest, "NONNEGATIVE", "a number from 0"));
}
Check one_of(std::vector<std::string> words) {
    const std::string shown = fmt::format("{{{}}}", fmt::join(words, ","));
    return checked(CLI::Validator(
        [words = std::move(words)](std::string& text) {
            if (std::ranges::find(words, text) != words.end()) return std::string();
            return fmt::format("value '{}', {}", base::excerpt(text), base::hint(text, words));
        },
        shown));
}

Option Option::check(const Check& check) const {
    // In front of the check that every number has, whose answer is less exact.
    option_->transform(CLI::Validator(check.validator()));
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
    return std::visit(
        [&]<class T>(T* variable) {
            CLI::Option* option = app_->add_option(names, *variable, help);
            // Infinities and NaN are no number for any option.
            if constexpr (std::is_same_v<T, double>)
                option->check(number_between(-kLargest, kLargest, "", "a number"));
            return Option(option);
        },
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
        if (error.get_exit_code() != 0) {
            const auto unexpected = first_unexpected(*app_);
            return base::fail("{}", unexpected ? *unexpected : std::string(error.what()));
        }
        app_->exit(error);
        return Read::Answered;
    }
    return Read::Commanded;
}

}  // namespace scholar::cli
