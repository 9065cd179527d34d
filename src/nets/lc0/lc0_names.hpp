#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"

// The names of lc0's enumerations, so that what is refused is refused by name.

namespace scholar::nets::lc0 {

struct NamedNumber {
    std::uint32_t number;
    std::string_view name;
};

inline constexpr std::array kInputFormats{
    NamedNumber{0, "INPUT_UNKNOWN"},
    NamedNumber{1, "INPUT_CLASSICAL_112_PLANE"},
    NamedNumber{2, "INPUT_112_WITH_CASTLING_PLANE"},
    NamedNumber{3, "INPUT_112_WITH_CANONICALIZATION"},
    NamedNumber{4, "INPUT_112_WITH_CANONICALIZATION_HECTOPLIES"},
    NamedNumber{5, "INPUT_112_WITH_CANONICALIZATION_V2"},
    NamedNumber{132, "INPUT_112_WITH_CANONICALIZATION_HECTOPLIES_ARMAGEDDON"},
    NamedNumber{133, "INPUT_112_WITH_CANONICALIZATION_V2_ARMAGEDDON"}};
inline constexpr std::array kStructures{NamedNumber{0, "NETWORK_UNKNOWN"},
                                        NamedNumber{1, "NETWORK_CLASSICAL"},
                                        NamedNumber{2, "NETWORK_SE"},
                                        NamedNumber{3, "NETWORK_CLASSICAL_WITH_HEADFORMAT"},
                                        NamedNumber{4, "NETWORK_SE_WITH_HEADFORMAT"},
                                        NamedNumber{5, "NETWORK_ONNX"},
                                        NamedNumber{6, "NETWORK_ATTENTIONBODY_WITH_HEADFORMAT"},
                                        NamedNumber{7, "NETWORK_ATTENTIONBODY_WITH_MULTIHEADFORMAT"},
                                        NamedNumber{134, "NETWORK_AB_LEGACY_WITH_MULTIHEADFORMAT"}};
inline constexpr std::array kPolicies{NamedNumber{0, "POLICY_UNKNOWN"}, NamedNumber{1, "POLICY_CLASSICAL"},
                                      NamedNumber{2, "POLICY_CONVOLUTION"},
                                      NamedNumber{3, "POLICY_ATTENTION"}};
inline constexpr std::array kValues{NamedNumber{0, "VALUE_UNKNOWN"}, NamedNumber{1, "VALUE_CLASSICAL"},
                                    NamedNumber{2, "VALUE_WDL"}, NamedNumber{3, "VALUE_PARAM"}};
inline constexpr std::array kActivations{NamedNumber{0, "DEFAULT_ACTIVATION_RELU"},
                                         NamedNumber{1, "DEFAULT_ACTIVATION_MISH"}};
inline constexpr std::array kEncodings{NamedNumber{0, "UNKNOWN_ENCODING"}, NamedNumber{1, "LINEAR16"},
                                       NamedNumber{2, "FLOAT16"}, NamedNumber{3, "BFLOAT16"},
                                       NamedNumber{4, "FLOAT32"}};

// "POLICY_ATTENTION (3)", or "77, which is not known".
std::string show(std::span<const NamedNumber> known, std::uint32_t number);
// Refuses a number that is none of those supported; `what` is what the message calls it.
base::Status expect_one_of(std::string_view what, std::span<const NamedNumber> known, std::uint32_t number,
                           std::initializer_list<std::uint32_t> supported);

}  // namespace scholar::nets::lc0
