#include "nw/measure/proportions.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nw/base/error.hpp"
#include "nw/measure/label_shift.hpp"

#include "measure/balanced_dual.hpp"
#include "measure/mixtures.hpp"

namespace nw::measure {
namespace {

using ::testing::HasSubstr;

Mixture ring_mixture(double deviation) {
  Mixture mixture;
  for (int i = 1; i <= 8; ++i) {
    const auto centre = testing::ring_centre(i);
    mixture.components.push_back(gaussian_component(
        centre, Matrix({deviation * deviation, 0.0, 0.0, deviation * deviation}, 2, 2)));
  }
  return mixture;
}

// Components given by samples of different sizes that overlap a lot.
Atoms overlapping_atoms(Rng& rng) {
  Mixture mixture;
  for (const double centre : {-0.7, 0.0, 0.9}) {
    Matrix samples(6 + rng.below(10), 2);
    for (std::size_t i = 0; i < samples.rows(); ++i) {
      samples(i, 0) = centre + rng.normal();
      samples(i, 1) = rng.normal();
    }
    mixture.components.push_back(sample_component(samples));
  }
  return stratified_atoms(mixture, 1);
}

struct JointAnswer {
  bool available = false;
  double value = 0.0;
};

JointAnswer joint_lp(const Matrix& x, const std::vector<double>& weights, const Atoms& atoms) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("nw-joint-lp-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  {
    std::ofstream file(folder / "problem", std::ios::binary);
    const auto put = [&](const void* data, std::size_t bytes) {
      file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    };
    const std::int64_t header[] = {
        static_cast<std::int64_t>(x.rows()), static_cast<std::int64_t>(atoms.points.rows()),
        static_cast<std::int64_t>(atoms.components()), static_cast<std::int64_t>(x.cols())};
    put(header, sizeof header);
    put(x.values().data(), x.values().size_bytes());
    put(atoms.points.values().data(), atoms.points.values().size_bytes());
    for (std::size_t j = 0; j < atoms.components(); ++j) {
      const double component = static_cast<double>(j);
      for (std::size_t s = 0; s < atoms.count(j); ++s) put(&component, sizeof component);
    }
    put(weights.data(), weights.size() * sizeof(double));
  }
  const std::string command = std::string(NW_PYTHON " " NW_JOINT_LP " ") +
                              (folder / "problem").string() + " " + (folder / "answer").string();
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  JointAnswer answer;
  if (code != 77 && code != 127) {
    EXPECT_EQ(code, 0);
    std::ifstream file(folder / "answer", std::ios::binary);
    file.read(reinterpret_cast<char*>(&answer.value), sizeof answer.value);
    answer.available = static_cast<bool>(file);
  }
  fs::remove_all(folder);
  return answer;
}

TEST(FitProportions, AgreeWithTheJointLinearProgramOfScipy) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Rng rng(seed);
    const Atoms atoms = overlapping_atoms(rng);
    Matrix x = testing::draw_gaussian(25, 2, rng);
    std::vector<double> weights(25);
    double total = 0.0;
    for (auto& w : weights) total += (w = 0.2 + rng.uniform());
    for (auto& w : weights) w /= total;
    const ProportionResult found =
        fit_proportions({x, weights}, atoms, {.relative_gap = 1e-9, .max_solves = 2000});
    const JointAnswer exact = joint_lp(x, weights, atoms);
    if (!exact.available) GTEST_SKIP() << "scipy is not here";
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.upper, exact.value, 1e-8);
    EXPECT_LE(found.lower, exact.value + 1e-9);
  }
}

TEST(FitProportions, NoPointOfAGridOverTheSimplexIsBelowTheLowerBound) {
  Rng rng(9);
  const Atoms atoms = overlapping_atoms(rng);
  const Matrix x = testing::draw_gaussian(40, 2, rng);
  const ProportionResult found = fit_proportions({x, {}}, atoms, {.relative_gap = 1e-4});
  ASSERT_TRUE(found.converged);
  double best = 1e300;
  for (int a = 0; a <= 12; ++a) {
    for (int b = 0; a + b <= 12; ++b) {
      const std::vector<double> pi{a / 12.0, b / 12.0, (12 - a - b) / 12.0};
      const auto weights = atoms.weights(pi);
      const double cost = ot::solve_exact(ot::PointProblem{{x, {}}, {atoms.points, weights}}).cost;
      EXPECT_GE(cost, found.lower - 1e-12);
      best = std::min(best, cost);
    }
  }
  EXPECT_LE(found.upper, best + 1e-4 * best);
  EXPECT_NEAR(best, found.upper, 0.05 * best);  // the grid comes near, so the test has teeth
}

