#include "nw/adapt/domain.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::adapt {
namespace {

/// One image per row whose pixels count up from `first`, divided by 255.
io::PointSet images(std::size_t rows, io::ImageShape shape, const std::string& name) {
  io::PointSet points;
  points.image = shape;
  points.source = name;
  points.values = Matrix(rows, shape.height * shape.width * shape.channels);
  std::size_t count = 0;
  for (double& value : points.values.values()) {
    value = static_cast<double>(count++ % 256) / 255.0;
  }
  return points;
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(FitForm, TakesTheSmallerImageAndTheMoreChannels) {
  const auto form = fit_form(images(2, {28, 28, 1}, "digits"), images(2, {32, 30, 3}, "photos"));
  EXPECT_EQ(form.image, (nn::ImageSize{28, 28, 3}));
}

TEST(FitForm, BringsImagesThatAreFarApartToOneSize) {
  const auto size_of = [](io::ImageShape a, io::ImageShape b) {
    return fit_form(images(1, a, "a"), images(1, b, "b")).image;
  };
  EXPECT_EQ(size_of({96, 96, 3}, {224, 200, 3}), (nn::ImageSize{96, 96, 3}));
  // Small images are scaled up rather than losing what the others show.
  EXPECT_EQ(size_of({16, 16, 1}, {28, 28, 1}), (nn::ImageSize{28, 28, 1}));
  EXPECT_EQ(size_of({16, 16, 1}, {96, 96, 1}), (nn::ImageSize{28, 28, 1}));
}

TEST(BroughtNear, KeepsMeansAndLeavesImagesOfNearlyThatSizeAlone) {
  const auto bytes =
      torch::arange(2 * 3 * 12 * 12).remainder(251).to(torch::kUInt8).view({2, 3, 12, 12});
  EXPECT_TRUE(brought_near(bytes, {10, 12, 3}).equal(bytes));
  for (const std::int64_t side : {4, 24}) {
    const auto scaled = brought_near(bytes, {side, side, 3});
    EXPECT_EQ(scaled.sizes(), (at::IntArrayRef{2, 3, side, side}));
    const auto mean = [](const torch::Tensor& x) { return x.to(torch::kFloat64).mean({2, 3}); };
    EXPECT_LT((mean(scaled) - mean(bytes)).abs().max().item<double>(), 2.0) << side;
  }
  const auto flat = torch::full({1, 1, 16, 16}, 77, torch::kUInt8);
  EXPECT_TRUE(brought_near(flat, {28, 28, 1}).eq(77).all().item<bool>());
}

TEST(FitForm, RefusesImagesAgainstATable) {
  io::PointSet table;
  table.values = Matrix(3, 784);
  table.source = "table.csv";
  const auto message = message_of([&] { (void)fit_form(images(1, {28, 28, 1}, "digits"), table); });
  EXPECT_NE(message.find("table.csv does not"), std::string::npos) << message;
}

TEST(FitForm, ScalesColumnsByTheSourceAlone) {
  io::PointSet source, target;
  source.values = Matrix({1.0, 10.0, 3.0, 10.0}, 2, 2);
  target.values = Matrix({100.0, 10.0}, 1, 2);
  const auto form = fit_form(source, target);
  EXPECT_EQ(form.shift, (std::vector<double>{2.0, 10.0}));
  EXPECT_EQ(form.scale, (std::vector<double>{1.0, 1.0}));
  const auto rows = rows_of(target, form).take(torch::zeros({1}, torch::kInt64));
  EXPECT_FLOAT_EQ(rows[0][0].item<float>(), 98.0F);
}

TEST(DomainRows, CutsInTheMiddleAndKeepsPixels) {
  const auto points = images(2, {20, 20, 1}, "x");
  const InputForm form{.image = {16, 16, 3}, .shift = {}, .scale = {}};
  const auto rows = rows_of(points, form).take(torch::tensor({1}, torch::kInt64));
  ASSERT_EQ(rows.sizes(), (at::IntArrayRef{1, 1, 16, 16}));  // grey stays grey
  for (const std::int64_t y : {0, 7, 15}) {
    const double byte = points.values(1, static_cast<std::size_t>((y + 2) * 20 + 2 + 5)) * 255.0;
    EXPECT_NEAR(rows[0][0][y][5].item<double>(), byte / 127.5 - 1.0, 1e-6);
  }
}

TEST(DomainRows, RandomCutsAreWindowsOfTheImage) {
  const auto points = images(1, {18, 18, 3}, "x");
  const InputForm form{.image = {16, 16, 3}, .shift = {}, .scale = {}};
  const auto rows = rows_of(points, form);
  train::Draws draws(Rng(5), torch::kCPU);
  const auto cut = rows.take(torch::zeros({64}, torch::kInt64), draws, {.anywhere = true});
  const InputForm whole_form{.image = {18, 18, 3}, .shift = {}, .scale = {}};
  const auto whole = rows_of(points, whole_form).take(torch::zeros({1}, torch::kInt64))[0];
  std::set<std::pair<int, int>> places;
  for (std::int64_t i = 0; i < 64; ++i) {
    bool found = false;
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x) {
        if (!torch::equal(cut[i], whole.narrow(1, y, 16).narrow(2, x, 16))) continue;
        places.insert({y, x});
        found = true;
      }
    }
    EXPECT_TRUE(found) << i;
  }
  EXPECT_EQ(places.size(), 9U);  // all nine places, each with a chance of 1/9 in 64 draws
}

TEST(Classes, AreOrderedByValueAndMayHaveGaps) {
  const io::Labels labels{.values = {10, 2, 7, 2}, .names = {}};
  const auto classes = classes_of(labels);
  EXPECT_EQ(classes.names, (std::vector<std::string>{"2", "7", "10"}));
  EXPECT_EQ(classes.indices_of(labels), (std::vector<std::int64_t>{2, 0, 1, 0}));
  const io::Labels other{.values = {7, 3}, .names = {}};
  EXPECT_EQ(classes.indices_of(other), (std::vector<std::int64_t>{1, -1}));
}

TEST(Classes, NeedTwoOfThem) {
  const auto message = message_of([] {
    (void)classes_of(io::Labels{.values = {4, 4}, .names = {}});
  });
  EXPECT_NE(message.find("only 4"), std::string::npos) << message;
}

TEST(HoldOut, KeepsTheShareOfEachClassAndNothingOfSmallOnes) {
  std::vector<std::int64_t> class_of(100, 0);
  class_of.insert(class_of.end(), 10, 1);
  const auto split = hold_out(class_of, 2, 0.1, Rng(1));
  EXPECT_EQ(split.held_out.size(), 10U);
  EXPECT_EQ(split.training.size(), 100U);
  for (const auto row : split.held_out) EXPECT_EQ(class_of[static_cast<std::size_t>(row)], 0);
  EXPECT_TRUE(std::is_sorted(split.training.begin(), split.training.end()));
}

}  // namespace
}  // namespace nw::adapt
