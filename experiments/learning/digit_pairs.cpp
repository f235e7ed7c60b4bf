#include "experiments/learning/digit_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/io/labels.hpp"
#include "nw/io/points.hpp"

namespace nw::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSide = 32;
constexpr std::size_t kClasses = 10, kColumns = 50;  // of a sheet of SVHN's crops

data::ByteImages load_usps(const fs::path& folder) {
  return data::read_idx_images(folder / "usps-train-images-idx3-ubyte.gz",
                               folder / "usps-train-labels-idx1-ubyte.gz");
}

/// Sheets svhn_00.jpg, svhn_01.jpg, ... of square crops, and their labels.
data::ByteImages load_svhn(const fs::path& folder) {
  std::vector<fs::path> sheets;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".jpg") sheets.push_back(entry.path());
  }
  if (sheets.empty()) throw IoError(concat(folder.string(), " has no sheets svhn_*.jpg"));
  std::sort(sheets.begin(), sheets.end());
  data::ByteImages set;
  set.shape = {.height = kSide, .width = kSide, .channels = 3};
  for (const auto& sheet : sheets) {
    io::LoadOptions options;
    options.tiles = {.width = kSide, .height = kSide, .columns = kColumns};
    for (const double value : io::load_points(sheet, options).values.values()) {
      set.pixels.push_back(static_cast<std::uint8_t>(std::lround(value * 255.0)));
    }
  }
  const auto labels = io::load_labels(folder / "svhn-labels-idx1-ubyte").values;
  if (labels.empty() || labels.size() * set.image_bytes() > set.pixels.size()) {
    throw IoError(concat(folder.string(), ": more labels than crops, or none"));
  }
  for (const auto label : labels) set.labels.push_back(static_cast<std::uint8_t>(label));
  set.pixels.resize(set.size() * set.image_bytes());
  return set;
}

/// A gamma variable of shape alpha (Marsaglia and Tsang 2000, with their step for alpha < 1).
double gamma_draw(double alpha, Rng& rng) {
  if (alpha < 1.0) return gamma_draw(alpha + 1.0, rng) * std::pow(rng.uniform(), 1.0 / alpha);
  const double d = alpha - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = rng.normal(), v = std::pow(1.0 + c * x, 3);
    if (v > 0.0 && std::log(rng.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) {
      return d * v;
    }
  }
}

/// Proportions of both sides; none: as they come.
struct Proportions {
  std::vector<double> source, target;
};

Proportions proportions_of(ClassShift shift, Rng& rng) {
  switch (shift) {
    case ClassShift::none:
      return {};
    case ClassShift::skewed:
      return {.source = {2, 2, 2, 2, 2, 1, 1, 1, 1, 1},
              .target = {.04, .04, .04, .06, .06, .12, .16, .16, .16, .16}};
    case ClassShift::dirichlet_1:
      return {.source = {}, .target = dirichlet(kClasses, 1.0, rng)};
    case ClassShift::dirichlet_03:
      return {.source = {}, .target = dirichlet(kClasses, 0.3, rng)};
  }
  return {};
}

}  // namespace

const char* to_string(DigitPair pair) {
  switch (pair) {
    case DigitPair::mnist_usps:
      return "mnist-usps";
    case DigitPair::usps_mnist:
      return "usps-mnist";
    case DigitPair::svhn_mnist:
      return "svhn-mnist";
    case DigitPair::mnist_mnistm:
      return "mnist-mnistm";
  }
  return "";
}

const char* to_string(ClassShift shift) {
  switch (shift) {
    case ClassShift::none:
      return "none";
    case ClassShift::skewed:
      return "skewed";
    case ClassShift::dirichlet_1:
      return "dirichlet-1";
    case ClassShift::dirichlet_03:
      return "dirichlet-0.3";
  }
  return "";
}

std::vector<double> dirichlet(std::size_t classes, double alpha, Rng& rng) {
  // A class without any mass would be no class of the target at all.
  constexpr double kLeast = 1e-3;
  std::vector<double> shares(classes);
  for (double& share : shares) share = gamma_draw(alpha, rng);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share = std::max(share / sum, kLeast);
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= all;
  return shares;
}

DigitPairSets load_digit_pair(const fs::path& folder, DigitPair pair) {
  const auto mnist = [&] { return data::load_mnist(folder / "mnist", data::Split::train); };
  switch (pair) {
    case DigitPair::mnist_usps:
      return {mnist(), load_usps(folder / "usps"), "MNIST", "USPS"};
    case DigitPair::usps_mnist:
      return {load_usps(folder / "usps"), mnist(), "USPS", "MNIST"};
    case DigitPair::svhn_mnist:
      return {load_svhn(folder / "svhn_digits"), mnist(), "SVHN", "MNIST"};
    case DigitPair::mnist_mnistm: {
      auto sets = load_digits(folder);
      return {std::move(sets.mnist), std::move(sets.mnist_m), "MNIST", "MNIST-M"};
    }
  }
  return {};
}

DigitDomains draw_digit_pair(const DigitPairSets& sets, ClassShift shift, std::uint64_t seed,
                             std::size_t limit) {
  Rng rng(seed);
  std::vector<int> classes(kClasses);
  std::iota(classes.begin(), classes.end(), 0);
  const auto proportions = proportions_of(shift, rng);
  DigitDomains domains;
  domains.form.image = {kSide, kSide, 3};
  for (const int label : classes) domains.classes.names.push_back(std::to_string(label));
  const auto take = [&](const data::ByteImages& set, const std::vector<double>& shares) {
    auto places = choose_places(set, classes, shares, rng);
    rng.shuffle(std::span(places));
    if (places.size() > limit) places.resize(limit);
    return labelled_rows(set, places, classes, domains.form);
  };
  domains.source = take(sets.source, proportions.source);
  domains.target = take(sets.target, proportions.target);
  return domains;
}

}  // namespace nw::experiments