TEST(FitProportions, ProveTheCountsOfSeparatedModesWithASingleSolve) {
  Rng rng(4);
  const Matrix x = testing::draw_ring({.rows = 400}, rng);
  const ProportionResult found =
      fit_proportions({x, {}}, ring_mixture(0.3), {.atoms_per_component = 50});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.solves, 1);
  for (const double p : found.pi) EXPECT_NEAR(400.0 * p, std::round(400.0 * p), 1e-9);
}

TEST(FitProportions, ComeFromAPoorStartToTheSameOptimum) {
  Rng rng(4);
  const Matrix x = testing::draw_ring({.rows = 200}, rng);
  const Atoms atoms = stratified_atoms(ring_mixture(0.3), 25);
  const auto good = fit_proportions({x, {}}, atoms, {.relative_gap = 1e-3});
  std::vector<double> start(8, 0.0);
  start[3] = 1.0;
  const auto poor = fit_proportions({x, {}}, atoms, {.relative_gap = 1e-3, .start = start});
  EXPECT_TRUE(poor.converged);
  EXPECT_NEAR(poor.upper, good.upper, 2e-3 * good.upper);
}

TEST(FitProportions, WorkForSquaredDistancesToo) {
  Rng rng(11);
  const Atoms atoms = overlapping_atoms(rng);
  const Matrix x = testing::draw_gaussian(60, 2, rng);
  const auto found = fit_proportions(
      {x, {}}, atoms, {.cost = ot::GroundCost::squared_euclidean, .relative_gap = 1e-5});
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.gap(), 1e-5 * found.upper + 1e-15);
}

TEST(ProportionGradient, IsTheDerivativeOfWWhereThereIsOne) {
  Rng rng(12);
  const Atoms atoms = overlapping_atoms(rng);
  const Matrix x = testing::draw_gaussian(31, 2, rng);
  const auto value = [&](double t) {
    const std::vector<double> pi{0.31 + t, 0.40 - t, 0.29};
    const auto weights = atoms.weights(pi);
    return ot::solve_exact(ot::PointProblem{{x, {}}, {atoms.points, weights}});
  };
  const auto gradient = proportion_gradient(value(0.0).target_potential, atoms);
  const double step = 1e-7;
  EXPECT_NEAR((value(step).cost - value(-step).cost) / (2.0 * step), gradient[0] - gradient[1],
              1e-5);
}

TEST(BalancedDual, BoundsWForRandomProportions) {
  Rng rng(13);
  const Atoms atoms = overlapping_atoms(rng);
  const Matrix x = testing::draw_gaussian(30, 2, rng);
  std::vector<double> potential(atoms.points.rows());
  for (auto& v : potential) v = 0.3 * rng.normal();
  const BalancedDual dual = balanced_dual({x, {}}, atoms, ot::GroundCost::euclidean, potential);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> pi(3);
    double total = 0.0;
    for (auto& p : pi) total += (p = rng.uniform());
    for (auto& p : pi) p /= total;
    const auto weights = atoms.weights(pi);
    EXPECT_LE(dual.bound,
              ot::solve_exact(ot::PointProblem{{x, {}}, {atoms.points, weights}}).cost + 1e-12);
  }
}

TEST(FitProportions, SayWhatIsWrongWithBadInput) {
  Rng rng(1);
  const Atoms atoms = overlapping_atoms(rng);
  const Matrix three(5, 3);
  try {
    (void)fit_proportions({three, {}}, atoms);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("data have 3 columns, atoms 2"));
  }
  const Matrix two(5, 2);
  EXPECT_THROW((void)fit_proportions({two, {}}, atoms, {.start = {0.5, 0.5}}), InvalidArgument);
  EXPECT_THROW((void)fit_proportions({two, {}}, atoms, {.relative_gap = 1.0}), InvalidArgument);
  EXPECT_THROW((void)fit_proportions({MatrixView(), {}}, atoms), InvalidArgument);
}

// Scores of a model for two normal classes at -1 and 1: the true posteriors for a prior of 0.3,
// with their log odds multiplied by `sharpness`, as overconfident models have them.
struct Scored {
  Matrix scores;
  std::vector<std::uint32_t> class_of;
};

Scored scored_rows(std::size_t rows, double second, double sharpness, Rng& rng,
                   double second_centre = 1.0) {
  Scored result{Matrix(rows, 2), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_second = rng.uniform() < second;
    const double x = (is_second ? second_centre : -1.0) + rng.normal();
    const double odds = sharpness * (2.0 * x + std::log(0.3 / 0.7));
    result.scores(i, 1) = 1.0 / (1.0 + std::exp(-odds));
    result.scores(i, 0) = 1.0 - result.scores(i, 1);
    result.class_of.push_back(is_second ? 1 : 0);
  }
  return result;
}

