#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "protocols/ics_client.hpp"

namespace scholar::cli {

// What a command line says of a chess server: where it is, who logs in, whom to play.
struct IcsSettings {
    std::string host;
    int port = 5'000;
    bool timeseal = false;
    std::string name;
    std::string password_file;
    bool guest = false;
    std::vector<std::string> seeks;
    bool rated = false;
    bool unrated = false;
    std::optional<int> least_rating;
    std::optional<int> most_rating;
    std::vector<std::string> refused;
    bool no_challenges = false;
    std::string fastest = "1 0";
    std::string slowest = "15 10";
    int most_in_a_row = 0;
    std::string on_interrupt = "finish";
    bool no_resume = false;
    std::string transcript;
};

// Adds the options that fill it; that of the host, under the name given, all others need.
void add_ics_settings(Command command, IcsSettings& settings, const std::string& host_option);

// `games`: to be played to a result before logging out; 0: until told to stop. Refused: what contradicts
// itself, times that cannot be read, a password that others may read.
base::Result<protocols::ics::ClientSettings> client_settings(const IcsSettings& settings, int games);

}  // namespace scholar::cli
