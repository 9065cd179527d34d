#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "search/alpha_beta/history.hpp"
#include "search/alpha_beta/node.hpp"
#include "search/ordered/ordered_table.hpp"
#include "search/ordered/position_order.hpp"
#include "search/ordered/standing.hpp"

namespace scholar::search {

// What a test asks of a node: whether `who` comes away with `bound` there, or better.
struct Question {
    const Standing& bound;
    chess::Color who;
};

// The tree of a search that compares, below the root (ordered_search.hpp). Depths are in half-moves.
class OrderedTree {
  public:
    // Whether to go on: asked at every node.
    class Watch {
      public:
        virtual ~Watch() = default;
        virtual bool may_go_on(int ply) = 0;
    };

    // Throws std::bad_alloc if there is not so much memory.
    OrderedTree(std::unique_ptr<evaluators::Comparator> comparator, std::size_t bytes, bool plain);

    void begin(const chess::Line& line, Watch& watch);
    void push(chess::Move move) { line_.push(move); }
    void pop() { line_.pop(); }
    // Of the node that the line is at, `ply` half-moves below the root. Nothing that they say counts once the
    // watch has ended the search.
    Standing work_out(int depth, int ply);
    bool is_reached(int depth, const Question& question, int ply);

    const PositionOrder& order() const { return order_; }
    bool is_over() const { return over_; }
    const Variation& variation(int ply) const { return variations_[static_cast<std::size_t>(ply)]; }
    const chess::Position& position() const { return line_.current(); }
    // As the node stands, by its position alone.
    Standing standing() { return Standing(order_.embedded(line_.current())); }
    void forget();

  private:
    bool visit(int ply);
    bool is_draw() const;
    // The side to move is mated.
    Standing mated(int ply) const;
    // Whether the standing answers the question with yes.
    bool answers(const Standing& standing, const Question& question) {
        return order_.is_as_good_for(question.who, standing, question.bound);
    }
    // Captures and promotions, or nothing; in check every way out.
    Standing work_out_quietly(int ply);
    bool is_reached_quietly(const Question& question, int ply);
    std::vector<chess::Move> quiet_tree_moves(bool in_check) const;
    // What is known of the node answers the question, if it does.
    std::optional<bool> remembered(const OrderedEntry* entry, int depth, const Question& question);
    // That the side to move does not even need to move.
    std::optional<bool> by_passing(int depth, const Question& question, int ply);
    void remember(int depth, chess::Move move, const Standing& than, Beside beside);
    // The move refuted the question's other answer, and those before it did not.
    void teach(chess::Move move, std::span<const chess::Move> before, int depth, int ply);
    // Calls visit(move, by how much it is looked at less deep at first) with the node's moves, the most
    // promising first, until that says false.
    template <class Visit>
    void for_each_move(const OrderedEntry* entry, int depth, int ply, Visit visit);

    PositionOrder order_;
    OrderedTable table_;
    const bool plain_;
    chess::Line line_;
    int root_ply_ = 0;
    Watch* watch_ = nullptr;
    bool over_ = false;
    std::vector<Variation> variations_;                // by ply
    std::vector<std::array<chess::Move, 2>> killers_;  // by ply
    std::unique_ptr<Histories> histories_;
    bool passed_ = false;  // on the way to the node that is visited next
};

}  // namespace scholar::search
