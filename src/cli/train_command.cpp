#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <vector>

#include "base/program.hpp"
#include "cli/commands.hpp"

namespace scholar::cli {

namespace {

constexpr const char* kTrainer = "scholar-train";

// The trainer is a program of its own, beside this one: only it needs libtorch. This process becomes it.
base::Status become_trainer(const char* subcommand, const std::vector<std::string>& arguments) {
    const auto self = base::program_command();
    if (!self) return std::unexpected(self.error());
    const auto trainer = std::filesystem::path(*self).parent_path() / kTrainer;
    if (!std::filesystem::exists(trainer))
        return base::fail("{} is not beside {}; it is built unless SCHOLAR_LEARNING is off", kTrainer, *self);
    std::vector<std::string> words{trainer.string(), subcommand};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(trainer.c_str(), argv.data());
    return base::fail("{}: cannot start: {}", trainer.string(), std::strerror(errno));
}

// Everything behind the subcommand is the trainer's.
void add(Command app, Invocation& invocation, const char* name, const char* description) {
    const Command command = app.add_subcommand(name, description);
    command.prefix_command();
    command.remove_help_flag();
    command.callback([&invocation, command, name] {
        invocation.become = [name, arguments = command.remaining()] {
            return become_trainer(name, arguments);
        };
    });
}

}  // namespace

void add_train_commands(Command app, Invocation& invocation) {
    add(app, invocation, "learn",
        "Learn chess by playing against oneself; 'scholar learn --help' lists the options");
    add(app, invocation, "train",
        "Train a network as a recipe says; 'scholar train --help' lists the options");
    add(app, invocation, "reproduce",
        "Repeat the experiments of a paper; 'scholar reproduce --help' lists them");
}

}  // namespace scholar::cli
