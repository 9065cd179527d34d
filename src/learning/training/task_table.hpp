#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learning/training/recipe.hpp"

namespace scholar::learning {

// What a recipe's [network] kind can be.
struct TaskKind {
    const char* name;
    // With nothing read yet.
    std::unique_ptr<TaskRecipe> (*make_recipe)();
};

// All of them. The first is meant where a recipe names none.
std::span<const TaskKind> task_kinds();
std::vector<std::string> task_kind_names();

}  // namespace scholar::learning
