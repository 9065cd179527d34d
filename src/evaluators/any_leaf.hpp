#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "evaluators/leaf_evaluator.hpp"

namespace scholar::evaluators {

// A leaf evaluator of any kind, behind virtual calls: what all but the hot kinds are to a search, so that it
// is not compiled once for each. A copy is independent, for another thread.
class AnyLeaf {
  public:
    template <LeafEvaluator Inner>
    explicit AnyLeaf(Inner inner) : inner_(std::make_unique<Model<Inner>>(std::move(inner))) {}
    AnyLeaf(const AnyLeaf& other) : inner_(other.inner_->copy()) {}
    AnyLeaf(AnyLeaf&&) noexcept = default;
    AnyLeaf& operator=(const AnyLeaf& other) {
        if (this != &other) inner_ = other.inner_->copy();
        return *this;
    }
    AnyLeaf& operator=(AnyLeaf&&) noexcept = default;
    ~AnyLeaf() = default;

    void reset(const chess::Position& position) { inner_->reset(position); }
    void push(const chess::Position& before, chess::Move move) { inner_->push(before, move); }
    void push_null(const chess::Position& before) { inner_->push_null(before); }
    void pop() { inner_->pop(); }
    chess::Score value(const chess::Position& position) { return inner_->value(position); }
    const nets::PieceValues& piece_values() const { return inner_->piece_values(); }

  private:
    class Interface {
      public:
        virtual ~Interface() = default;
        virtual std::unique_ptr<Interface> copy() const = 0;
        virtual void reset(const chess::Position& position) = 0;
        virtual void push(const chess::Position& before, chess::Move move) = 0;
        virtual void push_null(const chess::Position& before) = 0;
        virtual void pop() = 0;
        virtual chess::Score value(const chess::Position& position) = 0;
        virtual const nets::PieceValues& piece_values() const = 0;
    };
    template <LeafEvaluator Inner>
    class Model final : public Interface {
      public:
        explicit Model(Inner inner) : inner_(std::move(inner)) {}
        std::unique_ptr<Interface> copy() const override { return std::make_unique<Model>(inner_); }
        void reset(const chess::Position& position) override { inner_.reset(position); }
        void push(const chess::Position& before, chess::Move move) override { inner_.push(before, move); }
        void push_null(const chess::Position& before) override { inner_.push_null(before); }
        void pop() override { inner_.pop(); }
        chess::Score value(const chess::Position& position) override { return inner_.value(position); }
        const nets::PieceValues& piece_values() const override { return inner_.piece_values(); }

      private:
        Inner inner_;
    };

    std::unique_ptr<Interface> inner_;
};

static_assert(LeafEvaluator<AnyLeaf>);

// Convolutional networks are among them.
template <>
inline constexpr std::uint64_t kNodesBetweenLooks<AnyLeaf> = 16;

}  // namespace scholar::evaluators
