#include "arena/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arena/child_process.hpp"
#include "arena/ladder.hpp"
#include "arena/roster.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;

// All that a shell would make no program's name of.
constexpr const char* kEmpty[]{"", " ", "\t \r\n", "''", "\"\"", "'' -x"};

TEST(Words, ACommandNamesAProgram) {
    for (const char* text : kEmpty)
        EXPECT_THAT(split_command(text).error().message, HasSubstr("names no program, expected one")) << text;
    EXPECT_EQ(split_command(" ' ' \"b c\"").value(), (std::vector<std::string>{" ", "b c"}));
    EXPECT_FALSE(split_command("a 'b"));
}

TEST(Words, AnEngineWithoutAProgramIsRefusedWhereverItComesFrom) {
    for (const std::string command : {" ", "''"}) {
        const auto ladder =
            parse_ladder("[ladder]\ntime_control = \"1\"\n[A]\ncommand = \"" + command + "\"\n", "my.toml");
        ASSERT_FALSE(ladder);
        EXPECT_THAT(ladder.error().message, HasSubstr("my.toml: line 4: 'command' in [A]"));
    }
    for (const std::vector<std::string>& command : {std::vector<std::string>{}, {""}}) {
        EXPECT_EQ(find_program(command).error().message, "the command is empty, expected a program");
        EXPECT_FALSE(ChildProcess::start(command, ""));
        LadderPlayer player;
        player.config.command = command;
        EXPECT_FALSE(find_player({}, player, {}));
        for (const auto protocol : {Protocol::Uci, Protocol::Xboard}) {
            player.config.protocol = protocol;
            EXPECT_FALSE(start_player(player.config, {}));
        }
    }
}

}  // namespace
}  // namespace scholar::arena
