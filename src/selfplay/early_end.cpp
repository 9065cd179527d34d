#include "selfplay/early_end.hpp"

#include <cstdlib>

namespace scholar::selfplay {

void EarlyEnd::note(std::optional<chess::Score> score, chess::Color side, int number) {
    if (!score) {
        decided_ = quiet_ = 0;
        return;
    }
    const int white = chess::PovScore(*score, side).white().value();
    if (resign_) {
        const int sign = white >= resign_->score ? 1 : white <= -resign_->score ? -1 : 0;
        decided_ = sign == 0 ? 0 : decided_ * sign > 0 ? decided_ + sign : sign;
    }
    if (draw_) quiet_ = number > draw_->after && std::abs(white) <= draw_->score ? quiet_ + 1 : 0;
}

std::optional<chess::Color> EarlyEnd::resigned_to() const {
    if (!resign_ || std::abs(decided_) < 2 * resign_->moves) return std::nullopt;
    return decided_ > 0 ? chess::White : chess::Black;
}

bool EarlyEnd::is_drawn() const {
    return draw_ && quiet_ >= 2 * draw_->moves;
}

}  // namespace scholar::selfplay
