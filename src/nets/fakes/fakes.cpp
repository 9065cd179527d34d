#include "nets/fakes/fakes.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace scholar::nets {

namespace {

constexpr const char* kOpinions = "scholar opinions 1";

// Of what makes it another one, as real networks' are of their weights.
std::string name_by(const std::string& text) {
    return base::to_hex(base::hash_bytes(std::as_bytes(std::span(text)))).substr(0, 8);
}

// A fake speaks in batches, whatever the network behind it does.
Abilities in_batches(Abilities abilities) {
    Abilities result;
    if (abilities.has_any({Ability::Leaf, Ability::Value})) result.add(Ability::Value);
    for (const Ability ability : {Ability::Wdl, Ability::Policy, Ability::MovesLeft})
        if (abilities.has(ability)) result.add(ability);
    return result;
}

}  // namespace

std::string describe(const RandomPolicy& network) {
    return fmt::format("random policy of seed {}", network.seed);
}
std::string content_name(const RandomPolicy& network) {
    return name_by(describe(network));
}
Abilities abilities(const RandomPolicy&) {
    return {Ability::Policy};
}
Reads reads(const RandomPolicy&) {
    return {};
}

std::string describe(const OrderByValue& network) {
    return fmt::format("order by the value of {}", network.by.description());
}
std::string content_name(const OrderByValue& network) {
    return name_by("order " + network.by.content_name());
}
Abilities abilities(const OrderByValue&) {
    return {Ability::Order};
}
Reads reads(const OrderByValue& network) {
    return network.by.reads();
}

std::string describe(const RolloutNetwork& network) {
    return fmt::format("games played out by {}", network.of.description());
}
std::string content_name(const RolloutNetwork& network) {
    return name_by("rollouts " + network.of.content_name());
}
Abilities abilities(const RolloutNetwork&) {
    return {Ability::Wdl, Ability::Policy};
}
Reads reads(const RolloutNetwork& network) {
    // By which games end.
    return united(network.of.reads(), {.boards = 1, .halfmove_clock = true, .repetitions = true});
}

std::string describe(const RecordedNetwork& network) {
    return fmt::format("{}, recorded into {}", network.of.description(), network.file.string());
}
std::string content_name(const RecordedNetwork& network) {
    return network.of.content_name();
}
Abilities abilities(const RecordedNetwork& network) {
    return in_batches(network.of.abilities());
}
Reads reads(const RecordedNetwork& network) {
    return network.of.reads();
}
const PieceValues* piece_values(const RecordedNetwork& network) {
    return network.of.piece_values();
}

std::string describe(const ReplayedNetwork& network) {
    return fmt::format("{}, replayed from {}", network.description, network.file.string());
}
std::string content_name(const ReplayedNetwork& network) {
    return name_by(network.file.string());
}
Abilities abilities(const ReplayedNetwork& network) {
    return network.abilities;
}
Reads reads(const ReplayedNetwork& network) {
    return network.reads;
}

std::string describe(const ComparedNetwork& network) {
    return fmt::format("{}, compared with {} within {}", network.first.description(),
                       network.second.description(), network.tolerance);
}
std::string content_name(const ComparedNetwork& network) {
    return network.first.content_name();
}
Abilities abilities(const ComparedNetwork& network) {
    return in_batches(network.first.abilities());
}
Reads reads(const ComparedNetwork& network) {
    return united(network.first.reads(), network.second.reads());
}
const PieceValues* piece_values(const ComparedNetwork& network) {
    return network.first.piece_values();
}

std::string opinions_head(const AnyNetwork& of) {
    const Abilities can = in_batches(of.abilities());
    nlohmann::json names = nlohmann::json::array();
    for (const Ability ability : kAbilities)
        if (can.has(ability)) names.push_back(std::string(to_string(ability)));
    const Reads read = of.reads();
    return base::json_line(nlohmann::json{{"format", kOpinions},
                                          {"network", of.description()},
                                          {"says", names},
                                          {"boards", read.boards},
                                          {"halfmove_clock", read.halfmove_clock},
                                          {"repetitions", read.repetitions}});
}

base::Result<ReplayedNetwork> read_opinions_head(const std::filesystem::path& file) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file, unknown))
        return base::fail("{}: cannot be read, expected a file of recorded opinions", file.string());
    std::ifstream in(file);
    std::string line;
    if (!in || !std::getline(in, line)) return base::fail("{}: cannot be read", file.string());
    const auto head = nlohmann::json::parse(line, nullptr, false);
    ReplayedNetwork network;
    network.file = file;
    const auto wrong = [&] {
        return base::fail("{}: line 1: '{}', expected the head of recorded opinions (\"format\": \"{}\")",
                          file.string(), base::excerpt(line), kOpinions);
    };
    if (!head.is_object()) return wrong();
    try {
        if (head.at("format") != kOpinions) return wrong();
        network.description = head.at("network").get<std::string>();
        network.reads = {head.at("boards").get<int>(), head.at("halfmove_clock").get<bool>(),
                         head.at("repetitions").get<bool>()};
        for (const auto& name : head.at("says"))
            for (const Ability ability : kAbilities)
                if (name == to_string(ability)) network.abilities.add(ability);
    } catch (const nlohmann::json::exception&) {
        return wrong();
    }
    return network;
}

}  // namespace scholar::nets
