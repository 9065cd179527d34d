#pragma once

#include <sys/types.h>

#include "base/error.hpp"

namespace scholar::arena {

// A process group for programs that we start, which ends with us however we end, by a SIGKILL too: an engine
// behind a shell script is the script's child, and nothing else would end it. The group's leader is a shell
// that waits for the end of a pipe whose other end we alone have, and then kills the group. So the group's
// number stays ours until we let go of it.
// What it cannot reach: a program that leaves its group, as a daemon does, and one whose guard was itself
// killed before us.
class ProcessGroup {
  public:
    static base::Result<ProcessGroup> start();
    ProcessGroup(ProcessGroup&& other) noexcept;
    ProcessGroup& operator=(ProcessGroup&&) = delete;
    // Kills whatever is in it.
    ~ProcessGroup();

    // For setpgid().
    pid_t id() const { return leader_; }
    // To all in it; the leader minds only SIGKILL.
    void signal(int signal);

  private:
    ProcessGroup(pid_t leader, int lifeline) : leader_(leader), lifeline_(lifeline) {}

    pid_t leader_;
    int lifeline_;
};

}  // namespace scholar::arena