TEST(LabelShift, FindsTheMixInThreeWaysAndCorrectsOverconfidentScores) {
  Rng rng(21);
  const Scored x = scored_rows(3000, 0.3, 2.5, rng), y = scored_rows(2000, 0.7, 2.5, rng);
  const LabelShiftResult result =
      label_shift({x.scores, x.class_of, y.scores}, {.resamplings = 99}, rng);
  EXPECT_TRUE(result.tenable) << result.p;
  EXPECT_NEAR(result.temperature, 1.0 / 2.5, 0.05);
  for (const ShareEstimate* estimate : {&result.likelihood, &result.confusion, &result.transport}) {
    EXPECT_NEAR(estimate->share[1], 0.7, 0.06);
    EXPECT_LE(estimate->interval[1].low, 0.72);
    EXPECT_GE(estimate->interval[1].high, 0.68);
    EXPECT_LT(estimate->interval[1].high - estimate->interval[1].low, 0.25);
    EXPECT_NEAR(estimate->share[0] + estimate->share[1], 1.0, 1e-9);
  }
  // Corrected probabilities are those of Bayes for the mix of Y: compared with the true posterior.
  double error = 0.0, before = 0.0;
  for (std::size_t i = 0; i < 2000; ++i) {
    const double log_odds = std::log(y.scores(i, 1) / y.scores(i, 0)) / 2.5;
    const double truth =
        1.0 / (1.0 + std::exp(-(log_odds - std::log(0.3 / 0.7) + std::log(0.7 / 0.3))));
    error += std::abs(result.corrected(i, 1) - truth) / 2000.0;
    before += std::abs(y.scores(i, 1) - truth) / 2000.0;
  }
  EXPECT_LT(error, 0.03);
  EXPECT_GT(before, 0.1);
}

TEST(LabelShift, MaximisesTheLikelihoodThatAGridFinds) {
  Rng rng(22);
  const Scored x = scored_rows(500, 0.3, 1.0, rng), y = scored_rows(400, 0.55, 1.0, rng);
  const LabelShiftResult result =
      label_shift({x.scores, x.class_of, y.scores}, {.resamplings = 19, .calibrate = false}, rng);
  const double prior = result.share_x[1];
  double best = 0.0, highest = -1e300;
  for (double share = 0.001; share < 1.0; share += 0.001) {
    double likelihood = 0.0;
    for (std::size_t i = 0; i < 400; ++i) {
      likelihood +=
          std::log(share / prior * y.scores(i, 1) + (1.0 - share) / (1.0 - prior) * y.scores(i, 0));
    }
    if (likelihood > highest) {
      highest = likelihood;
      best = share;
    }
  }
  EXPECT_NEAR(result.likelihood.share[1], best, 0.002);
}

TEST(LabelShift, IsRefutedByAClassThatChangedAndSeldomByAnotherMix) {
  int false_alarms = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(100 + seed);
    const Scored x = scored_rows(300, 0.3, 1.5, rng), y = scored_rows(300, 0.6, 1.5, rng);
    const LabelShiftResult fair =
        label_shift({x.scores, x.class_of, y.scores}, {.resamplings = 39}, rng);
    false_alarms += !fair.tenable;
  }
  EXPECT_LE(false_alarms, 2);
  Rng rng(23);
  const Scored x = scored_rows(600, 0.3, 1.5, rng), y = scored_rows(600, 0.6, 1.5, rng, 0.0);
  const LabelShiftResult broken =
      label_shift({x.scores, x.class_of, y.scores}, {.resamplings = 99}, rng);
  EXPECT_LT(broken.p, 0.05);
  EXPECT_THAT(broken.sentence, ::testing::HasSubstr("No mix of X's classes"));
}

TEST(LabelShift, SaysWhatIsWrongWithScores) {
  Rng rng(1);
  const Scored x = scored_rows(20, 0.5, 1.0, rng);
  const auto message = [&](const Matrix& a, const std::vector<std::uint32_t>& classes) {
    try {
      (void)label_shift({a, classes, x.scores}, {}, rng);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("no exception");
  };
  Matrix logits = x.scores;
  logits(3, 0) = -2.0;
  EXPECT_THAT(message(logits, x.class_of), ::testing::HasSubstr("row 4: -2 is not a probability"));
  EXPECT_THAT(message(x.scores, std::vector<std::uint32_t>(20, 0)),
              ::testing::HasSubstr("class 2 has no row in X"));
  EXPECT_THAT(message(x.scores, {0, 1}), ::testing::HasSubstr("2 classes for the 20 rows"));
}

}  // namespace
}  // namespace nw::measure
