// Classes that adaptation lost: shares with known faults.
#include "app/adaptation/lost_classes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kRows = 1000;

/// A plain classifier whose ways of counting agree.
CountedShares same(const std::vector<double>& shares) {
  return {.named = shares, .estimated = shares, .confused = shares};
}

TEST(LostClasses, NoticeAClassThatIsHardlyNamedAnyMore) {
  const auto lost = lost_classes(
      {.named = {0.4, 0.45, 0.15}, .estimated = {0.4, 0.4, 0.2}, .confused = {0.46, 0.4, 0.14}},
      {0.45, 0.54, 0.01}, kRows);
  EXPECT_THAT(lost, ElementsAre(Field(&LostClass::index, 2)));
  EXPECT_DOUBLE_EQ(lost[0].unadapted, 0.14);
  EXPECT_EQ(describe(lost, {"7", "8", "9"}),
            "Class 9 has almost vanished: 1 % of the rows now, at least 14 % by the classifier "
            "without adaptation.");
}

TEST(LostClasses, NoticeEveryOneOfThem) {
  const auto lost = lost_classes(same({0.5, 0.25, 0.25}), {1.0, 0.0, 0.0}, kRows);
  EXPECT_EQ(lost.size(), 2U);
  const auto text = describe(lost, {"a", "b", "c"});
  EXPECT_THAT(text, HasSubstr("Class b has"));
  EXPECT_THAT(text, HasSubstr("Class c has"));
}

TEST(LostClasses, AreNotThoseThatThePlainClassifierDoubtsItself) {
  // It names the class, but posteriors or confusions explain the rows by its mistakes ...
  EXPECT_THAT(lost_classes({.named = {0.85, 0.15}, .estimated = {0.8, 0.2}, .confused = {1.0, 0.0}},
                           {1.0, 0.0}, kRows),
              IsEmpty());
  EXPECT_THAT(
      lost_classes({.named = {0.85, 0.15}, .estimated = {0.99, 0.01}, .confused = {0.8, 0.2}},
                   {1.0, 0.0}, kRows),
      IsEmpty());
  // ... or it is estimated high and never named.
  EXPECT_THAT(lost_classes({.named = {1.0, 0.0}, .estimated = {0.8, 0.2}, .confused = {0.8, 0.2}},
                           {1.0, 0.0}, kRows),
              IsEmpty());
}

TEST(LostClasses, AreNotThoseThatOnlyShrinkOrWereRareOrHadFewRows) {
  EXPECT_THAT(lost_classes(same({0.8, 0.2}), {0.92, 0.08}, kRows), IsEmpty());
  // A third of four times an equal share is still a usual share.
  EXPECT_THAT(lost_classes(same({0.1, 0.8, 0.05, 0.05}), {0.4, 0.2, 0.2, 0.2}, kRows), IsEmpty());
  EXPECT_THAT(lost_classes(same({0.98, 0.02}), {1.0, 0.0}, kRows), IsEmpty());
  EXPECT_THAT(lost_classes(same({0.8, 0.2}), {1.0, 0.0}, 40), IsEmpty());
}

TEST(LostClasses, RefuseSharesOfOtherNumbersOfClasses) {
  EXPECT_THROW((void)lost_classes(same({1.0}), {0.5, 0.5}, kRows), InvalidArgument);
  EXPECT_EQ(describe({}, {}), "");
}

}  // namespace
}  // namespace nw::app
