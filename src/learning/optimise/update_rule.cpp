#include "learning/optimise/update_rule.hpp"

#include <ATen/ATen.h>
#include <array>
#include <cmath>

namespace scholar::learning {

namespace {

at::Tensor decayed(const at::Tensor& gradient, const at::Tensor& weights, double decay) {
    return decay == 0 ? gradient : gradient.add(weights, decay);
}

class Sgd final : public UpdateRule {
  public:
    explicit Sgd(const SgdOptions& options) : options_(options) {}
    std::span<const std::string_view> memories() const override { return {}; }
    void update(at::Tensor& weights, const at::Tensor& gradient, std::span<at::Tensor> /*memory*/,
                std::uint64_t /*step*/, double learning_rate) const override {
        weights.sub_(decayed(gradient, weights, options_.weight_decay), learning_rate);
    }

  private:
    SgdOptions options_;
};

// Classical momentum, and Nesterov's, which looks one step ahead.
class Momentum final : public UpdateRule {
  public:
    Momentum(double momentum, double weight_decay, bool ahead)
        : momentum_(momentum), weight_decay_(weight_decay), ahead_(ahead) {}
    std::span<const std::string_view> memories() const override {
        static constexpr std::array<std::string_view, 1> names{"velocity"};
        return names;
    }
    void update(at::Tensor& weights, const at::Tensor& gradient, std::span<at::Tensor> memory,
                std::uint64_t /*step*/, double learning_rate) const override {
        const at::Tensor slope = decayed(gradient, weights, weight_decay_);
        at::Tensor& velocity = memory[0];
        velocity.mul_(momentum_).add_(slope);
        weights.sub_(ahead_ ? slope.add(velocity, momentum_) : velocity, learning_rate);
    }

  private:
    double momentum_;
    double weight_decay_;
    bool ahead_;
};

class AdaGrad final : public UpdateRule {
  public:
    explicit AdaGrad(const AdaGradOptions& options) : options_(options) {}
    std::span<const std::string_view> memories() const override {
        static constexpr std::array<std::string_view, 1> names{"squares"};
        return names;
    }
    void update(at::Tensor& weights, const at::Tensor& gradient, std::span<at::Tensor> memory,
                std::uint64_t /*step*/, double learning_rate) const override {
        const at::Tensor slope = decayed(gradient, weights, options_.weight_decay);
        memory[0].addcmul_(slope, slope);
        weights.addcdiv_(slope, memory[0].sqrt().add_(options_.epsilon), -learning_rate);
    }

  private:
    AdaGradOptions options_;
};

class AdaDelta final : public UpdateRule {
  public:
    explicit AdaDelta(const AdaDeltaOptions& options) : options_(options) {}
    std::span<const std::string_view> memories() const override {
        static constexpr std::array<std::string_view, 2> names{"squares", "moves"};
        return names;
    }
    void update(at::Tensor& weights, const at::Tensor& gradient, std::span<at::Tensor> memory,
                std::uint64_t /*step*/, double learning_rate) const override {
        const at::Tensor slope = decayed(gradient, weights, options_.weight_decay);
        at::Tensor& squares = memory[0];
        at::Tensor& moves = memory[1];
        squares.mul_(options_.rho).addcmul_(slope, slope, 1 - options_.rho);
        const at::Tensor move =
            moves.add(options_.epsilon).sqrt_().div_(squares.add(options_.epsilon).sqrt_()).mul_(slope);
        moves.mul_(options_.rho).addcmul_(move, move, 1 - options_.rho);
        weights.sub_(move, learning_rate);
    }

  private:
    AdaDeltaOptions options_;
};

class RmsProp final : public UpdateRule {
  public:
    explicit RmsProp(const RmsPropOptions& options) : options_(options) {}
    std::span<const std::string_view> memories() const override {
        static constexpr std::array<std::string_view, 2> names{"squares", "velocity"};
        return std::span(names).first(options_.momentum > 0 ? 2 : 1);
    }
    void update(at::Tensor& weights, const at::Tensor& gradient, std::span<at::Tensor> memory,
                std::uint64_t /*step*/, double learning_rate) const override {
        const at::Tensor slope = decayed(gradient, weights, options_.weight_decay);
        memory[0].mul_(options_.decay).addcmul_(slope, slope, 1 - options_.decay);
        const at::Tensor root = memory[0].sqrt().add_(options_.epsilon);
        if (options_.momentum == 0) {
            weights.addcdiv_(slope, root, -learning_rate);
            return;
        }
        memory[1].mul_(options_.momentum).addcdiv_(slope, root);
        weights.sub_(memory[1], learning_rate);
    }

  private:
    RmsPropOptions options_;
};

class Adam final : public UpdateRule {
  public:
    explicit Adam(const AdamOptions& options) : options_(options) {}
    std::span<const std::string_view> memories() const override {
        static constexpr std::array<std::string_view, 2> names{"first_moment", "second_moment"};
        return names;
    }
    void update(at::Tensor& weights, const at::Tensor& gradient, std::span<at::Tensor> memory,
                std::uint64_t step, double learning_rate) const override {
        const bool apart = options_.kind == AdamKind::AdamW;
        if (apart && options_.weight_decay != 0) weights.mul_(1 - learning_rate * options_.weight_decay);
        const at::Tensor slope = decayed(gradient, weights, apart ? 0 : options_.weight_decay);
        memory[0].mul_(options_.beta1).add_(slope, 1 - options_.beta1);
        memory[1].mul_(options_.beta2).addcmul_(slope, slope, 1 - options_.beta2);
        // Both moments start at 0; these undo the pull towards it.
        const auto steps = static_cast<double>(step);
        const double first = 1 - std::pow(options_.beta1, steps);
        const double second = 1 - std::pow(options_.beta2, steps);
        const at::Tensor spread = memory[1].sqrt().div_(std::sqrt(second)).add_(options_.epsilon);
        weights.addcdiv_(memory[0], spread, -learning_rate / first);
    }

  private:
    AdamOptions options_;
};

struct MakeRule {
    std::unique_ptr<UpdateRule> operator()(const SgdOptions& options) const {
        return std::make_unique<Sgd>(options);
    }
    std::unique_ptr<UpdateRule> operator()(const MomentumOptions& options) const {
        return std::make_unique<Momentum>(options.momentum, options.weight_decay, false);
    }
    std::unique_ptr<UpdateRule> operator()(const NesterovOptions& options) const {
        return std::make_unique<Momentum>(options.momentum, options.weight_decay, true);
    }
    std::unique_ptr<UpdateRule> operator()(const AdaGradOptions& options) const {
        return std::make_unique<AdaGrad>(options);
    }
    std::unique_ptr<UpdateRule> operator()(const AdaDeltaOptions& options) const {
        return std::make_unique<AdaDelta>(options);
    }
    std::unique_ptr<UpdateRule> operator()(const RmsPropOptions& options) const {
        return std::make_unique<RmsProp>(options);
    }
    std::unique_ptr<UpdateRule> operator()(const AdamOptions& options) const {
        return std::make_unique<Adam>(options);
    }
};

}  // namespace

std::unique_ptr<UpdateRule> make_update_rule(const OptimiserOptions& options) {
    return std::visit(MakeRule{}, options);
}

}  // namespace scholar::learning
