// The checks of one_story.hpp must fail where two channels disagree: a check that never fails says
// nothing.
#include "measure/one_story.hpp"

#include <functional>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "measure/mixtures.hpp"

namespace nw::testing {
namespace {

using Change = std::function<void(measure::CompareResult&, record::RunRecord&)>;

/// A component that is new in Y, one that is missing from it and shared ones.
measure::CompareResult changed_components() {
  Rng rng(1), own(1);
  const Matrix x = draw_ring({.rows = 300, .pi = {0.4, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0}}, rng);
  const Matrix y = draw_ring({.rows = 300, .pi = {0.4, 0.0, 0.3, 0.0, 0.3, 0.0, 0.0, 0.0}}, rng);
  measure::CompareOptions options;
  options.components = 4;
  options.resamplings = 49;
  options.trees = 60;
  options.nw.floor_replicates = 2;
  return compare({x, {}}, {y, {}}, options, own);
}

std::size_t first_with(const measure::CompareResult& result, MemberStatus status) {
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    if (result.components[j].status == status) return j;
  }
  return result.components.size();
}

TEST(ExpectSameMembersEverywhere, FailsWhereChannelsDisagree) {
  const measure::CompareResult result = changed_components();
  record::RunRecord record;
  app::fill_record(result, {}, {}, record);
  app::name_columns({}, result, record);
  const auto failures = [&](const Change& change) {
    measure::CompareResult other = result;
    record::RunRecord told = record;
    change(other, told);
    ::testing::TestPartResultArray found;
    {
      const ::testing::ScopedFakeTestPartResultReporter reporter(
          ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &found);
      expect_same_members_everywhere(other, told);
    }
    return found.size();
  };
  const std::size_t appeared = first_with(result, MemberStatus::new_in_y);
  const std::size_t gone = first_with(result, MemberStatus::missing_from_y);
  ASSERT_LT(appeared, result.components.size()) << result.sentence;
  ASSERT_LT(gone, result.components.size()) << result.sentence;
  EXPECT_EQ(failures([](auto&, auto&) {}), 0) << "told as it is";
  // Who is new and who is gone.
  EXPECT_GT(failures([&](auto&, auto& told) {
              std::swap(told.compare->components[appeared].status,
                        told.compare->components[gone].status);
            }),
            0);
  EXPECT_GT(failures([&](auto& held, auto&) {
              const std::string number = std::to_string(appeared + 1);
              held.sentence.replace(held.sentence.find(number + " is new"), number.size(), "9");
            }),
            0);
  EXPECT_GT(failures([](auto& held, auto&) { held.sentence = "The components differ."; }), 0);
  // How much there is of each.
  EXPECT_GT(failures([&](auto& held, auto&) { held.components[appeared].mass_y *= 0.9; }), 0);
  EXPECT_GT(failures([](auto&, auto& told) { told.compare->pi_x[0] += 0.01; }), 0);
  EXPECT_GT(failures([](auto&, auto& told) { told.compare->components[0].mass_x += 0.01; }), 0);
  // What is the answer.
  EXPECT_GT(failures([](auto&, auto& told) { told.compare->verdict = Verdict::same; }), 0);
  EXPECT_GT(failures([](auto&, auto& told) { told.compare->p_same = 0.5; }), 0);
  // Who makes up a member.
  EXPECT_GT(failures([&](auto& held, auto&) { held.members = {{appeared, gone}}; }), 0);
}

}  // namespace
}  // namespace nw::testing
