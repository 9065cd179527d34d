#include "arena/journal.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

const Journal::Kind kKind{.format = "scholar test state 1", .noun = "test"};
const Json kIdentity{{"seed", 7}, {"name", "one"}};

class Journals : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string text(const std::string& name) const {
        std::ifstream input(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(input), {}};
    }
    void put(const std::string& name, const std::string& text) const {
        std::ofstream(file(name), std::ios::binary) << text;
    }
    base::Result<Journal> open(const Json& identity = kIdentity) const {
        return Journal::open(file("state"), kKind, identity, {file("a"), "", file("b")});
    }
    // The steps from `begin` before `end`, each with a text that only it has.
    static void go_on(Journal& journal, int begin, int end) {
        for (int step = begin; step < end; ++step) {
            const std::string word = fmt::format("step {}\n", step);
            const auto status =
                journal.append({{"step", step}}, {word, "nowhere", step % 2 == 0 ? "" : word + word});
            ASSERT_TRUE(status) << status.error().message;
        }
    }
    std::string error(const Json& identity = kIdentity) const {
        const auto opened = open(identity);
        return opened ? "" : opened.error().message;
    }

    tests::TemporaryFolder folder_;
};

// What is written to which file, in order, when four steps are done after what was there before.
struct Written {
    std::string file;
    std::string text;
};

TEST_F(Journals, KilledAtAnyByteGoOnAsIfNothingHadBeen) {
    constexpr int kSteps = 4;
    put("a", "before\n");
    std::vector<Written> order;
    {
        std::map<std::string, std::size_t> sizes{{"a", 7}};
        const auto look = [&](const std::string& name) {
            const std::string now = text(name);
            if (now.size() > sizes[name]) order.push_back({name, now.substr(sizes[name])});
            sizes[name] = now.size();
        };
        auto journal = open();
        ASSERT_TRUE(journal) << journal.error().message;
        look("state");
        for (int step = 0; step < kSteps; ++step) {
            const auto before = sizes["state"];
            go_on(*journal, step, step + 1);
            // Of a step's two lines the first is written before the outputs, the second after them.
            const std::string lines = text("state").substr(before);
            const auto first = lines.find('\n') + 1;
            order.push_back({"state", lines.substr(0, first)});
            look("a");
            look("b");
            order.push_back({"state", lines.substr(first)});
            sizes["state"] = before + lines.size();
        }
    }
    const std::string state = text("state"), a = text("a"), b = text("b");
    ASSERT_THAT(a, HasSubstr("before\nstep 0\nstep 1\n"));

    std::size_t total = 0;
    for (const auto& written : order) total += written.text.size();
    for (std::size_t killed_at = 0; killed_at <= total; ++killed_at) {
        std::map<std::string, std::string> files{{"a", "before\n"}};
        std::size_t left = killed_at;
        int records = 0;
        for (const auto& written : order) {
            const auto part = std::min(left, written.text.size());
            files[written.file] += written.text.substr(0, part);
            left -= part;
            records += part == written.text.size() && written.text.starts_with("{\"step\"") ? 1 : 0;
        }
        for (const auto* name : {"state", "a", "b"}) put(name, files[name]);
        {
            auto journal = open();
            ASSERT_TRUE(journal) << killed_at << ": " << journal.error().message;
            ASSERT_EQ(journal->records().size(), static_cast<std::size_t>(records)) << killed_at;
            ASSERT_EQ(text("a"), a.substr(0, journal->size(0))) << killed_at;
            ASSERT_EQ(std::ranges::count(text("a"), '\n'), 1 + records) << killed_at;
            go_on(*journal, records, kSteps);
        }
        ASSERT_EQ(text("state"), state) << killed_at;
        ASSERT_EQ(text("a"), a) << killed_at;
        ASSERT_EQ(text("b"), b) << killed_at;
    }
}

