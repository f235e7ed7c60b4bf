#include "experiments/bench/point_clouds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace nw::experiments {
namespace {

constexpr double kMasses[] = {0.4, 0.3, 0.2, 0.1};
constexpr std::size_t kComponents = std::size(kMasses);

Matrix sample_mixture(std::size_t n, const Matrix& centres, std::vector<double> masses, Rng& rng) {
  Matrix points(n, centres.cols());
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t component = rng.categorical(masses);
    for (std::size_t j = 0; j < centres.cols(); ++j)
      points(i, j) = centres(component, j) + rng.normal();
  }
  return points;
}

/// X and Y filled by calls of point(row, rng), where row is the span to fill.
template <typename Point>
CloudPair planar_clouds(std::string name, std::size_t n, std::size_t m, Rng& rng, Point&& point) {
  CloudPair pair{.name = std::move(name), .x = Matrix(n, 2), .y = Matrix(m, 2)};
  for (std::size_t i = 0; i < n; ++i) point(pair.x.row(i), rng);
  for (std::size_t i = 0; i < m; ++i) point(pair.y.row(i), rng);
  return pair;
}

CloudPair scaled(CloudPair pair, std::string name, double factor) {
  pair.name = std::move(name);
  for (double& value : pair.x.values()) value *= factor;
  for (double& value : pair.y.values()) value *= factor;
  return pair;
}

CloudPair duplicated_clouds(std::size_t n, Rng& rng) {
  constexpr std::size_t kCopies = 10;
  CloudPair pair = mixture_clouds(n, 2, rng);
  pair.name = "duplicates";
  for (Matrix* cloud : {&pair.x, &pair.y}) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto original = cloud->row(i - i % kCopies);
      std::copy(original.begin(), original.end(), cloud->row(i).begin());
    }
  }
  return pair;
}

CloudPair heavy_weight_clouds(std::size_t n, Rng& rng) {
  CloudPair pair = mixture_clouds(n, 2, rng);
  pair.name = "heavy-weight";
  pair.x_weights.assign(n, 1.0);
  pair.y_weights.assign(n, 1.0);
  pair.x_weights[0] = 9.0 * static_cast<double>(n);  // nine tenths of the mass in one point
  return pair;
}

}  // namespace

CloudPair mixture_clouds(std::size_t n, std::size_t dimension, Rng rng) {
  Matrix centres(kComponents, dimension);
  for (double& value : centres.values()) value = 4.0 * rng.normal();
  const std::vector<double> masses(std::begin(kMasses), std::end(kMasses));
  const std::vector<double> reversed(masses.rbegin(), masses.rend());
  Matrix x = sample_mixture(n, centres, masses, rng);
  Matrix y = sample_mixture(n, centres, reversed, rng);
  return {.name = "mixture", .x = std::move(x), .y = std::move(y)};
}

CloudPair far_clouds(std::size_t n, Rng rng) {
  CloudPair pair = planar_clouds("far", n, n, rng, [](auto row, Rng& r) {
    for (double& value : row) value = r.normal();
  });
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = pair.y.row(i);
    row[0] = 2.0 + 0.5 * row[0];
    row[1] = 0.5 + 1.5 * row[1];
  }
  return pair;
}

CloudPair near_clouds(std::size_t n, Rng rng) {
  return planar_clouds("near", n, n, rng, [](auto row, Rng& r) {
    for (double& value : row) value = r.uniform();
  });
}

CloudPair weighted_mixture_clouds(std::size_t n, std::size_t dimension, Rng rng) {
  CloudPair pair = mixture_clouds(n, dimension, rng);
  pair.name = "weighted";
  Rng weights = rng.split(1);
  for (auto* side : {&pair.x_weights, &pair.y_weights}) {
    side->resize(n);
    for (double& weight : *side) weight = 1.0 - weights.uniform();
  }
  return pair;
}

std::vector<CloudPair> degenerate_clouds(std::size_t n, const Rng& seed) {
  std::vector<CloudPair> cases;
  const auto next_rng = [&] { return seed.split(cases.size()); };
  const auto add = [&](const char* name, std::size_t targets, auto&& point) {
    Rng rng = next_rng();
    cases.push_back(planar_clouds(name, n, targets, rng, point));
  };

  add("all-equal", n, [](auto row, Rng&) { row[0] = row[1] = 1.0; });
  cases.push_back(mixture_clouds(n, 2, next_rng()));
  cases.back().name = "identical";
  cases.back().y = cases.back().x;
  Rng rng = next_rng();
  cases.push_back(duplicated_clouds(n, rng));
  const auto side = std::max<std::uint64_t>(2, static_cast<std::uint64_t>(std::sqrt(n) / 2.0));
  add("lattice", n, [side](auto row, Rng& r) {  // fewer places than points: ties and duplicates
    for (double& value : row) value = static_cast<double>(r.below(side));
  });
  add("colinear", n, [](auto row, Rng& r) {
    row[0] = r.normal();
    row[1] = 2.0 * row[0];
  });
  cases.push_back(mixture_clouds(n + 1 - n % 2, 2, next_rng()));
  cases.back().name = "odd-n";
  cases.push_back(scaled(mixture_clouds(n, 2, next_rng()), "scale-1e-150", 1e-150));
  cases.push_back(scaled(mixture_clouds(n, 2, next_rng()), "scale-1e150", 1e150));
  rng = next_rng();
  cases.push_back(heavy_weight_clouds(n, rng));
  add("n-over-3", std::max<std::size_t>(1, n / 3), [](auto row, Rng& r) {
    for (double& value : row) value = r.normal();
  });
  cases.push_back(mixture_clouds(n, 2, next_rng()));
  cases.back().name = "far-shifted";
  for (double& value : cases.back().y.values()) value += 1000.0;
  add("cauchy", n, [](auto row, Rng& r) {
    for (double& value : row) value = std::tan(std::numbers::pi * (r.uniform() - 0.5));
  });
  add("circle", n, [](auto row, Rng& r) {
    const double angle = 2.0 * std::numbers::pi * r.uniform();
    row[0] = std::cos(angle);
    row[1] = std::sin(angle);
  });
  return cases;
}

}  // namespace nw::experiments
