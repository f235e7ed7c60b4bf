// The safetensors format against NumPy in both directions, and against files that lie.
#include "nw/io/safetensors.hpp"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using test::io_error;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string file_with(const std::string& header, const std::string& data = {}) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) {
    bytes += static_cast<char>((header.size() >> shift) & 255);
  }
  return bytes + header + data;
}

TensorFile parse_bytes(const std::string& bytes, const SafetensorsOptions& options = {}) {
  return parse_safetensors(std::as_bytes(std::span(bytes)), "f", options);
}

std::string error_of(const std::string& header, const std::string& data = {}) {
  return io_error([&] { static_cast<void>(parse_bytes(file_with(header, data))); });
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

int run_peer(const std::string& task, const std::filesystem::path& path) {
  const std::string command =
      std::string(NW_TEST_PYTHON) + " -B " + NW_SAFETENSORS_PEER + " " + task + " " + path.string();
  return std::system(command.c_str());
}

TEST(Safetensors, FilesOfNumpyAreReadWithEveryTypeShapeAndText) {
  const test::TemporaryFolder folder;
  if (run_peer("write", folder.path()) != 0) GTEST_SKIP() << "no Python with NumPy";
  const TensorFile file = read_safetensors(folder.file("numpy.safetensors"));
  const std::string raw = test::content_of_file(folder.file("numpy.truth"));
  std::vector<double> truth(raw.size() / sizeof(double));
  std::memcpy(truth.data(), raw.data(), raw.size());
  std::vector<double> found;
  for (const Tensor& tensor : file.tensors) {
    const auto values = tensor.to_doubles();
    found.insert(found.end(), values.begin(), values.end());
  }
  EXPECT_EQ(found, truth);
  EXPECT_EQ(file.metadata, (TensorMetadata{{"note", "line\nbreak \"quoted\""}, {"é", "ü"}}));
  ASSERT_NE(file.find("größe / 1"), nullptr);
  EXPECT_TRUE(file.find("größe / 1")->shape.empty());
  EXPECT_EQ(file.find("none")->shape, (std::vector<std::uint64_t>{0, 7}));
}

TEST(Safetensors, NumpyReadsWhatWasWritten) {
  std::vector<double> ramp(12);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i) / 7.0;
  const std::vector<float> single = {-1.5F, 2.0F};
  const std::vector<std::int64_t> count = {std::int64_t{1} << 62, -5};
  const std::vector<std::uint8_t> byte = {1, 2, 255}, yes = {1, 0};
  const std::vector<std::uint16_t> half = {0x3c00, 0xc000};
  const std::vector<TensorView> tensors = {
      view_tensor("byte", std::span<const std::uint8_t>(byte)),
      {"yes", TensorType::boolean, {2}, std::as_bytes(std::span(yes))},
      {"half", TensorType::f16, {2}, std::as_bytes(std::span(half))},
      view_tensor("single", std::span<const float>(single)),
      view_tensor("ramp", std::span<const double>(ramp), {3, 4}),
      view_tensor("empty", std::span<const double>(), {0, 2}),
      view_tensor("count", std::span<const std::int64_t>(count))};
  const test::TemporaryFolder folder;
  const auto file = folder.file("w.safetensors");
  write_safetensors(file, tensors, {{"step", "12"}, {"state", R"({"a": "b"})"}});
  EXPECT_EQ(run_peer("check", file), 0);

  const TensorFile again = read_safetensors(file);
  EXPECT_EQ(again.find("ramp")->values<double>(), ramp);
  EXPECT_EQ(again.find("count")->values<std::int64_t>(), count);
  EXPECT_EQ(again.find("half")->to_doubles(), (std::vector<double>{1.0, -2.0}));
  EXPECT_THROW(static_cast<void>(again.find("ramp")->values<float>()), InvalidArgument);
  EXPECT_EQ(again.find("absent"), nullptr);
}

TEST(Safetensors, BrainFloatsKeepTheirSignExponentAndSevenBits) {
  const std::vector<std::uint16_t> bits = {0x3f80, 0xc049, 0x7f80};
  const Tensor tensor{"b", TensorType::bf16, {3}, {}};
  Tensor filled = tensor;
  const auto raw = std::as_bytes(std::span(bits));
  filled.bytes.assign(raw.begin(), raw.end());
  const auto values = filled.to_doubles();
  EXPECT_EQ(values[0], 1.0);
  EXPECT_EQ(values[1], -3.140625);
  EXPECT_TRUE(std::isinf(values[2]));
}

TEST(Safetensors, DataAreAlignedToTheirElements) {
  const std::vector<std::uint8_t> odd = {1, 2, 3};
  const std::vector<double> wide = {1.0, 2.0};
  const std::vector<TensorView> tensors = {view_tensor("odd", std::span<const std::uint8_t>(odd)),
                                           view_tensor("wide", std::span<const double>(wide))};
  EXPECT_EQ(safetensors_header(tensors).size() % 8, 0U);
  EXPECT_EQ(safetensors_order(tensors).front().name, "wide");
}

