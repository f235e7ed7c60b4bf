#include "nw/data/prepare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/data/byte_images.hpp"

#include "io/io_test_support.hpp"

namespace nw::data {
namespace {

using ::testing::HasSubstr;

/// Twelve images of one grey pixel each, of classes 0, 1 and 2 in turn.
ByteImages small_set() {
  ByteImages set;
  set.shape = {.height = 1, .width = 1, .channels = 1};
  for (int i = 0; i < 12; ++i) {
    set.pixels.push_back(static_cast<std::uint8_t>(i));
    set.labels.push_back(static_cast<std::uint8_t>(i % 3));
  }
  return set;
}

TEST(Prepare, WritesChosenClassesInChosenProportions) {
  const io::test::TemporaryFolder folder;
  const auto images = folder.path() / "images", labels = folder.path() / "labels";
  write_idx_images(images, labels, small_set());
  const PreparedSet made = prepare("subset", {.output = (folder.path() / "out").string(),
                                              .images = images.string(),
                                              .labels = labels.string(),
                                              .classes = {0, 2},
                                              .proportions = {0.5, 0.5}});
  ASSERT_EQ(made.files.size(), 2u);
  const ByteImages read = read_idx_images(made.files[0], made.files[1]);
  EXPECT_EQ(read.size(), 8u);
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read.labels[i], read.pixels[i] % 3);
    EXPECT_NE(read.labels[i], 1);
  }
}

TEST(Prepare, RefusesUnknownNamesAndMissingInputsInWords) {
  EXPECT_THROW(static_cast<void>(prepare("nothing", {})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(prepare("subset", {})), InvalidArgument);
  for (const PreparableSet& set : preparable_sets()) EXPECT_STRNE(set.description, "");
}

}  // namespace
}  // namespace nw::data
