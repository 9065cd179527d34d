#pragma once

#include <string_view>
#include <variant>

#include "learning/optimise/adam.hpp"

// The rules by which weights follow their gradients, with what each of them can be told. g is the gradient of
// the loss, w the weights, η the learning rate, which the schedule gives for each step; all operations are
// element by element. Weight decay, if any, is part of the gradient, g + decay · w, but in AdamW.

namespace scholar::learning {

// w ← w − η g
struct SgdOptions {
    double weight_decay = 0;
};

// v ← momentum · v + g, from v = 0;  w ← w − η v   (Polyak 1964; the rate stands outside of v, so that a
// change of it takes effect at once)
struct MomentumOptions {
    double momentum = 0.9;
    double weight_decay = 0;
};

// v as above;  w ← w − η (g + momentum · v)   (Nesterov 1983, in the form of Sutskever et al. 2013)
struct NesterovOptions {
    double momentum = 0.9;
    double weight_decay = 0;
};

// s ← s + g²;  w ← w − η g / (√s + ε)   (Duchi, Hazan, Singer 2011)
struct AdaGradOptions {
    double epsilon = 1e-10;
    double weight_decay = 0;
};

// Zeiler 2012, algorithm 1, with the learning rate as a factor, 1 in the paper:
// s ← ρ s + (1 − ρ) g²;  d = √(u + ε) / √(s + ε) · g;  u ← ρ u + (1 − ρ) d²;  w ← w − η d
struct AdaDeltaOptions {
    double rho = 0.95;
    double epsilon = 1e-6;
    double weight_decay = 0;
};

// s ← decay · s + (1 − decay) g²;  v ← momentum · v + g / (√s + ε);  w ← w − η v   (Tieleman, Hinton 2012)
struct RmsPropOptions {
    double decay = 0.99;
    double epsilon = 1e-8;
    double momentum = 0;
    double weight_decay = 0;
};

using OptimiserOptions = std::variant<SgdOptions, MomentumOptions, NesterovOptions, AdaGradOptions,
                                      AdaDeltaOptions, RmsPropOptions, AdamOptions>;

// As recipes call it: "sgd", "momentum", "nesterov", "adagrad", "adadelta", "rmsprop", "adam", "adamw".
std::string_view kind_of(const OptimiserOptions& options);

}  // namespace scholar::learning