TEST(Safetensors, LiesAboutSizesAreRefusedBeforeMemoryIsTaken) {
  EXPECT_THAT(
      error_of(R"({"t":)" + entry("F64", "[1000000000,1000000000]", "[0,8]") + "}", "12345678"),
      AllOf(HasSubstr("tensor \"t\""), HasSubstr("8000000000000000000 bytes"),
            HasSubstr("span 8")));
  EXPECT_THAT(
      error_of(R"({"t":)" + entry("F64", "[18446744073709551615,3]", "[0,8]") + "}", "12345678"),
      HasSubstr("more elements than can be addressed"));
  EXPECT_THAT(error_of(R"({"t":)" + entry("U8", "[9]", "[0,9]") + "}", "12345678"),
              AllOf(HasSubstr("[0, 9]"), HasSubstr("8 bytes of data follow")));
  EXPECT_THAT(error_of(R"({"t":)" + entry("U8", "[2]", "[2,0]") + "}", "12"), HasSubstr("[2, 0]"));
  EXPECT_THAT(io_error([] { static_cast<void>(parse_bytes(std::string(8, '\xff'))); }),
              HasSubstr("claims a header of 18446744073709551615 bytes"));
  EXPECT_THAT(io_error([] {
                static_cast<void>(parse_bytes(file_with(R"({} )"), {.max_header_bytes = 2}));
              }),
              HasSubstr("header of 3 bytes; at most 2"));
}

TEST(Safetensors, TensorsThatOverlapOrLeaveHolesAreRefused) {
  const std::string a = R"({"a":)" + entry("U8", "[2]", "[0,2]");
  EXPECT_THAT(error_of(a + R"(,"b":)" + entry("U8", "[2]", "[1,3]") + "}", "abc"),
              AllOf(HasSubstr("\"b\""), HasSubstr("overlap")));
  EXPECT_THAT(error_of(a + R"(,"b":)" + entry("U8", "[1]", "[3,4]") + "}", "abcd"),
              HasSubstr("hole"));
  EXPECT_THAT(error_of(a + "}", "abcd"), HasSubstr("2 bytes at the end belong to no tensor"));
}

TEST(Safetensors, NamesThatOccurTwiceAreRefused) {
  const std::string one = entry("U8", "[0]", "[0,0]");
  EXPECT_THAT(error_of(R"({"a":)" + one + R"(,"a":)" + one + "}"),
              HasSubstr("holds the name \"a\" twice"));
  EXPECT_THAT(error_of(R"({"__metadata__":{"k":"1","k":"2"}})"), HasSubstr("\"k\" twice"));
  const std::vector<TensorView> twice(2, {"t", TensorType::u8, {0}, {}});
  EXPECT_THROW(static_cast<void>(safetensors_header(twice)), InvalidArgument);
}

TEST(Safetensors, MessagesNameFilePlaceAndValue) {
  EXPECT_THAT(io_error([] { static_cast<void>(parse_bytes("abc")); }),
              StartsWith("f: has 3 bytes"));
  EXPECT_THAT(error_of(R"(["a"])"), HasSubstr("byte 8: the header starts with"));
  EXPECT_THAT(error_of(R"({"a":tru})"), HasSubstr("not JSON at byte 1"));
  EXPECT_THAT(error_of(R"({"a":)" + entry("F8_E4M3", "[0]", "[0,0]") + "}"), HasSubstr("F8_E4M3"));
  EXPECT_THAT(error_of(R"({"a":)" + entry("U8", "[-1]", "[0,0]") + "}"), HasSubstr("shape holds"));
  EXPECT_THAT(error_of(R"({"a":)" + entry("U8", "[0]", "[0]") + "}"), HasSubstr("1 numbers"));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"U8"}})"), HasSubstr("has no shape"));
  EXPECT_THAT(error_of(R"({"a":7})"), HasSubstr("is not an object"));
  EXPECT_THAT(error_of(R"({"__metadata__":{"k":3}})"), HasSubstr("__metadata__.k"));
  EXPECT_THAT(error_of(R"({"a":[[[[[]]]]]})"), HasSubstr("nested deeper"));
  EXPECT_THAT(io_error([] { static_cast<void>(read_safetensors("absent.safetensors")); }),
              HasSubstr("absent.safetensors: no such file"));
}

TEST(Safetensors, AFileCutAnywhereIsRefused) {
  const std::vector<double> values = {1.0, 2.0};
  const std::vector<TensorView> tensors = {view_tensor("v", std::span<const double>(values))};
  std::string bytes = safetensors_header(tensors, {{"k", "v"}});
  bytes.append(reinterpret_cast<const char*>(values.data()), 16);
  ASSERT_EQ(parse_bytes(bytes).tensors.size(), 1U);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(static_cast<void>(parse_bytes(bytes.substr(0, length))), IoError) << length;
  }
}

TEST(Safetensors, ManyTensorsTakeLinearTime) {
  // Ten times the tensors in a quadratic reader would take a hundred times as long; here they are
  // so many that such a reader would not end within the test's time.
  std::vector<TensorView> tensors;
  for (int i = 0; i < 100000; ++i) {
    tensors.push_back({"tensor-" + std::to_string(i), TensorType::u8, {0}, {}});
  }
  EXPECT_EQ(parse_bytes(safetensors_header(tensors)).tensors.size(), tensors.size());
}

TEST(Safetensors, WritingRefusesShapesThatDoNotFitAndTextThatIsNoUtf8) {
  const std::vector<double> values = {1.0, 2.0};
  EXPECT_THROW(static_cast<void>(safetensors_header(
                   std::vector{view_tensor("v", std::span<const double>(values), {3})})),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(safetensors_header({}, {{"k", "\xff"}})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(safetensors_header(
                   std::vector{view_tensor("__metadata__", std::span<const double>(values))})),
               InvalidArgument);
}

}  // namespace
}  // namespace nw::io
