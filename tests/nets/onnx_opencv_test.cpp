// ONNX models worked out by OpenCV against what the engine says, on positions of masters' games.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#if __has_include(<opencv2/dnn.hpp>)
#include <opencv2/dnn.hpp>

#include "nets/onnx/onnx_file.hpp"
#include "onnx_networks.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

using tests::EngineOutputs;

struct Difference {
    double largest = 0;
    std::size_t numbers = 0;  // that were compared
};

// Of any output from what the engine says, asked for `batch` positions at a time.
Difference compare(const OnnxModel& model, const std::string& file, const EngineOutputs& engine,
                   std::size_t positions, std::size_t batch) {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(file.data(), file.size());
    net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
    std::vector<cv::String> names;
    for (const OnnxTensor& output : model.outputs()) names.push_back(output.name);
    EXPECT_EQ(names.size(), engine.outputs.size());
    const std::size_t each = engine.inputs.size() / positions;
    Difference difference;
    for (std::size_t first = 0; first < positions; first += batch) {
        const std::size_t count = std::min(batch, positions - first);
        std::vector<int> extents{static_cast<int>(count)};
        for (const std::int64_t extent : model.inputs().front().extents)
            extents.push_back(static_cast<int>(extent));
        std::vector<float> inputs(
            engine.inputs.begin() + static_cast<std::ptrdiff_t>(first * each),
            engine.inputs.begin() + static_cast<std::ptrdiff_t>((first + count) * each));
        net.setInput(cv::Mat(extents, CV_32F, inputs.data()), model.inputs().front().name);
        std::vector<cv::Mat> outputs;
        net.forward(outputs, names);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::vector<float>& wanted = engine.outputs.at(names[i]);
            const std::size_t size = wanted.size() / positions;
            EXPECT_EQ(outputs.at(i).total(), size * count) << names[i];
            if (outputs[i].total() != size * count) return difference;
            const auto* const found = outputs[i].ptr<float>();
            for (std::size_t j = 0; j < size * count; ++j) {
                const double expected = wanted[first * size + j];
                if (std::isnan(expected)) continue;  // a plane of no move
                const double off = std::abs(found[j] - expected);
                difference.largest = std::max(difference.largest, std::isnan(off) ? 1e30 : off);
                ++difference.numbers;
            }
        }
    }
    return difference;
}

TEST(OnnxInOpenCv, SaysWhatTheEngineSays) {
    cv::setNumThreads(1);
    const std::size_t count = tests::kSanitized ? 20U : 300U;
    const auto lines = tests::positions_of_games(count);
    for (const auto& [name, network] : tests::onnx_networks()) {
        SCOPED_TRACE(name);
        const auto model = to_onnx(network);
        ASSERT_TRUE(model) << model.error().message;
        const auto file = model->file();
        ASSERT_TRUE(file) << file.error().message;
        const EngineOutputs engine = tests::ask_engine(network, lines);
        for (const std::size_t batch : {1U, 7U}) {
            try {
                const Difference difference = compare(*model, *file, engine, count, batch);
                EXPECT_GE(difference.numbers, count);
                EXPECT_LE(difference.largest, 1e-4) << "in batches of " << batch;
            } catch (const cv::Exception& error) {
                ADD_FAILURE() << "in batches of " << batch << ": " << error.what();
            }
        }
    }
}

}  // namespace
}  // namespace scholar::nets

#else

TEST(OnnxInOpenCv, SaysWhatTheEngineSays) {
    GTEST_SKIP() << "no OpenCV: install libopencv-dnn-dev to run this test";
}

#endif
