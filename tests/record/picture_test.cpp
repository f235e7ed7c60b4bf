#include "nw/record/picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::record {
namespace {

/// The bytes that a text in base64 stands for.
std::string decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char digit : text) {
    if (digit == '=') break;
    group = group << 6U | static_cast<unsigned>(digits.find(digit));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(static_cast<unsigned char>(group >> bits));
  }
  return bytes;
}

TEST(DrawSheet, PutsImagesSideBySideAndClipsThem) {
  // Two lines of two images, 1 x 2 pixels each.
  const ImageSheet sheet{
      .lines = {Matrix({0.0, 1.0, 0.5, -3.0}, 2, 2), Matrix({1.0, 0.0, 7.0, 0.2}, 2, 2)},
      .shape = {1, 2, 1},
      .zoom = 3};
  const Picture picture = draw_sheet(sheet, "title", "caption");
  EXPECT_EQ(picture.width, 15U);
  EXPECT_EQ(picture.height, 9U);
  const std::string file = decoded(picture.png);
  const auto image =
      io::parse_points(std::as_bytes(std::span(file)), "sheet.png",
                       {.pixel_scale = io::PixelScale::byte, .tiles = {.width = 5, .height = 3}});
  EXPECT_EQ(image.image, (io::ImageShape{3, 5, 1}));
  EXPECT_THAT(image.values.values(), testing::ElementsAre(0, 255, 128, 128, 0, 128, 128, 128, 128,
                                                          128, 255, 0, 128, 255, 51));
}

TEST(DrawSheet, RefusesLinesThatDoNotFit) {
  const io::ImageShape shape{1, 2, 1};
  EXPECT_THROW((void)draw_sheet({.lines = {}, .shape = shape}, "", ""), InvalidArgument);
  EXPECT_THROW((void)draw_sheet({.lines = {Matrix(2, 3)}, .shape = shape}, "", ""),
               InvalidArgument);
  EXPECT_THROW((void)draw_sheet({.lines = {Matrix(2, 2), Matrix(1, 2)}, .shape = shape}, "", ""),
               InvalidArgument);
}

TEST(RunRecordPictures, HoldNothingButBase64) {
  RunRecord record;
  record.pictures = {{"sheet", "", 1, 1, "\"><script>"}};
  EXPECT_THROW(record.validate(), InvalidArgument);
}

}  // namespace
}  // namespace nw::record
