#include "nw/base/suggestion.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("method", "mehtod"), 1u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(DidYouMean, NamesTheNearestWordAndKeepsSilentWhenNoneIsNear) {
  EXPECT_EQ(did_you_mean("distanc", {"bench", "distance"}), " (did you mean 'distance'?)");
  EXPECT_EQ(did_you_mean("--mehtod", {"--method", "--json"}), " (did you mean '--method'?)");
  EXPECT_EQ(did_you_mean("pony", {"bench", "distance"}), "");
  EXPECT_EQ(did_you_mean("--x", {}), "");
}

TEST(DidYouMean, TakesAnUnfinishedWordForItsWhole) {
  EXPECT_EQ(did_you_mean("dist", {"bench", "distance"}), " (did you mean 'distance'?)");
}

}  // namespace
}  // namespace nw
