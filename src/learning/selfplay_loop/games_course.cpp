#include "learning/selfplay_loop/games_course.hpp"

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "learning/run/metrics.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

void take_training(const json& record, GamesCourse& into) {
    GamesCourse::Training now;
    record.at("positions").get_to(now.positions);
    record.at("loss").get_to(now.loss);
    record.at("constant_loss").get_to(now.constant_loss);
    record.at("core_seconds").get_to(into.core_seconds);
    into.training.push_back(now);
}

void take_validation(const json& record, GamesCourse& into) {
    const json& unseen = record.at("unseen");
    GamesCourse::Validation now;
    unseen.at("positions").get_to(now.held_out);
    const auto loss_of = [&](const char* whose) {
        return now.held_out == 0 ? 0.0 : unseen.at("target").at(whose).at("cross_entropy").get<double>();
    };
    now.network = loss_of("network");
    now.constant = loss_of("constant");
    now.material = loss_of("material");
    // It stands behind the training that it is of.
    now.positions = into.training.empty() ? 0 : into.training.back().positions;
    into.validations.push_back(now);
}

}  // namespace

base::Result<GamesCourse> parse_games_course(std::string_view text, const std::string& name) {
    GamesCourse course;
    const auto status = for_each_record(text, name, [&](const json& record) -> base::Status {
        try {
            const auto kind = record.at("kind").get<std::string>();
            if (kind == "train") take_training(record, course);
            if (kind == "validation") take_validation(record, course);
        } catch (const json::exception&) {
            return base::fail("is no record of scholar train, or lacks a part of one");
        }
        return {};
    });
    if (!status) return std::unexpected(status.error());
    return course;
}

base::Result<GamesCourse> read_games_course(const std::filesystem::path& metrics) {
    const auto text = base::read_text(metrics);
    if (!text) return std::unexpected(text.error());
    return parse_games_course(*text, metrics.string());
}

}  // namespace scholar::learning
