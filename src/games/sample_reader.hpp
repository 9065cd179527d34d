#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/streams.hpp"
#include "games/game.hpp"
#include "games/sample_writer.hpp"

// Positions with a score and a result as other programs' trainers keep them: the formats Text and Bullet of
// games/sample_writer.hpp. Each becomes a game without moves (games/game.hpp), whose one evaluation is of its
// position.

namespace scholar::games {

// "FEN | score | result": the score in White's centipawns, beyond ±31,000 a mate as sample_writer.hpp has it;
// the result White's: 1.0, 0.5 or 0.0, also as 1, 0, in brackets, or as PGN writes it.
base::Result<Game> parse_sample_line(std::string_view line);

constexpr std::size_t kBulletRecord = 32;  // bytes
// White is to move in it, whoever was, and nobody may castle: a record does not say.
base::Result<Game> parse_bullet_record(std::span<const char, kBulletRecord> record);

// What stands in such a file, packed or not (base/streams.hpp), in its order.
class SampleReader {
  public:
    struct Item {
        std::uint64_t number = 0;  // line or record, from 1
        base::Result<Game> game;   // or what is wrong with it
    };
    // `format`: a readable one.
    static base::Result<SampleReader> open(const std::string& path, SampleFormat format,
                                           std::stop_token stop = {});

    // Nothing at the end; empty lines are passed over. An error if the file cannot be read any further.
    base::Result<std::optional<Item>> next();

  private:
    SampleReader(std::unique_ptr<base::InputStream> input, SampleFormat format)
        : input_(std::move(input)), format_(format) {}

    // Up to the next line's end, or of the next record.
    struct Taken {
        std::string_view bytes;
        bool is_broken = false;  // a record without its end; a line of which this is but the end
    };
    // Nothing at the end of the file.
    base::Result<std::optional<Taken>> take();
    // False at the end.
    base::Result<bool> fill();

    std::unique_ptr<base::InputStream> input_;
    SampleFormat format_;
    std::string bytes_;  // read and not yet passed over, from at_ on
    std::size_t at_ = 0;
    std::uint64_t number_ = 0;
};

}  // namespace scholar::games
