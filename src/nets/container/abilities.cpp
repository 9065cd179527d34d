#include "nets/container/abilities.hpp"

namespace scholar::nets {

std::string to_string(Abilities abilities, std::string_view between) {
    std::string text;
    for (const Ability ability : kAbilities)
        if (abilities.has(ability)) text.append(text.empty() ? "" : between).append(to_string(ability));
    return text.empty() ? "nothing" : text;
}

}  // namespace scholar::nets
