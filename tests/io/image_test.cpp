// Images against bytes that libpng and libjpeg wrote, and against a decoder written here for the
// simplest PNGs.
#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#include "nw/base/rng.hpp"
#include "nw/io/image_sheet.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using test::parse_error;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Image {
  std::size_t width, height, channels;
  std::vector<unsigned char> pixels;
};

Image random_image(std::size_t width, std::size_t height, std::size_t channels,
                   std::uint64_t seed) {
  Rng rng(seed);
  Image image{width, height, channels, std::vector<unsigned char>(width * height * channels)};
  for (auto& value : image.pixels) value = static_cast<unsigned char>(rng.below(256));
  return image;
}

/// A smooth image survives JPEG nearly unchanged.
Image smooth_image(std::size_t width, std::size_t height, std::size_t channels) {
  Image image{width, height, channels, {}};
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < channels; ++c) {
        image.pixels.push_back(static_cast<unsigned char>(40 + 2 * x + 3 * y + 10 * c));
      }
    }
  }
  return image;
}

std::string png_of(const Image& image) {
  png_image description{};
  description.version = PNG_IMAGE_VERSION;
  description.width = static_cast<png_uint_32>(image.width);
  description.height = static_cast<png_uint_32>(image.height);
  description.format = image.channels == 1   ? PNG_FORMAT_GRAY
                       : image.channels == 3 ? PNG_FORMAT_RGB
                                             : PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&description, nullptr, &size, 0, image.pixels.data(), 0, nullptr);
  std::string bytes(size, '\0');
  png_image_write_to_memory(&description, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr);
  bytes.resize(size);
  return bytes;
}

std::string jpeg_of(const Image& image, bool progressive = false) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &buffer, &size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width);
  jpeg.image_height = static_cast<JDIMENSION>(image.height);
  jpeg.input_components = static_cast<int>(image.channels);
  jpeg.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  if (progressive) jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    const auto* row = image.pixels.data() + jpeg.next_scanline * image.width * image.channels;
    auto* unchanged = const_cast<unsigned char*>(row);
    jpeg_write_scanlines(&jpeg, &unchanged, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  std::string bytes(reinterpret_cast<char*>(buffer), size);
  std::free(buffer);
  return bytes;
}

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string checked = type + data;
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + checked +
         big_endian(static_cast<std::uint32_t>(crc));
}

/// A PNG put together by hand, so that any depth, colour type and lie can be written.
std::string handmade_png(std::uint32_t width, std::uint32_t height, int depth, int colour_type,
                         const std::string& lines, const std::string& more_chunks = {}) {
  std::string packed(compressBound(lines.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(lines.data()), lines.size());
  packed.resize(size);
  const std::string header = big_endian(width) + big_endian(height) + static_cast<char>(depth) +
                             static_cast<char>(colour_type) + std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + more_chunks + chunk("IDAT", packed) +
         chunk("IEND", "");
}

PointSet whole_image(const std::string& bytes, std::size_t width, std::size_t height,
                     LoadOptions options = {}) {
  options.tiles = {.width = width, .height = height};
  return test::parse(bytes, options, "image");
}

TEST(Png, PixelsComeBackExactly) {
  for (const std::size_t channels : {1u, 3u}) {
    const Image image = random_image(9, 5, channels, channels);
    const PointSet bytes = whole_image(png_of(image), 9, 5, {.pixel_scale = PixelScale::byte});
    ASSERT_EQ(bytes.dimension(), image.pixels.size());
    EXPECT_EQ(bytes.image, (ImageShape{5, 9, channels}));
    const PointSet unit = whole_image(png_of(image), 9, 5);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      ASSERT_EQ(bytes.values(0, i), image.pixels[i]);
      ASSERT_EQ(unit.values(0, i), image.pixels[i] / 255.0);
    }
  }
}

TEST(Png, TransparencyIsDropped) {
  const Image image{2, 1, 4, {10, 20, 30, 255, 40, 50, 60, 255}};
  EXPECT_THAT(whole_image(png_of(image), 2, 1, {.pixel_scale = PixelScale::byte}).values.values(),
              ElementsAre(10, 20, 30, 40, 50, 60));
}

