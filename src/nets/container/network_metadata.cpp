#include "nets/container/network_metadata.hpp"

#include <charconv>

#include "chess/score.hpp"

namespace scholar::nets {

using base::fail;

namespace {

base::Result<std::vector<int>> parse_integers(std::string_view text, std::string_view what) {
    std::vector<int> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (*at == ' ') {
            ++at;
            continue;
        }
        int value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc()) return fail("{} '{}', expected whole numbers", what, text);
        values.push_back(value);
        at = next;
    }
    return values;
}

}  // namespace

void put_common_metadata(TensorFile& file, std::string_view architecture, std::string_view version,
                         const PieceValues& piece_values, const History& history) {
    for (const auto& [key, value] : history) file.metadata["history." + key] = value;
    file.metadata["architecture"] = architecture;
    file.metadata["version"] = version;
    file.metadata["score_scale"] = fmt::format("{}", chess::Score::kScale);
    file.metadata["piece_values"] = fmt::format("{}", fmt::join(piece_values, " "));
}

base::Status expect_architecture(const TensorFile& file, std::string_view architecture,
                                 std::string_view version) {
    const std::string scale = fmt::format("{}", chess::Score::kScale);
    for (const auto& [key, expected] :
         {std::pair{"architecture", architecture}, {"version", version}, {"score_scale", scale}})
        if (auto status = expect_entry(file, key, expected); !status) return status;
    return {};
}

base::Result<PieceValues> take_piece_values(const TensorFile& file) {
    const auto text = file.meta("piece_values");
    if (!text) return std::unexpected(text.error());
    const auto values = parse_integers(*text, "piece_values");
    if (!values) return std::unexpected(values.error());
    PieceValues piece_values{};
    if (values->size() != piece_values.size())
        return fail("piece_values '{}', expected {} numbers", *text, piece_values.size());
    for (std::size_t kind = 0; kind < values->size(); ++kind) {
        const int value = (*values)[kind];
        if (value < 0 || value > chess::Score::kEvaluationBound)
            return fail("piece_values '{}', expected numbers from 0 to {}", *text,
                        chess::Score::kEvaluationBound);
        piece_values[kind] = value;
    }
    return piece_values;
}

History take_history(const TensorFile& file) {
    History history;
    for (const auto& [key, value] : file.metadata)
        if (key.starts_with("history.")) history[key.substr(8)] = value;
    return history;
}

base::Status expect_entry(const TensorFile& file, const std::string& key, std::string_view expected) {
    const auto value = file.meta(key);
    if (!value) return std::unexpected(value.error());
    if (*value != expected) return fail("{} '{}', expected '{}'", key, *value, expected);
    return {};
}

base::Result<std::vector<int>> take_integers(const TensorFile& file, const std::string& key) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    return parse_integers(*text, key);
}

base::Result<int> take_integer(const TensorFile& file, const std::string& key) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    const auto values = parse_integers(*text, key);
    if (!values) return std::unexpected(values.error());
    if (values->size() != 1) return fail("{} '{}', expected one whole number", key, *text);
    return values->front();
}

}  // namespace scholar::nets
