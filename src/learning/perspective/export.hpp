#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/error.hpp"
#include "learning/perspective/agreement.hpp"
#include "learning/perspective/model.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/validation.hpp"
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
base::Result<Export> prepare_export(const Model& model, const ValidationSet& validation, const Recipe& recipe,
                                    const std::map<std::string, std::string>& history);

// Writes OUTPUT/network-float.safetensors, and OUTPUT/network.safetensors unless the two disagree by more
// than the recipe allows: then an error that says by how much.
base::Status write_export(const Export& result, const Recipe& recipe);

// For people, several lines.
std::string to_table(const Export& result);

}  // namespace scholar::learning
