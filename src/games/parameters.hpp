#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hint.hpp"

// Plain structs as text, "name key=value key=value": each parameter is declared once, with its range, and
// from that come reading, writing and help.
//
//   constexpr std::tuple kPlyParameters{Number{"min", &Ply::min, 0, kMaxPly}, …};

namespace scholar::games {

// A number in a range.
template <class S, class V>
struct Number {
    std::string_view name;
    V S::* member;
    std::type_identity_t<V> low;
    std::type_identity_t<V> high;
    bool required = false;

    std::string expected() const {
        return fmt::format("a {} from {} to {}", std::is_integral_v<V> ? "whole number" : "number", low,
                           high);
    }
    bool read(S& into, std::string_view text) const {
        V value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        // Written so that a NaN is refused too.
        if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
            return false;
        into.*member = value;
        return true;
    }
    std::string write(const S& from) const { return fmt::format("{}", from.*member); }
    bool is_default(const S& from) const { return !required && from.*member == S{}.*member; }
};

// One of some words; an enumeration that counts from 0.
template <class S, class V, std::size_t N>
struct Word {
    std::string_view name;
    V S::* member;
    std::array<std::string_view, N> words;
    bool required = false;

    std::string expected() const {
        std::string text = "one of";
        for (const std::string_view word : words) text += fmt::format(" {}", word);
        return text;
    }
    bool read(S& into, std::string_view text) const {
        for (std::size_t i = 0; i < N; ++i) {
            if (words[i] != text) continue;
            into.*member = static_cast<V>(i);
            return true;
        }
        return false;
    }
    std::string write(const S& from) const {
        return std::string(words[static_cast<std::size_t>(from.*member)]);
    }
    bool is_default(const S& from) const { return !required && from.*member == S{}.*member; }
};

// A parameter of a part of a struct.
template <class S, class P, class Parameter>
struct Of {
    P S::* part;
    Parameter parameter;
    std::string_view name = parameter.name;
    bool required = parameter.required;

    std::string expected() const { return parameter.expected(); }
    bool read(S& into, std::string_view text) const { return parameter.read(into.*part, text); }
    std::string write(const S& from) const { return parameter.write(from.*part); }
    bool is_default(const S& from) const { return parameter.is_default(from.*part); }
};
template <class S, class P, class Parameter>
Of(P S::*, Parameter) -> Of<S, P, Parameter>;

// "name key=value key=value" taken apart.
struct NamedParameters {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string_view>> values;
};
// Refuses a word without '=' and a key that comes twice.
base::Result<NamedParameters> split_parameters(std::string_view text);

template <class S, class... Parameters>
base::Status read_parameters(S& into, const NamedParameters& given,
                             const std::tuple<Parameters...>& parameters) {
    std::vector<std::string> known;
    std::vector<std::string_view> missing;
    std::string problem;
    std::size_t read = 0;
    const auto read_one = [&](const auto& parameter) {
        known.emplace_back(parameter.name);
        bool found = false;
        for (const auto& [key, value] : given.values) {
            if (key != parameter.name) continue;
            found = true;
            ++read;
            if (!parameter.read(into, value) && problem.empty())
                problem = fmt::format("{} is '{}', expected {}", key, value, parameter.expected());
        }
        if (!found && parameter.required) missing.push_back(parameter.name);
    };
    std::apply([&](const auto&... each) { (read_one(each), ...); }, parameters);
    if (read < given.values.size())
        for (const auto& [key, value] : given.values) {
            if (known.empty())
                return base::fail("'{}={}', expected nothing behind {}", key, value, given.name);
            if (std::ranges::find(known, key) == known.end())
                return base::fail("unknown parameter '{}', {}", key, base::hint(key, known));
        }
    if (!problem.empty()) return base::fail("{}", problem);
    if (!missing.empty())
        return base::fail("{} is missing, expected '{} {}=…'", missing[0], given.name, missing[0]);
    if constexpr (requires { into.min <= into.max; })
        if (into.min > into.max)
            return base::fail("max is {}, expected at least min, {}", into.max, into.min);
    return {};
}

// The parameters that are not at their defaults, each with a space before it.
template <class S, class... Parameters>
std::string write_parameters(const S& from, const std::tuple<Parameters...>& parameters) {
    std::string text;
    const auto write_one = [&](const auto& parameter) {
        if (!parameter.is_default(from)) text += fmt::format(" {}={}", parameter.name, parameter.write(from));
    };
    std::apply([&](const auto&... each) { (write_one(each), ...); }, parameters);
    return text;
}

// How to write one: "ply [min=A] [max=B]".
template <class... Parameters>
std::string show_parameters(std::string_view name, const std::tuple<Parameters...>& parameters) {
    std::string text(name);
    const auto show_one = [&](const auto& parameter) {
        text += parameter.required ? fmt::format(" {}=…", parameter.name)
                                   : fmt::format(" [{}=…]", parameter.name);
    };
    std::apply([&](const auto&... each) { (show_one(each), ...); }, parameters);
    return text;
}

// Of one that can only be called `name`. What is not given stays as it is; so may what is, after an error.
template <class S, class... Parameters>
base::Status read_named(S& into, std::string_view text, std::string_view name,
                        const std::tuple<Parameters...>& parameters) {
    const auto given = split_parameters(text);
    if (!given) return std::unexpected(given.error());
    if (given->name != name)
        return base::fail("'{}', expected {}", given->name, show_parameters(name, parameters));
    return read_parameters(into, *given, parameters);
}

}  // namespace scholar::games
