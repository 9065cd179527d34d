#pragma once

#define TOML_EXCEPTIONS 0
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <utility>
#include <vector>

#include "base/error.hpp"

// TOML read strictly: every key that is there must be one that is asked for, of the right type and in range.
// A misspelt key would otherwise train for hours with a default. Includes toml++, which takes seconds to
// compile: for the few source files that read TOML.

namespace scholar::base {

class StrictToml {
  public:
    static Result<StrictToml> parse(std::string_view text, const std::string& name);

    // What this file does not say is as in `other`, key by key: its values take the place of the fallbacks of
    // whoever reads a key.
    void fall_back_on(const StrictToml& other) { defaults_ = other.table_; }

    // The keys of one [section]; what is read is noted. Each gives `fallback` where the key is absent or
    // wrong; finish() then has the error. A fallback of nullopt means that the key is required.
    class Section {
      public:
        std::int64_t integer(const char* key, std::optional<std::int64_t> fallback, std::int64_t low,
                             std::int64_t high);
        // Any number of them; none where the key is absent. An empty list is not noted: it says no more than
        // its absence does.
        std::vector<std::int64_t> integers(const char* key);
        // Never a NaN or an infinity, which TOML has words for.
        double real(const char* key, std::optional<double> fallback, double low, double high);
        bool flag(const char* key, std::optional<bool> fallback);
        std::string text(const char* key, const std::optional<std::string>& fallback);
        std::string choice(const char* key, const std::optional<std::string>& fallback,
                           std::vector<std::string> allowed);
        // At least one, where the key is there.
        std::vector<std::string> texts(const char* key,
                                       const std::optional<std::vector<std::string>>& fallback);
        // Whether the file itself says it.
        bool has(const char* key) const;
        // Notes an error about a key that is there, which need not be asked for then; `element`: of its list,
        // for the line.
        void refuse(const char* key, const std::string& reason, std::size_t element = 0);
        // A key that is read with choose(), or says what its absence does: nothing is noted.
        void pass_over(const char* key) { known_.emplace_back(key); }
        // Replaces what settings() says of a key by another form of it, for keys that can be written in many
        // ways.
        void renote(const char* key, std::string value);

      private:
        friend class StrictToml;
        Section(StrictToml& owner, std::string name) : owner_(owner), name_(std::move(name)) {}
        const toml::node* find(const char* key, bool required);
        void wrong(const toml::node& node, const char* key, const std::string& expected);
        void note(const char* key, std::string value);

        StrictToml& owner_;
        std::string name_;
        std::vector<std::string> known_;
    };

    // The names of all sections that are there, in the file's order: for files that name things by sections.
    std::vector<std::string> section_names() const;

    // A key that decides how its section is to be read, before that is: one of `allowed`, or the error in one
    // line. Nothing is noted: the section must ask for it again, or pass it over.
    Result<std::string> choose(const std::string& section, const char* key, const std::string& fallback,
                               const std::vector<std::string>& allowed) const;

    // `read` gets the section; afterwards keys that it did not ask for are errors.
    template <class Read>
    void section(const std::string& name, Read read) {
        Section section(*this, name);
        read(section);
        close(section);
    }

    // The first error, misspelt keys before missing ones: one is often the reason for the other. Sections
    // that were not asked for are errors too, but for those that somebody else reads.
    Status finish(const std::vector<std::string>& sections_of_others = {});

    // Everything read, defaults included, as ("section.key", value) in the order of reading.
    const std::vector<std::pair<std::string, std::string>>& settings() const { return settings_; }

  private:
    enum class Kind { Unknown, Wrong, Missing };
    struct Problem {
        Kind kind;
        std::uint32_t line;  // 0: none
        std::string message;
    };

    StrictToml(toml::table table, std::string name) : table_(std::move(table)), name_(std::move(name)) {}
    const toml::table* table_of(const std::string& section) const;
    void close(const Section& section);

    toml::table table_;
    toml::table defaults_;
    std::string name_;
    std::vector<std::string> sections_;
    std::vector<Problem> problems_;
    std::vector<std::pair<std::string, std::string>> settings_;
};

}  // namespace scholar::base
