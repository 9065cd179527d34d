#include "protocols/session.hpp"

#include <istream>
#include <string>

#include "base/text.hpp"
#include "protocols/uci.hpp"
#include "protocols/words.hpp"
#include "protocols/xboard.hpp"

namespace scholar::protocols {

void run_session(engine::Engine& engine, std::istream& in, std::ostream& out) {
    std::string line;
    while (std::getline(in, line)) {
        const Words words = base::split_words(line);
        if (words.empty()) continue;
        if (words.front() == "xboard") return run_xboard(engine, in, out, line);
        return run_uci(engine, in, out, line);
    }
}

}  // namespace scholar::protocols
