#include "learning/online/online_checkpoint.hpp"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "learning/run/checkpoint_values.hpp"

namespace scholar::learning {

namespace {

using nets::Dtype;
using nets::TensorFile;
using nlohmann::json;

constexpr const char* kOnlineKind = "scholar online learning";
constexpr const char* kOnlineVersion = "1";
// Of runs that have them.
constexpr const char* kSquaredGradients = "squares";
constexpr const char* kMean = "mean";

// Safetensors here have no 64-bit floats: the bits, so that a run goes on exactly.
void put_doubles(TensorFile& file, const std::string& name, const std::vector<double>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    file.tensors[name] = {Dtype::I8, {static_cast<std::int64_t>(bytes.size())}, {bytes.begin(), bytes.end()}};
}

base::Status take_doubles(const TensorFile& file, const std::string& name, std::vector<double>& into) {
    into.resize(nets::kLinearWeights);
    const std::size_t size = into.size() * sizeof(double);
    const auto tensor = file.tensor(name, Dtype::I8, {static_cast<std::int64_t>(size)});
    if (!tensor) return std::unexpected(tensor.error());
    std::memcpy(into.data(), (*tensor)->bytes.data(), size);
    return {};
}

base::Status take_if_there(const TensorFile& file, const std::string& name, std::vector<double>& into) {
    return file.tensors.contains(name) ? take_doubles(file, name, into) : base::Status();
}

json to_json(const arena::Glicko& rating) {
    return {rating.rating, rating.deviation};
}

TensorFile to_file(const OnlineCheckpoint& checkpoint) {
    json opponents = json::object();
    for (const auto& [name, rating] : checkpoint.opponents) opponents[name] = to_json(rating);
    TensorFile file;
    file.metadata = {{"kind", kOnlineKind},
                     {"version", kOnlineVersion},
                     {"games", fmt::format("{}", checkpoint.games)},
                     {"updates", fmt::format("{}", checkpoint.updates)},
                     {"pgn_bytes", fmt::format("{}", checkpoint.pgn_bytes)},
                     // Numbers as JSON has them come back as the same numbers.
                     {"state", base::json_line(json{{"core_seconds", checkpoint.core_seconds},
                                                    {"rating", to_json(checkpoint.rating)},
                                                    {"opponents", opponents},
                                                    {"pool", checkpoint.pool},
                                                    {"starts", checkpoint.starts},
                                                    {"piece_values", checkpoint.piece_values},
                                                    {"settings", checkpoint.settings}})}};
    put_doubles(file, "weights", checkpoint.weights);
    put_doubles(file, "pending", checkpoint.pending);
    if (!checkpoint.squares.empty()) put_doubles(file, kSquaredGradients, checkpoint.squares);
    if (!checkpoint.mean.empty()) put_doubles(file, kMean, checkpoint.mean);
    return file;
}

arena::Glicko glicko_from(const json& numbers) {
    return {numbers.at(0).get<double>(), numbers.at(1).get<double>()};
}

base::Status take_state(const TensorFile& file, OnlineCheckpoint& into) {
    const auto text = file.meta("state");
    if (!text) return std::unexpected(text.error());
    try {
        const json state = json::parse(*text);
        into.core_seconds = state.at("core_seconds").get<double>();
        into.rating = glicko_from(state.at("rating"));
        for (const auto& [name, rating] : state.at("opponents").items())
            into.opponents[name] = glicko_from(rating);
        into.pool = state.at("pool").get<std::vector<std::string>>();
        into.starts = state.at("starts").get<std::vector<std::string>>();
        into.piece_values = state.at("piece_values").get<nets::PieceValues>();
        into.settings = state.at("settings").get<decltype(into.settings)>();
    } catch (const json::exception&) {
        return base::fail("state is not readable");
    }
    return {};
}

base::Result<OnlineCheckpoint> online_checkpoint_of(const TensorFile& file) {
    if (auto s = expect_kind(file, kOnlineKind, kOnlineVersion); !s) return std::unexpected(s.error());
    OnlineCheckpoint checkpoint;
    if (auto s = take_numbers(file, {{"games", &checkpoint.games},
                                     {"updates", &checkpoint.updates},
                                     {"pgn_bytes", &checkpoint.pgn_bytes}});
        !s)
        return std::unexpected(s.error());
    for (const base::Status& status :
         {take_state(file, checkpoint), take_doubles(file, "weights", checkpoint.weights),
          take_doubles(file, "pending", checkpoint.pending),
          take_if_there(file, kSquaredGradients, checkpoint.squares),
          take_if_there(file, kMean, checkpoint.mean)})
        if (!status) return std::unexpected(status.error());
    return checkpoint;
}

}  // namespace

base::Status save_online_checkpoint(const std::filesystem::path& folder, const OnlineCheckpoint& checkpoint) {
    for (const auto* values :
         {&checkpoint.weights, &checkpoint.pending, &checkpoint.squares, &checkpoint.mean})
        for (const double value : *values)
            if (!std::isfinite(value))
                return base::fail("{}: a weight is {}, expected a number: the learning rate may be too large",
                                  folder.string(), value);
    return write_checkpoint(folder, to_file(checkpoint));
}

base::Result<std::optional<Loaded<OnlineCheckpoint>>> load_online_checkpoint(
    const std::filesystem::path& folder) {
    return read_checkpoint<OnlineCheckpoint>(folder, online_checkpoint_of);
}

}  // namespace scholar::learning
