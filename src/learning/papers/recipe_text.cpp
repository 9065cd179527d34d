#include "learning/papers/recipe_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace scholar::learning {

std::string in_toml(const std::string& text) {
    return base::json_line(nlohmann::json(text));
}

std::string in_toml(std::span<const std::string> texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + in_toml(text);
    return fmt::format("[{}]", list);
}

base::Result<std::string> with_replaced(std::string_view name, std::string recipe,
                                        const std::vector<std::pair<std::string, std::string>>& replaced) {
    for (const auto& [what, by] : replaced) {
        const std::size_t place = recipe.find(what);
        if (place == std::string::npos)
            return base::fail("{} is not as this experiment knows it: expected '{}' in it", name, what);
        recipe.replace(place, what.size(), by);
    }
    return recipe;
}

}  // namespace scholar::learning
