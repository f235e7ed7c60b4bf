// Scores of generated images against closed forms, and against numpy and scipy.
#include "nw/score/image_scores.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace nw::score {
namespace {

namespace fs = std::filesystem;

Matrix normal_rows(std::size_t rows, std::size_t cols, Rng rng) {
  Matrix result(rows, cols);
  for (auto& value : result.values()) value = rng.normal();
  return result;
}

FeatureMoments diagonal(const std::vector<double>& mean, const std::vector<double>& variance) {
  FeatureMoments moments{.mean = mean, .covariance = Matrix(mean.size(), mean.size()), .count = 2};
  for (std::size_t i = 0; i < mean.size(); ++i) moments.covariance(i, i) = variance[i];
  return moments;
}

TEST(ClassScore, IsTheNumberOfClassesWhenImagesAreClearAndClassesEquallyFrequent) {
  Matrix sure(12, 4);
  for (std::size_t i = 0; i < sure.rows(); ++i) sure(i, i % 4) = 1.0;
  EXPECT_NEAR(class_score(sure, 3).mean, 4.0, 1e-12);
  EXPECT_NEAR(class_score(sure, 3).deviation, 0.0, 1e-12);
}

TEST(ClassScore, IsOneWhenAllImagesLookTheSame) {
  Matrix same(10, 4);
  for (std::size_t i = 0; i < same.rows(); ++i) {
    for (std::size_t y = 0; y < 4; ++y) same(i, y) = 0.25;
  }
  EXPECT_NEAR(class_score(same, 2).mean, 1.0, 1e-12);
}

TEST(ClassScore, RefusesWhatIsNoDistributionAndTooFewImages) {
  Matrix wrong(4, 2);
  EXPECT_THROW((void)class_score(wrong, 1), InvalidArgument);
  for (std::size_t i = 0; i < 4; ++i) wrong(i, 0) = 1.0;
  EXPECT_NO_THROW((void)class_score(wrong, 4));
  EXPECT_THROW((void)class_score(wrong, 5), InvalidArgument);
}

TEST(FrechetDistance, HasItsClosedFormForDiagonalCovariances) {
  const auto x = diagonal({1.0, -2.0}, {4.0, 9.0}), y = diagonal({0.0, 1.0}, {1.0, 16.0});
  // |m1 - m2|^2 + sum_i (s1_i - s2_i)^2
  EXPECT_NEAR(frechet_distance(x, y), 1.0 + 9.0 + 1.0 + 1.0, 1e-12);
  EXPECT_NEAR(frechet_distance(x, x), 0.0, 1e-12);
  EXPECT_THROW((void)frechet_distance(x, diagonal({0.0}, {1.0})), InvalidArgument);
}

TEST(ImageScores, EqualNumpyAndScipyOnRandomTables) {
  const Matrix x = normal_rows(60, 5, Rng(1)), noise = normal_rows(70, 5, Rng(2));
  Matrix y = noise, p = normal_rows(40, 6, Rng(3));
  for (std::size_t i = 0; i < y.rows(); ++i) {  // other scales, and coordinates that go together
    for (std::size_t c = 0; c < 5; ++c) y(i, c) = 0.3 + 2.0 * noise(i, c) + noise(i, (c + 1) % 5);
  }
  for (std::size_t i = 0; i < p.rows(); ++i) {
    double sum = 0.0;
    for (auto& value : p.row(i)) sum += value = std::exp(value);
    for (auto& value : p.row(i)) value /= sum;
  }
  const auto folder = fs::temp_directory_path() / ("nw-score-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto write = [&](const char* name, const Matrix& table) {
    std::ofstream file(folder / name);
    file.precision(17);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      for (std::size_t c = 0; c < table.cols(); ++c) file << (c > 0 ? "," : "") << table(i, c);
      file << '\n';
    }
  };
  write("x.csv", x);
  write("y.csv", y);
  write("p.csv", p);
  const std::string at = folder.string();
  const std::string command = NW_PYTHON " -B " NW_SCORE_PEER " " + at + "/x.csv " + at + "/y.csv " +
                              at + "/p.csv 2>/dev/null";
  double mean = 0.0, deviation = 0.0, distance = 0.0;
  FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  const int read = std::fscanf(pipe, "%lf %lf %lf", &mean, &deviation, &distance);
  const int status = ::pclose(pipe);
  fs::remove_all(folder);
  if (status != 0) GTEST_SKIP() << "needs numpy and scipy";
  ASSERT_EQ(read, 3);
  EXPECT_NEAR(class_score(p, 4).mean, mean, 1e-10);
  EXPECT_NEAR(class_score(p, 4).deviation, deviation, 1e-10);
  EXPECT_NEAR(frechet_distance(feature_moments(x), feature_moments(y)), distance, 1e-8);
}

}  // namespace
}  // namespace nw::score