TEST(Png, FewBitsPalettesAndSixteenBitsBecomeBytes) {
  const LoadOptions bytes{.pixel_scale = PixelScale::byte};
  const std::string one_bit("\0\xa0", 2);  // filter 0, bits 101
  EXPECT_THAT(whole_image(handmade_png(3, 1, 1, 0, one_bit), 3, 1, bytes).values.values(),
              ElementsAre(255, 0, 255));
  const std::string sixteen("\0\xff\xff\x80\x80\x00\x01", 7);
  EXPECT_THAT(whole_image(handmade_png(3, 1, 16, 0, sixteen), 3, 1, bytes).values.values(),
              ElementsAre(255, 128, 0));
  const std::string indices("\0\1\0", 3);
  const std::string palette = chunk("PLTE", {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(whole_image(handmade_png(2, 1, 8, 3, indices, palette), 2, 1, bytes).values.values(),
              ElementsAre(4, 5, 6, 1, 2, 3));
}

TEST(Png, GammaIsNotApplied) {
  const std::string line("\0\x40\x80", 3);
  const std::string gamma = chunk("gAMA", big_endian(100000));
  EXPECT_THAT(
      whole_image(handmade_png(2, 1, 8, 0, line, gamma), 2, 1, {.pixel_scale = PixelScale::byte})
          .values.values(),
      ElementsAre(0x40, 0x80));
}

TEST(Png, DamagedTruncatedAndBoastfulFilesAreRefused) {
  const LoadOptions tiles{.tiles = {.width = 9, .height = 5}};
  const std::string whole = png_of(random_image(9, 5, 3, 1));
  for (std::size_t size = 8; size < whole.size(); size += 5) {
    EXPECT_THAT(parse_error(whole.substr(0, size), tiles, "a.png"), HasSubstr("broken PNG"))
        << size;
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  EXPECT_THAT(parse_error(damaged, tiles, "a.png"), HasSubstr("broken PNG near byte"));
  EXPECT_THAT(
      parse_error(handmade_png(1000000, 1000000, 8, 2, std::string(100, '\0')), tiles, "a.png"),
      HasSubstr("claims more pixels than the file can hold"));
}

TEST(Jpeg, SmoothImagesComeBackNearlyExactly) {
  for (const bool progressive : {false, true}) {
    for (const std::size_t channels : {1u, 3u}) {
      const Image image = smooth_image(24, 16, channels);
      const PointSet points =
          whole_image(jpeg_of(image, progressive), 24, 16, {.pixel_scale = PixelScale::byte});
      ASSERT_EQ(points.image, (ImageShape{16, 24, channels}));
      for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        ASSERT_NEAR(points.values(0, i), image.pixels[i], 3.0);
      }
    }
  }
}

TEST(Jpeg, TruncatedAndBoastfulFilesAreRefusedRatherThanPatched) {
  const LoadOptions tiles{.tiles = {.width = 24, .height = 16}};
  for (const bool progressive : {false, true}) {
    const std::string whole = jpeg_of(smooth_image(24, 16, 3), progressive);
    for (std::size_t size = 3; size + 2 < whole.size(); size += 11) {
      EXPECT_THAT(parse_error(whole.substr(0, size), tiles, "a.jpg"), HasSubstr("broken JPEG"))
          << size;
    }
  }
  std::string boastful = jpeg_of(smooth_image(24, 16, 3));
  const std::size_t frame = boastful.find("\xff\xc0");
  boastful.replace(frame + 5, 4, "\xee\xee\xee\xee");
  EXPECT_THAT(parse_error(boastful, tiles, "a.jpg"),
              HasSubstr("claims more pixels than the file can hold"));
}

TEST(Sheet, TilesAreTakenRowByRow) {
  const Image sheet{4, 4, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
  const LoadOptions options{.pixel_scale = PixelScale::byte,
                            .tiles = {.width = 2, .height = 2, .count = 3}};
  const PointSet points = test::parse(png_of(sheet), options, "sheet.png");
  ASSERT_EQ(points.size(), 3u);
  EXPECT_THAT(points.values.row(0), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(points.values.row(1), ElementsAre(3, 4, 7, 8));
  EXPECT_THAT(points.values.row(2), ElementsAre(9, 10, 13, 14));
  EXPECT_EQ(points.image, (ImageShape{2, 2, 1}));
}

TEST(Sheet, OneImagePerRowIsATileAsWideAsTheSheet) {
  const Image sheet = random_image(12, 3, 3, 5);
  const PointSet points =
      test::parse(png_of(sheet), {.tiles = {.width = 12, .height = 1}}, "s.png");
  EXPECT_EQ(points.size(), 3u);
  EXPECT_EQ(points.dimension(), 36u);
}

TEST(Sheet, GridsThatDoNotFitAreRefused) {
  const std::string sheet = png_of(random_image(10, 4, 1, 3));
  EXPECT_THAT(parse_error(sheet, {}, "s.png"),
              HasSubstr("is a single image; say how large its tiles"));
  EXPECT_EQ(parse_error(sheet, {.tiles = {.width = 3, .height = 2}}, "s.png"),
            "s.png: is 10 x 4, which is not a sheet of 3 x 2 tiles; check the tile size");
  EXPECT_EQ(test::parse(sheet, {.tiles = {.width = 3, .height = 2, .columns = 3}}, "s.png").size(),
            6u);
  EXPECT_THAT(parse_error(sheet, {.tiles = {.width = 3, .height = 2, .columns = 4}}, "s.png"),
              HasSubstr("4 columns of 3 x 2"));
  EXPECT_THAT(parse_error(sheet, {.tiles = {.width = 5, .height = 2, .count = 5}}, "s.png"),
              HasSubstr("has room for 4 tiles of 5 x 2, not for 5"));
}

TEST(Channels, GreyAndColourConvert) {
  const Image colour{1, 1, 3, {255, 0, 0}};
  const Image grey{1, 1, 1, {7}};
  const LoadOptions to_grey{.pixel_scale = PixelScale::byte, .channels = 1};
  const LoadOptions to_colour{.pixel_scale = PixelScale::byte, .channels = 3};
  EXPECT_THAT(whole_image(png_of(colour), 1, 1, to_grey).values.values(), ElementsAre(76));
  EXPECT_THAT(whole_image(png_of(grey), 1, 1, to_colour).values.values(), ElementsAre(7, 7, 7));
}

TEST(ImageFolder, SubFoldersNameTheClasses) {
  const test::TemporaryFolder folder;
  folder.write("dog/b.png", png_of({1, 1, 1, {3}}));
  folder.write("dog/deep/a.PNG", png_of({1, 1, 1, {4}}));
  folder.write("cat/z.png", png_of({1, 1, 1, {1}}));
  folder.write("cat/notes.txt", "not an image");
  folder.write(".hidden/x.png", "not an image");
  const PointSet points = load_points(folder.path(), {.pixel_scale = PixelScale::byte});
  EXPECT_THAT(points.values.values(), ElementsAre(1, 3, 4));  // cat/z, dog/b, dog/deep/a
  EXPECT_THAT(points.labels->names, ElementsAre("cat", "dog"));
  EXPECT_THAT(points.labels->values, ElementsAre(0, 1, 1));
}

TEST(ImageFolder, WithoutSubFoldersThereAreNoLabels) {
  const test::TemporaryFolder folder;
  folder.write("2.png", png_of({1, 1, 1, {2}}));
  folder.write("1.jpg", jpeg_of({1, 1, 1, {1}}));
  const PointSet points = load_points(folder.path(), {.pixel_scale = PixelScale::byte});
  EXPECT_EQ(points.size(), 2u);
  EXPECT_EQ(points.values(1, 0), 2.0);
  EXPECT_FALSE(points.labels);
}

TEST(ImageFolder, MixturesAreRefused) {
  const auto error = [](const test::TemporaryFolder& folder) {
    return test::io_error([&] { static_cast<void>(load_points(folder.path())); });
  };
  const test::TemporaryFolder sizes, colours, places, broken;
  sizes.write("a.png", png_of(random_image(2, 2, 1, 1)));
  sizes.write("b.png", png_of(random_image(3, 2, 1, 1)));
  EXPECT_THAT(error(sizes),
              AllOf(HasSubstr("b.png: is 3 x 2 grey, but "), HasSubstr("a.png is 2 x 2")));
  colours.write("a.png", png_of(random_image(2, 2, 1, 1)));
  colours.write("b.png", png_of(random_image(2, 2, 3, 1)));
  EXPECT_THAT(error(colours), HasSubstr("ask for 1 or 3 channels"));
  EXPECT_EQ(load_points(colours.path(), {.channels = 1}).size(), 2u);
  places.write("a.png", png_of(random_image(2, 2, 1, 1)));
  places.write("k/b.png", png_of(random_image(2, 2, 1, 1)));
  EXPECT_THAT(error(places), HasSubstr("put every image into the folder of its class"));
  broken.write("a.png", "hello, world");
  EXPECT_THAT(error(broken), HasSubstr("a.png: "));
}

TEST(ImageFolder, SheetsOfAFolderAreJoined) {
  const test::TemporaryFolder folder;
  folder.write("s0.png", png_of({2, 1, 1, {1, 2}}));
  folder.write("s1.png", png_of({2, 1, 1, {3, 4}}));
  const LoadOptions options{.pixel_scale = PixelScale::byte,
                            .tiles = {.width = 1, .height = 1, .count = 3}};
  EXPECT_THAT(load_points(folder.path(), options).values.values(), ElementsAre(1, 2, 3));
}

TEST(ImageSheet, IsCutIntoTheSameImagesAgain) {
  for (const std::size_t channels : {1, 3}) {
    const ImageShape shape{.height = 3, .width = 2, .channels = channels};
    Rng rng(channels);
    Matrix images(5, 6 * channels);
    for (double& value : images.values()) value = static_cast<double>(rng.below(256)) / 255.0;
    const std::string sheet = image_sheet(images, shape, 3);
    const PointSet back = test::parse(
        sheet, {.tiles = {.width = 2, .height = 3, .columns = 3, .count = 5}}, "sheet.png");
    ASSERT_EQ(back.size(), 5u);
    for (std::size_t i = 0; i < images.values().size(); ++i) {
      EXPECT_NEAR(back.values.values()[i], images.values()[i], 1e-9);
    }
  }
}

TEST(ImageSheet, CutsOffWhatIsDarkerThanBlackOrBrighterThanWhite) {
  const Matrix images({-0.5, 1.5}, 1, 2);
  const auto sheet = image_sheet(images, {.height = 1, .width = 2, .channels = 1}, 1);
  const PointSet back = test::parse(sheet, {.tiles = {.width = 2, .height = 1}}, "sheet.png");
  EXPECT_THAT(back.values.values(), ElementsAre(0, 1));
}

TEST(ImageSheet, RefusesRowsOfAnotherLength) {
  EXPECT_THROW(
      static_cast<void>(image_sheet(Matrix(1, 3), {.height = 2, .width = 2, .channels = 1}, 1)),
      InvalidArgument);
}

}  // namespace
}  // namespace nw::io
