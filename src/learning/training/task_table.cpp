#include "learning/training/task_table.hpp"

#include <array>

#include "learning/comparison/comparison_recipe.hpp"
#include "learning/comparison/encoder_recipe.hpp"
#include "learning/conv/chess_nets_recipe.hpp"
#include "learning/conv/residual_recipe.hpp"
#include "learning/dense/dense_moves_recipe.hpp"
#include "learning/dense/dense_recipe.hpp"
#include "learning/linear/linear_recipe.hpp"
#include "learning/perspective/perspective_recipe.hpp"
#include "learning/sparse_policy/policy_recipe.hpp"

namespace scholar::learning {

namespace {

template <class T>
std::unique_ptr<TaskRecipe> make_task_recipe() {
    return std::make_unique<T>();
}

constexpr std::array kTaskKinds{
    TaskKind{"perspective", make_task_recipe<PerspectiveRecipe>},  // what recipes mean that name none
    TaskKind{"autoencoder", make_task_recipe<AutoencoderRecipe>},
    TaskKind{"chessnet", make_task_recipe<ChessNetsRecipe>},
    TaskKind{"comparison", make_task_recipe<ComparisonRecipe>},
    TaskKind{"dense", make_task_recipe<DenseRecipe>},
    TaskKind{"dense-moves", make_task_recipe<DenseMovesRecipe>},
    TaskKind{"encoder", make_task_recipe<ImitatingEncoderRecipe>},
    TaskKind{"linear", make_task_recipe<LinearRecipe>},
    TaskKind{"residual", make_task_recipe<ResidualRecipe>},
    TaskKind{"sparse-policy", make_task_recipe<SparsePolicyRecipe>},
};

}  // namespace

std::span<const TaskKind> task_kinds() {
    return kTaskKinds;
}

std::vector<std::string> task_kind_names() {
    std::vector<std::string> names;
    names.reserve(kTaskKinds.size());
    for (const TaskKind& kind : kTaskKinds) names.emplace_back(kind.name);
    return names;
}

}  // namespace scholar::learning