TEST_F(Journals, NobodyElsesTextIsCutOff) {
    {
        auto journal = open();
        ASSERT_TRUE(journal);
        go_on(*journal, 0, 2);
    }
    // Between two runs: it stays, and what comes is behind it.
    std::ofstream(file("a"), std::ios::app) << "theirs\n";
    {
        auto journal = open();
        ASSERT_TRUE(journal) << journal.error().message;
        EXPECT_THAT(text("a"), HasSubstr("theirs\n"));
        go_on(*journal, 2, 3);
    }
    EXPECT_EQ(text("a"), "step 0\nstep 1\ntheirs\nstep 2\n");
    // During a step, which cannot be told from its own.
    const std::string state = text("state");
    put("state", state.substr(0, state.rfind("{\"step\"")));
    std::ofstream(file("a"), std::ios::app) << "more of theirs\n";
    const std::string before = text("a");
    EXPECT_THAT(error(), HasSubstr("something else has been written to it"));
    EXPECT_EQ(text("a"), before);
    put("a", "step 0\n");
    EXPECT_THAT(error(), HasSubstr("has 7 bytes, expected at least the 21 that were written before"));
}

TEST_F(Journals, RefuseWhatIsNotTheirs) {
    // Without a record any work of the kind may have the file.
    ASSERT_TRUE(open({{"seed", 8}, {"name", "two"}}));
    {
        auto journal = open();
        ASSERT_TRUE(journal) << journal.error().message;
        EXPECT_THAT(error(), HasSubstr("state: another program is writing it"));
        go_on(*journal, 0, 1);
    }
    const std::string state = text("state"), a = text("a");
    EXPECT_EQ(error({{"seed", 8}, {"name", "two"}}),
              file("state") +
                  ": is the state of another test: seed is 7 there and 8 here; name is \"one\" "
                  "there and \"two\" here");
    for (const std::string bad :
         {"{}\n", "no JSON\n", "[]\n", "{\"format\":\"scholar test state 2\"}\n", "x"}) {
        put("state", bad);
        EXPECT_THAT(error(), HasSubstr("is not the state of a test of this version")) << bad;
        EXPECT_EQ(text("state"), bad);
    }
    const std::string head = state.substr(0, state.find('\n') + 1);
    for (const std::string line : {"{}", "[]", "nonsense", "{\"writes\":[1]}", "{\"outputs\":[1,0]}",
                                   "{\"outputs\":[1,0,-1]}", "{\"writes\":[1,0,1],\"from\":1}"}) {
        put("state", head + line + "\n" + state.substr(head.size()));
        EXPECT_THAT(error(), HasSubstr("state: line 2: ")) << line;
        EXPECT_EQ(text("a"), a);
    }
}

TEST_F(Journals, LeaveNoStateBehindThatCouldNotBegin) {
    const auto opened = Journal::open(file("state"), kKind, kIdentity, {file("no-such-folder/a")});
    ASSERT_FALSE(opened);
    EXPECT_FALSE(std::filesystem::exists(file("state")));
}

TEST_F(Journals, WhatIsNotUtf8IsReplacedAndRecognised) {
    const Json identity{{"name", "caf\xe9"}};
    {
        auto journal = open(identity);
        ASSERT_TRUE(journal);
        ASSERT_TRUE(journal->append({{"caf\xe9", "\xff"}}, {"\xff", "", ""}));
    }
    EXPECT_EQ(text("a"), "\xff");
    const auto again = open(identity);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->records().size(), 1U);
}

// Showing how another one differs ended the program.
TEST_F(Journals, RefuseAnothersNameThatIsNotUtf8) {
    {
        auto journal = open({{"name", "caf\xe9"}});
        ASSERT_TRUE(journal);
        go_on(*journal, 0, 1);
    }
    EXPECT_THAT(error({{"name", "th\xe9"}}), HasSubstr("name is \"caf\uFFFD\" there and \"th\uFFFD\" here"));
}

}  // namespace
}  // namespace scholar::arena
