// Digests, byte images, subsets in given proportions and the blending of MNIST-M.
#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>
#include <unistd.h>

#include "nw/base/error.hpp"
#include "nw/data/byte_images.hpp"
#include "nw/data/public_sets.hpp"
#include "nw/data/sha256.hpp"
#include "nw/io/atomic_file.hpp"

namespace nw::data {
namespace {

std::string digest_of(const std::string& text) {
  return sha256(std::as_bytes(std::span(text)));
}

TEST(Sha256, gives_the_digests_of_the_standards_examples) {
  EXPECT_EQ(digest_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

ByteImages numbered(std::size_t n, std::size_t channels) {
  ByteImages set{.shape = {2, 3, channels}, .pixels = {}, .labels = {}};
  for (std::size_t i = 0; i < n; ++i) {
    set.labels.push_back(static_cast<std::uint8_t>(i % 4));
    for (std::size_t k = 0; k < 6 * channels; ++k) {
      set.pixels.push_back(static_cast<std::uint8_t>(i + k));
    }
  }
  return set;
}

class IdxImages : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("nw-data-test-" + std::to_string(getpid()));
};

TEST_F(IdxImages, come_back_as_they_were_written) {
  for (const std::size_t channels : {1u, 3u}) {
    const ByteImages set = numbered(7, channels);
    write_idx_images(folder_ / "images", folder_ / "labels", set);
    const ByteImages back = read_idx_images(folder_ / "images", folder_ / "labels");
    EXPECT_EQ(back.shape, set.shape);
    EXPECT_EQ(back.pixels, set.pixels);
    EXPECT_EQ(back.labels, set.labels);
  }
}

TEST_F(IdxImages, are_refused_with_labels_of_another_number_and_when_cut_short) {
  write_idx_images(folder_ / "images", folder_ / "labels", numbered(7, 1));
  write_idx_images(folder_ / "other", folder_ / "fewer", numbered(6, 1));
  EXPECT_THROW((void)read_idx_images(folder_ / "images", folder_ / "fewer"), IoError);
  EXPECT_THROW((void)read_idx_images(folder_ / "labels", folder_ / "labels"), IoError);
  std::string bytes = read_unpacked(folder_ / "images");
  bytes.pop_back();
  io::write_file_atomically(folder_ / "images", bytes);
  EXPECT_THROW((void)read_idx_images(folder_ / "images", folder_ / "labels"), IoError);
}

TEST(Subset, has_the_proportions_asked_for_and_is_as_large_as_they_allow) {
  std::vector<std::uint8_t> labels;
  for (int i = 0; i < 1000; ++i) labels.push_back(1);
  for (int i = 0; i < 400; ++i) labels.push_back(4);
  for (int i = 0; i < 300; ++i) labels.push_back(8);
  Rng rng(1);
  const auto places = choose_by_proportions(labels, std::vector<int>{8, 1, 4},
                                            std::vector<double>{0.2, 0.6, 0.2}, rng);
  std::map<int, int> count;
  for (const std::size_t i : places) ++count[labels[i]];
  EXPECT_EQ(count, (std::map<int, int>{{1, 900}, {4, 300}, {8, 300}}));
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
}

TEST(Subset, refuses_missing_classes_and_bad_shares) {
  const std::vector<std::uint8_t> labels{0, 0, 1};
  Rng rng(1);
  const auto choose = [&](std::vector<int> classes, std::vector<double> shares) {
    return choose_by_proportions(labels, classes, shares, rng);
  };
  EXPECT_THROW((void)choose({0, 2}, {0.5, 0.5}), InvalidArgument);
  EXPECT_THROW((void)choose({0, 1}, {0.5}), InvalidArgument);
  EXPECT_THROW((void)choose({0, 1}, {0.5, 0.0}), InvalidArgument);
  EXPECT_THROW((void)choose({0, 0}, {0.5, 0.5}), InvalidArgument);
}

TEST(MnistM, inverts_the_background_where_the_digit_has_ink) {
  ByteImages digits{
      .shape = {28, 28, 1}, .pixels = std::vector<std::uint8_t>(28 * 28, 0), .labels = {7}};
  digits.pixels[5 * 28 + 6] = 1;  // any ink counts
  Backgrounds backgrounds{.shapes = {{40, 50, 3}}, .pixels = {{}}};
  for (int i = 0; i < 40 * 50 * 3; ++i) {
    backgrounds.pixels[0].push_back(static_cast<std::uint8_t>(i % 251));
  }
  const ByteImages set = build_mnist_m(digits, backgrounds, {{.picture = 0, .top = 8, .left = 9}});
  ASSERT_EQ(set.shape, (io::ImageShape{32, 32, 3}));
  EXPECT_EQ(set.labels, std::vector<std::uint8_t>{7});
  for (std::size_t y = 0; y < 32; ++y) {
    for (std::size_t x = 0; x < 32; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const int under = backgrounds.pixels[0][((y + 8) * 50 + x + 9) * 3 + c];
        const int expected = y == 7 && x == 8 ? 255 - under : under;
        ASSERT_EQ(set.pixels[(y * 32 + x) * 3 + c], expected) << y << " " << x;
      }
    }
  }
  EXPECT_THROW((void)build_mnist_m(digits, backgrounds, {{.picture = 0, .top = 9, .left = 0}}),
               InvalidArgument);
  EXPECT_THROW((void)build_mnist_m(digits, backgrounds, {{.picture = 1, .top = 0, .left = 0}}),
               InvalidArgument);
}

TEST(MnistM, draws_patches_that_stay_inside_their_pictures) {
  const Backgrounds backgrounds{.shapes = {{32, 40, 3}, {50, 32, 3}}, .pixels = {{}, {}}};
  Rng rng(2);
  for (const Patch& patch : draw_patches(backgrounds, 500, rng)) {
    const auto& shape = backgrounds.shapes.at(patch.picture);
    EXPECT_LE(patch.top + 32u, shape.height);
    EXPECT_LE(patch.left + 32u, shape.width);
  }
}

TEST(ImbalancedSetting, is_that_of_the_papers_table) {
  for (const int modes : {3, 5, 10}) {
    const ImbalancedSetting setting = imbalanced_setting(modes);
    EXPECT_EQ(setting.classes.size(), static_cast<std::size_t>(modes));
    const std::vector<double> reversed(setting.source.rbegin(), setting.source.rend());
    if (modes == 10) continue;  // the table shifts one share
    EXPECT_EQ(setting.target, reversed);
  }
  EXPECT_THROW((void)imbalanced_setting(4), InvalidArgument);
}

}  // namespace
}  // namespace nw::data
