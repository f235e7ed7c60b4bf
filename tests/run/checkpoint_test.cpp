#include "nw/run/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_test_support.hpp"

namespace nw::run {
namespace {

using io::test::content_of_file;
using io::test::io_error;
using io::test::TemporaryFolder;
using testing::HasSubstr;

const std::vector<double> kWeights = {0.1, -2.0, 3e100};

void write(const std::filesystem::path& file, std::int64_t step) {
  const std::vector<io::TensorView> tensors = {
      io::view_tensor("weights", std::span<const double>(kWeights))};
  write_checkpoint(file, {.step = step,
                          .tensors = tensors,
                          .state = R"({"rng":[1,2],"text":"\"nw_crc32\":\"00000000\""})",
                          .metrics_rows = 17,
                          .seconds = 0.1});
}

TEST(Checkpoint, ComesBackAsItWasWritten) {
  const TemporaryFolder folder;
  const auto file = folder.file("c.safetensors");
  write(file, 42);
  const Checkpoint checkpoint = read_checkpoint(file);
  EXPECT_EQ(checkpoint.step, 42);
  EXPECT_EQ(checkpoint.tensor("weights").values<double>(), kWeights);
  EXPECT_EQ(checkpoint.state, R"({"rng":[1,2],"text":"\"nw_crc32\":\"00000000\""})");
  EXPECT_EQ(checkpoint.metrics_rows, 17U);
  EXPECT_EQ(checkpoint.seconds, 0.1);
  EXPECT_THAT(io_error([&] { static_cast<void>(checkpoint.tensor("bias")); }), HasSubstr("bias"));
}

TEST(Checkpoint, AnyChangedBitIsNoticed) {
  const TemporaryFolder folder;
  const auto file = folder.file("c.safetensors");
  write(file, 42);
  const std::string good = content_of_file(file);
  for (std::size_t place = 0; place < good.size(); ++place) {
    for (const int bit : {0, 5}) {
      std::string bad = good;
      bad[place] = static_cast<char>(bad[place] ^ (1 << bit));
      folder.write("c.safetensors", bad);
      EXPECT_THROW(static_cast<void>(read_checkpoint(file)), IoError) << place << " " << bit;
    }
  }
}

TEST(Checkpoint, AnyTruncationIsNoticed) {
  const TemporaryFolder folder;
  const auto file = folder.file("c.safetensors");
  write(file, 42);
  const std::string good = content_of_file(file);
  for (std::size_t length = 0; length < good.size(); ++length) {
    folder.write("c.safetensors", good.substr(0, length));
    EXPECT_THROW(static_cast<void>(read_checkpoint(file)), IoError) << length;
  }
}

TEST(Checkpoint, AnotherSafetensorsFileIsNotTakenForOne) {
  const TemporaryFolder folder;
  const auto file = folder.file("w.safetensors");
  io::write_safetensors(file, {}, {{"format", "pt"}});
  EXPECT_THAT(io_error([&] { static_cast<void>(read_checkpoint(file)); }),
              HasSubstr("w.safetensors: is not a checkpoint of nw"));
}

TEST(Checkpoint, StateThatIsNoJsonIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_checkpoint(folder.file("c"), {.state = "{"}), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder.file("c")));
}

TEST(ReadNewestCheckpoint, PassesOverDamagedOnesAndSaysWhatIsWrong) {
  const TemporaryFolder folder;
  for (const std::int64_t step : {10, 20, 30}) write(folder.file(checkpoint_name(step)), step);
  folder.write("step-x.safetensors", "");
  folder.write(checkpoint_name(30), "short");
  const CheckpointChoice choice = read_newest_checkpoint(folder.path());
  ASSERT_TRUE(choice.checkpoint.has_value());
  EXPECT_EQ(choice.checkpoint->step, 20);
  EXPECT_THAT(choice.warnings, testing::ElementsAre(testing::AllOf(
                                   HasSubstr("step-000000000030.safetensors"), HasSubstr("5 bytes"),
                                   HasSubstr("the checkpoint of step 20 is used instead"))));
  EXPECT_EQ(read_newest_checkpoint(folder.path(), 20).checkpoint->step, 10);
}

TEST(ReadNewestCheckpoint, RefusesToGoOnFromNothingWhenAllAreDamaged) {
  const TemporaryFolder folder;
  folder.write(checkpoint_name(1), "short");
  EXPECT_THAT(io_error([&] { static_cast<void>(read_newest_checkpoint(folder.path())); }),
              HasSubstr("none of 1 checkpoints can be read"));
}

TEST(ReadNewestCheckpoint, FindsNoneInAFolderThatIsEmptyOrNotThere) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_newest_checkpoint(folder.path()).checkpoint.has_value());
  EXPECT_FALSE(read_newest_checkpoint(folder.file("absent")).checkpoint.has_value());
}

}  // namespace
}  // namespace nw::run
