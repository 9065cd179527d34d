#pragma once

#include <string>

namespace scholar::arena {

// The programs that play an engine in these tests (scripted_engine.cpp, scripted_xboard.cpp): their paths.
std::string scripted_engine();
std::string scripted_xboard();

}  // namespace scholar::arena
