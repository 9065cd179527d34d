#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "arena/match_output.hpp"
#include "protocols/ics_client.hpp"

namespace scholar::cli {

// What `scholar ics` tells and keeps of its games: a line on standard output for each (with `json` an
// object), what else happens on standard error, and the games that have ended in a PGN file.
class IcsReport final : public protocols::ics::ClientObserver {
  public:
    // `pgn`: "" for none. Fails if it cannot be written.
    static base::Result<IcsReport> create(const std::string& pgn, bool json);

    void game_starts(const engine::GameHeader& header) override;
    base::Status game_over(const engine::PlayedGame& game) override;
    void note(std::string_view what) override;
    // Of all games; nothing with `json`.
    void print_summary() const;

  private:
    std::string score() const;

    std::optional<arena::LineAppender> pgn_;
    bool json_ = false;
    int wins_ = 0;
    int draws_ = 0;
    int losses_ = 0;
};

}  // namespace scholar::cli
