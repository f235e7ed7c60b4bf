// The small files of other writers in fuzz/corpus, which need no peer to be installed: their
// values, and what becomes of them when they are damaged.
#include <algorithm>

#include <gmock/gmock.h>

#include "nw/base/rng.hpp"

#include "io/table_test_support.hpp"

namespace nw::io::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Fixture {
  std::string name, bytes;
};

std::vector<Fixture> fixtures(const std::string& parser) {
  std::vector<Fixture> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(NW_FUZZ_CORPUS) / parser)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("found_")) continue;
    all.push_back({name + "." + parser, content_of_file(entry.path())});
  }
  std::ranges::sort(all, {}, &Fixture::name);
  return all;
}

class ForeignWriters : public testing::TestWithParam<const char*> {};

TEST_P(ForeignWriters, TheirFilesHoldTheSixRowsThatWereWritten) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto numbers = [&](const std::vector<double>& values) {
    return testing::Pointwise(testing::NanSensitiveDoubleEq(), values);
  };
  ASSERT_GE(fixtures(GetParam()).size(), 4u);
  for (const Fixture& fixture : fixtures(GetParam())) {
    SCOPED_TRACE(fixture.name);
    const RawTable table = table_of(fixture.bytes, fixture.name);
    expect_consistent(table);
    ASSERT_EQ(table.rows, 6u);
    ASSERT_EQ(table.columns.size(), 8u);
    EXPECT_EQ(column(table, "flag").kind, CellKind::boolean);
    EXPECT_THAT(column(table, "flag").numbers, numbers({1, 0, nan, 1, 1, 0}));
    EXPECT_EQ(column(table, "count").kind, CellKind::integer);
    EXPECT_THAT(column(table, "count").numbers, numbers({1, -2, 3, nan, 5, 2147483647}));
    EXPECT_TRUE(column(table, "id").inexact);
    EXPECT_THAT(column(table, "id").numbers, numbers({1, 2, 3, 4, 5, 9007199254740992}));
    EXPECT_THAT(column(table, "x").numbers, numbers({0.5, nan, -1.25, 1e300, 0, 3}));
    EXPECT_EQ(column(table, "day").kind, CellKind::timestamp);
    EXPECT_THAT(column(table, "day").numbers,
                numbers({0, 86400, 1704067200, nan, -86400, 5 * 86400}));
    EXPECT_THAT(column(table, "at").numbers,
                numbers({1.5, 86401.5, 1704067201.5, nan, -86398.5, 5 * 86400 + 1.5}));
    for (const char* const name : {"word", "kind"}) {
      EXPECT_THAT(texts(column(table, name)),
                  ElementsAre("red", "green", "red", "<missing>", "blue", "red"));
      EXPECT_THAT(column(table, name).levels, ElementsAre("red", "green", "blue"));
    }
  }
}

/// Whether the bytes are read; anything but a table or an IoError fails the test.
bool accepted(const Fixture& fixture, const std::string& bytes) {
  try {
    const LoadOptions small{.threads = 1, .max_unpacked_bytes = 1 << 22};
    expect_consistent(table_of(bytes, fixture.name, small));
    return true;
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr(fixture.name));
    return false;
  }
}

TEST_P(ForeignWriters, AFileCutOffAnywhereIsRefused) {
  for (const Fixture& fixture : fixtures(GetParam())) {
    SCOPED_TRACE(fixture.name);
    for (std::size_t size = 1; size < fixture.bytes.size(); ++size) {
      const bool whole = accepted(fixture, fixture.bytes.substr(0, size));
      // A stream of Arrow may end after any message: only its last mark can be missing.
      const bool stream = fixture.bytes.starts_with("\xff\xff\xff\xff");
      ASSERT_TRUE(!whole || (stream && size + 8 >= fixture.bytes.size())) << size << " bytes";
    }
  }
}

TEST_P(ForeignWriters, FlippedBitsGiveATableOrAnError) {
  Rng rng(4712);
  for (const Fixture& fixture : fixtures(GetParam())) {
    SCOPED_TRACE(fixture.name);
    int refused = 0;
    for (int i = 0; i < 1500; ++i) {
      std::string bytes = fixture.bytes;
      for (std::uint64_t flips = 1 + rng.below(3); flips > 0; --flips) {
        bytes[rng.below(bytes.size())] ^= static_cast<char>(1 << rng.below(8));
      }
      ASSERT_NO_THROW(refused += accepted(fixture, bytes) ? 0 : 1);
    }
    EXPECT_GT(refused, 100);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, ForeignWriters, testing::Values("parquet", "arrow"),
                         [](const auto& format) { return std::string(format.param); });

}  // namespace
}  // namespace nw::io::test
