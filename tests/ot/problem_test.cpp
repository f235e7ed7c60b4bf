#include "nw/ot/problem.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ot/masses.hpp"

namespace nw::ot {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// The message of the InvalidArgument that validate() throws, or "" when it accepts.
template <typename Problem>
std::string complaint(const Problem& problem) {
  try {
    problem.validate();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(PointProblem, AcceptsWeightedCloudsOfUnequalSize) {
  const Matrix x({0, 0, 1, 1, 2, 2}, 3, 2), y({5, 5}, 1, 2);
  const std::vector<double> weights{0.0, 1e-300, 1e300};
  EXPECT_EQ(complaint(PointProblem{{x, weights}, {y, {}}, GroundCost::euclidean}), "");
}

TEST(PointProblem, NamesTheEmptyCloud) {
  const Matrix x(1, 2), none(0, 2);
  EXPECT_THAT(complaint(PointProblem{{none, {}}, {x, {}}}),
              HasSubstr("source cloud has no points"));
  EXPECT_THAT(complaint(PointProblem{{x, {}}, {none, {}}}),
              HasSubstr("target cloud has no points"));
}

TEST(PointProblem, NamesBothDimensionsWhenTheyDiffer) {
  const Matrix x(1, 2), y(1, 3);
  EXPECT_THAT(complaint(PointProblem{{x, {}}, {y, {}}}),
              HasSubstr("source points have 2 coordinates, target points 3"));
}

TEST(PointProblem, RejectsPointsWithoutCoordinates) {
  const MatrixView x({}, 2, 0);
  EXPECT_THAT(complaint(PointProblem{{x, {}}, {x, {}}}), HasSubstr("at least one coordinate"));
}

TEST(PointProblem, NamesCloudRowColumnAndValueOfABadCoordinate) {
  const Matrix x({0, 0, 0, 0}, 2, 2), nan({0, 0, kNan, 0}, 2, 2), inf({0, 0, 0, -kInf}, 2, 2);
  EXPECT_THAT(complaint(PointProblem{{nan, {}}, {x, {}}}),
              HasSubstr("source cloud has nan in row 1, column 0"));
  EXPECT_THAT(complaint(PointProblem{{x, {}}, {inf, {}}}),
              HasSubstr("target cloud has -inf in row 1, column 1"));
}

TEST(PointProblem, NamesIndexAndValueOfABadWeight) {
  const Matrix x(3, 1), y(2, 1);
  const std::vector<double> negative{1, -0.5, 1}, nan{1, kNan}, zero{0, 0}, short_list{1};
  EXPECT_THAT(complaint(PointProblem{{x, negative}, {y, {}}}),
              HasSubstr("source weight 1 is -0.5"));
  EXPECT_THAT(complaint(PointProblem{{x, {}}, {y, nan}}), HasSubstr("target weight 1 is nan"));
  EXPECT_THAT(complaint(PointProblem{{x, {}}, {y, zero}}),
              HasSubstr("all 2 weights of the target cloud are zero"));
  EXPECT_THAT(complaint(PointProblem{{x, short_list}, {y, {}}}),
              HasSubstr("source cloud has 3 points but 1 weights"));
}

TEST(PointProblem, AcceptsSquaredCostsAtTheScale1e150AndRejectsThemWhenTheyOverflow) {
  const Matrix x({-1e150, 1e150}, 2, 1), y({-1e160, 1e160}, 2, 1);
  EXPECT_EQ(complaint(PointProblem{{x, {}}, {x, {}}, GroundCost::squared_euclidean}), "");
  EXPECT_EQ(complaint(PointProblem{{x, {}}, {y, {}}, GroundCost::euclidean}), "");
  EXPECT_THAT(complaint(PointProblem{{x, {}}, {y, {}}, GroundCost::squared_euclidean}),
              HasSubstr("column 0 spans -1e+160 to 1e+160"));
}

TEST(MatrixProblem, AcceptsNegativeCostsAndNamesThePlaceOfBadOnes) {
  const Matrix good({-1, 2, 3, -4}, 2, 2), bad({0, 1, kInf, 0}, 2, 2), none(0, 3);
  EXPECT_EQ(complaint(MatrixProblem{good, {}, {}}), "");
  EXPECT_THAT(complaint(MatrixProblem{bad, {}, {}}), HasSubstr("inf in row 1, column 0"));
  EXPECT_THAT(complaint(MatrixProblem{none, {}, {}}), HasSubstr("source cloud has no points"));
  const std::vector<double> weights{1, 2, 3};
  EXPECT_THAT(complaint(MatrixProblem{good, {}, weights}),
              HasSubstr("target cloud has 2 points but 3 weights"));
}

TEST(NormalizedMasses, SumToOneForWeightsOfAnyScale) {
  for (const double scale : {1e-320, 1e-300, 1.0, 1e307}) {
    std::vector<double> weights(1000);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = scale * static_cast<double>(i % 7);
    }
    const auto masses = normalized_masses(weights, weights.size());
    EXPECT_NEAR(std::accumulate(masses.begin(), masses.end(), 0.0), 1.0, 1e-13) << scale;
    EXPECT_EQ(masses[0], 0.0);
  }
}

}  // namespace
}  // namespace nw::ot
