#include "nw/app/compare/model_scores.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nw::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What a model that is right nine times in ten says of rows of which every `one_in`-th is a cat.
Matrix answers(std::size_t rows, std::size_t one_in, std::uint64_t seed,
               std::vector<std::uint32_t>* classes = nullptr) {
  Rng rng(seed);
  Matrix scores(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t truth = i % one_in == 0 ? 0 : 1;
    const std::uint32_t said = rng.uniform() < 0.9 ? truth : 1 - truth;
    scores(i, said) = 0.9;
    scores(i, 1 - said) = 0.1;
    if (classes != nullptr) classes->push_back(truth);
  }
  return scores;
}

ModelScores half_and_quarter() {
  ModelScores scores;
  scores.names = {"cat", "dog"};
  scores.x = answers(400, 2, 1, &scores.class_of_x);
  scores.y = answers(400, 4, 2);
  return scores;
}

TEST(CompareModelScores, FindsTheMixOfYWithoutItsClasses) {
  const ModelScores scores = half_and_quarter();
  const auto result = compare_model_scores(scores, {.resamplings = 99}, 0);
  EXPECT_NEAR(result.share_x.at(0), 0.5, 1e-12);
  EXPECT_NEAR(result.likelihood.share.at(0), 0.25, 0.06);
  EXPECT_TRUE(result.tenable);
  EXPECT_THAT(result.sentence, HasSubstr("cat"));
}

TEST(CompareModelScores, GivesTheSameAnswerForTheSameSeed) {
  const ModelScores scores = half_and_quarter();
  const auto one = compare_model_scores(scores, {.resamplings = 99}, 7);
  const auto two = compare_model_scores(scores, {.resamplings = 99}, 7);
  EXPECT_EQ(one.p, two.p);
  EXPECT_EQ(one.likelihood.share, two.likelihood.share);
}

TEST(CompareModelScores, TellsOfItInFieldsThatNameTheClasses) {
  const ModelScores scores = half_and_quarter();
  const auto result = compare_model_scores(scores, {.resamplings = 99}, 0);
  EXPECT_THAT(model_score_fields(scores, result),
              AllOf(HasSubstr("{\"kind\":\"label-shift\",\"sentence\":"),
                    HasSubstr("\"n\":400,\"m\":400,\"classes\":[\"cat\",\"dog\"]"),
                    HasSubstr("\"share_x\":[0.5,0.5]"), HasSubstr("\"tenable\":true")));
}

}  // namespace
}  // namespace nw::app
