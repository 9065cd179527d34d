#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/lc0/lc0_message.hpp"

namespace scholar::nets::lc0 {

// Takes layers out of a message, with the sizes that those before them call for, and remembers the first
// trouble: behind it all layers are empty.
class LayerReader {
  public:
    const base::Status& status() const { return status_; }
    bool failed() const { return !status_.has_value(); }
    template <class... Args>
    void refuse(fmt::format_string<Args...> format, Args&&... args) {
        if (status_) status_ = base::fail(format, std::forward<Args>(args)...);
    }

    // So many numbers as there are.
    static std::size_t count(const MaybeLayer& layer);
    // All of them, of which there must be so many.
    std::vector<float> numbers(const std::string& name, const MaybeLayer& layer, std::size_t wanted);
    // With its batch norm folded in.
    ConvLayer convolution(const std::string& name, const Convolution& from, std::size_t outputs,
                          std::size_t inputs, std::size_t size);
    ConvLayer dense(const std::string& name, const MaybeLayer& weights, const MaybeLayer& biases,
                    std::size_t outputs, std::size_t inputs);
    // How many outputs a convolution has, by its weights: not 0.
    std::size_t outputs(const std::string& name, const Convolution& from, std::size_t inputs,
                        std::size_t size);

  private:
    base::Status status_;
};

}  // namespace scholar::nets::lc0
