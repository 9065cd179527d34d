#include "scripted_programs.hpp"

// In a source of its own, so that no other one depends on where the build is.
std::string scholar::arena::scripted_engine() {
    return SCRIPTED_ENGINE;
}

std::string scholar::arena::scripted_xboard() {
    return SCRIPTED_XBOARD;
}
