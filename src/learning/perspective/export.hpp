#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/error.hpp"
#include "learning/perspective/agreement.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/validation.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::learning {

// A trained network on its way to its files.
struct Export {
    nets::FloatNetwork trained;
    nets::Quantised quantised;
    Agreement agreement;
};

// Measures the piece values, rounds the network, and compares both on up to 100,000 validation positions.
// Refuses a network whose sums could overflow.
base::Result<Export> prepare_export(const Model& model, const ValidationSet& validation, std::uint64_t seed,
                                    const std::map<std::string, std::string>& history);

// How far the two may be from each other, in Score units.
struct ExportLimits {
    double largest_mean_difference = 0;
    double largest_difference = 0;
};

// Writes network-float.safetensors, and network.safetensors unless the two disagree by more than that: then
// an error that says by how much.
base::Status write_export(const Export& result, const std::filesystem::path& folder,
                          const ExportLimits& limits);

// For people, several lines.
std::string to_table(const Export& result);

}  // namespace scholar::learning
