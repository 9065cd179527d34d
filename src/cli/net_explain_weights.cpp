#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "base/files.hpp"
#include "base/plot.hpp"
#include "cli/net_explain.hpp"
#include "cli/output.hpp"
#include "nets/linear/linear_explanation.hpp"
#include "nets/linear/linear_file.hpp"

namespace scholar::cli {

namespace {

using nets::BlockWeights;
using nets::FeatureBlock;
using nets::FloatLinearNetwork;
using nets::Group;
using nets::Stage;

// A network, and maybe an older one to compare it with.
struct Networks {
    const FloatLinearNetwork& now;
    const FloatLinearNetwork* before;
};

std::vector<Group> all_groups() {
    std::vector<Group> groups;
    groups.reserve(nets::kGroups);
    for (int group = 0; group < nets::kGroups; ++group) groups.push_back(static_cast<Group>(group));
    return groups;
}

// "12.3" or "0.0 > 12.3".
std::string cell(double now, const double* before) {
    const auto number = [](double value) { return fmt::format("{:.1f}", value); };
    return before ? fmt::format("{} > {}", number(*before), number(now)) : number(now);
}

template <class Value>
void print_row(const std::string& name, int features, const Networks& networks, Value value) {
    fmt::print("{:<36} {:>8}", name, features);
    for (const Stage stage : nets::kStages) {
        std::optional<double> before;
        if (networks.before) before = value(*networks.before, stage);
        fmt::print(" {:>20}", cell(value(networks.now, stage), before ? &*before : nullptr));
    }
    fmt::print("\n");
}

void print_heading(const std::string& title) {
    fmt::print("\n{:<36} {:>8}", title, "features");
    for (const Stage stage : nets::kStages) fmt::print(" {:>20}", to_string(stage));
    fmt::print("\n");
}

double weight_of(const FloatLinearNetwork& network, int feature, Stage stage) {
    return static_cast<double>(network.weights[nets::weight_index(feature, stage)]);
}

void print_tables(const Networks& networks) {
    print_heading("group: mean size of weights");
    for (const Group group : all_groups())
        print_row(std::string(to_string(group)), nets::feature_count(group), networks,
                  [group](const FloatLinearNetwork& network, Stage stage) {
                      return nets::summarise(network, group, stage).mean_absolute;
                  });
    print_heading("weights of single features");
    for (const FeatureBlock& block : nets::kFeatureBlocks) {
        if (block.size() != 1 && block.id != nets::Block::Material) continue;
        for (int i = 0; i < block.size(); ++i) {
            const int feature = nets::feature(block.id) + i;
            print_row(nets::feature_name(feature), 1, networks,
                      [feature](const FloatLinearNetwork& network, Stage stage) {
                          return weight_of(network, feature, stage);
                      });
        }
    }
    fmt::print("\nScore units; a pawn is {:.1f} at the paper's start\n", nets::kPawnScore);
}

// Fails if no name contains the text.
base::Status print_features(const Networks& networks, const std::string& text) {
    bool found = false;
    for (int feature = 0; feature < nets::kLinearFeatures; ++feature) {
        const std::string name = nets::feature_name(feature);
        if (name.find(text) == std::string::npos) continue;
        if (!found) print_heading("feature");
        found = true;
        print_row(name, 1, networks, [feature](const FloatLinearNetwork& network, Stage stage) {
            return weight_of(network, feature, stage);
        });
    }
    if (!found)
        return base::fail("--feature '{}': no feature has that in its name, see 'scholar net features'",
                          text);
    return {};
}

Json json_of(const FloatLinearNetwork& network) {
    Json groups = Json::array();
    for (const Group group : all_groups()) {
        Json entry{{"group", to_string(group)}, {"features", nets::feature_count(group)}, {"stages", Json()}};
        for (const Stage stage : nets::kStages) {
            const BlockWeights weights = nets::summarise(network, group, stage);
            entry["stages"][std::string(to_string(stage))] = {{"mean", weights.mean},
                                                              {"mean_absolute", weights.mean_absolute},
                                                              {"largest", weights.largest},
                                                              {"not_zero", weights.set}};
        }
        groups.push_back(std::move(entry));
    }
    Json features;
    for (int feature = 0; feature < nets::kLinearFeatures; ++feature) {
        Json weights = Json::array();
        for (const Stage stage : nets::kStages) weights.push_back(weight_of(network, feature, stage));
        features[nets::feature_name(feature)] = std::move(weights);
    }
    return {{"groups", groups}, {"weights", features}};
}

base::PlotSeries series_of(const std::string& name, const FloatLinearNetwork& network,
                           const FeatureBlock& block) {
    base::PlotSeries series{name, {}};
    for (const Stage stage : nets::kStages) {
        const BlockWeights weights = nets::summarise(network, block.id, stage);
        series.points.push_back(
            {1.0 + static_cast<double>(stage), block.size() == 1 ? weights.mean : weights.mean_absolute});
    }
    return series;
}

// A group's blocks by stage: the weight of a single feature, the mean size of the weights of several.
base::Plot plot_of(const Networks& networks, Group group) {
    base::Plot plot{.title = std::string(to_string(group)),
                    .x = {.label = "1 opening, 2 middle, 3 ending, 4 mating", .least = 1, .most = 4},
                    .y = {.label = "weight, or mean size of weights, in Score units"},
                    .series = {}};
    for (const FeatureBlock& block : nets::kFeatureBlocks) {
        if (block.group != group) continue;
        const std::string name(block.name);
        if (networks.before) plot.series.push_back(series_of(name + " before", *networks.before, block));
        plot.series.push_back(series_of(name, networks.now, block));
    }
    return plot;
}

base::Status draw(const Networks& networks, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return base::fail("{}: cannot create the folder: {}", folder, error.message());
    for (const Group group : all_groups()) {
        std::string name(to_string(group));
        for (char& letter : name)
            if (letter == ' ') letter = '-';
        const auto path = std::filesystem::path(folder) / (name + ".svg");
        if (auto status = base::write_atomically(path, base::to_svg(plot_of(networks, group))); !status)
            return status;
    }
    fmt::print("{}: {} drawings\n", folder, nets::kGroups);
    return {};
}

}  // namespace

base::Status explain_weights(const FloatLinearNetwork& network, const WeightsOptions& options) {
    std::optional<FloatLinearNetwork> older;
    if (!options.against.empty()) {
        auto loaded = nets::load_float_linear_network(options.against);
        if (!loaded) return std::unexpected(loaded.error());
        older = std::move(*loaded);
    }
    const Networks networks{network, older ? &*older : nullptr};
    if (options.json) {
        Json json{{"network", options.name}, {"now", json_of(network)}};
        if (older) json["before"] = json_of(*older);
        print(json);
    } else if (!options.feature.empty()) {
        if (auto status = print_features(networks, options.feature); !status) return status;
    } else {
        print_tables(networks);
    }
    if (!options.plots.empty()) return draw(networks, options.plots);
    return {};
}

}  // namespace scholar::cli
