#include "nets/container/tensor_file.hpp"

#include <cstring>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

std::vector<std::byte> bytes_of(const std::string& header, const std::string& data) {
    std::vector<std::byte> out(8 + header.size() + data.size());
    const std::uint64_t size = header.size();
    std::memcpy(out.data(), &size, 8);
    std::memcpy(out.data() + 8, header.data(), header.size());
    std::memcpy(out.data() + 8 + header.size(), data.data(), data.size());
    return out;
}

TensorFile sample() {
    TensorFile file;
    file.metadata["name"] = "sample";
    const std::vector<float> weights{1, -2, 3.5F, 0, 5, 6};
    file.tensors["a"] = Tensor::from<float>(Dtype::F32, {2, 3}, weights);
    const std::vector<std::int16_t> small{7, -8};
    file.tensors["b"] = Tensor::from<std::int16_t>(Dtype::I16, {2}, small);
    return file;
}

std::string error_of(const std::vector<std::byte>& bytes) {
    const auto parsed = parse_tensors(bytes);
    return parsed ? "" : parsed.error().message;
}

// Written out by hand from the format's description: length, JSON header, data.
TEST(TensorFile, ReadsTheFormatAsPublished) {
    const std::string data("\x00\x00\x80\x3f\x00\x00\x00\x40", 8);  // 1.0F, 2.0F
    const auto file = parse_tensors(
        bytes_of(R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"k":"v"}})", data));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->metadata.at("k"), "v");
    const auto tensor = file->tensor("t", Dtype::F32, {2});
    ASSERT_TRUE(tensor);
    EXPECT_EQ((*tensor)->as<float>()[0], 1.0F);
    EXPECT_EQ((*tensor)->as<float>()[1], 2.0F);
}

TEST(TensorFile, ComesBackAsItWasWritten) {
    const TensorFile file = sample();
    const auto again = parse_tensors(serialise_tensors(file));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->metadata, file.metadata);
    ASSERT_EQ(again->tensors.size(), 2U);
    EXPECT_EQ(again->tensors.at("a").bytes, file.tensors.at("a").bytes);
    EXPECT_EQ(again->tensors.at("b").shape, file.tensors.at("b").shape);
    std::uint64_t header = 0;
    std::memcpy(&header, serialise_tensors(file).data(), 8);
    EXPECT_EQ(header % 8, 0U);  // the data are aligned
}

TEST(TensorFile, EveryTruncationIsRefused) {
    const auto bytes = serialise_tensors(sample());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(parse_tensors(std::span(bytes).first(size)))
            << "cut to " << size << " of " << bytes.size();
}

TEST(TensorFile, EveryFlippedBitOfTheDataIsNoticed) {
    const auto whole = serialise_tensors(sample());
    std::uint64_t header = 0;
    std::memcpy(&header, whole.data(), 8);
    for (std::size_t at = 8 + header; at < whole.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            auto bytes = whole;
            bytes[at] ^= std::byte{1} << bit;
            EXPECT_NE(error_of(bytes).find("damaged"), std::string::npos) << "byte " << at;
        }
    }
}

TEST(TensorFile, FlippedHeadersNeverHurt) {
    const auto whole = serialise_tensors(sample());
    base::Random random(1);
    for (int round = 0; round < 20'000; ++round) {
        auto bytes = whole;
        for (int flips = 0; flips < 3; ++flips)
            bytes[random.below(bytes.size())] ^= std::byte{1} << random.below(8);
        (void)parse_tensors(bytes);  // whatever it says, it must come back
    }
}

TEST(TensorFile, SaysWhatIsWrong) {
    EXPECT_NE(error_of(bytes_of("[]", "")).find("not a JSON object"), std::string::npos);
    EXPECT_NE(error_of(bytes_of(R"({"t":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", "12345678"))
                  .find("dtype F64"),
              std::string::npos);
    EXPECT_NE(error_of(bytes_of(R"({"t":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "12345678"))
                  .find("larger than the file"),
              std::string::npos);
    EXPECT_NE(error_of(bytes_of(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", "12345678"))
                  .find("8 bytes, expected 4"),
              std::string::npos);
    EXPECT_NE(error_of(bytes_of(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "12345678"))
                  .find("gap"),
              std::string::npos);
    EXPECT_NE(error_of(bytes_of(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "12345678"))
                  .find("accounts for 4"),
              std::string::npos);
    EXPECT_NE(
        error_of(bytes_of(R"({"t":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})",
                          "12345678"))
            .find("larger than the file"),
        std::string::npos);
    EXPECT_NE(error_of(bytes_of(R"({"t":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}})", "12345678"))
                  .find("not a whole number"),
              std::string::npos);
}

}  // namespace
}  // namespace scholar::nets
