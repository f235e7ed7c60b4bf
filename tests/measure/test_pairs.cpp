// The tests behind the verdict on many pairs at once, without the rest of a comparison: a tenth of
// the time, for measurements of level and power.
//
//   test_pairs PAIRS [DUMP]
//
// PAIRS holds one pair after the other: rows of X, rows of Y, columns and classes as int64, then
// both samples as float64 and, unless the number of classes is 0, the class of every row of X as
// int64, from 0: bench/verdict_pairs.py writes it. Prints a line of JSON for each. DUMP gets what
// the tests saw (rows, scores and members), in the same manner, so that other rules can be tried on
// it.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

#include "nw/base/matrix_view.hpp"

#include "measure/change_tests.hpp"
#include "measure/class_tests.hpp"

namespace {

using nw::measure::ChangeTests;
using nw::measure::PooledRows;

bool read_sample(std::ifstream& file, std::int64_t rows, std::int64_t columns, nw::Matrix& points) {
  points = nw::Matrix(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  auto values = points.values();
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  return static_cast<bool>(file);
}

bool read_classes(std::ifstream& file, std::int64_t rows, std::vector<std::int64_t>& class_of) {
  class_of.resize(static_cast<std::size_t>(rows));
  file.read(reinterpret_cast<char*>(class_of.data()),
            static_cast<std::streamsize>(class_of.size() * sizeof(std::int64_t)));
  return static_cast<bool>(file);
}

// [[share, low, high], ...]
void print_shares(const nw::measure::ShareEstimate& estimate) {
  for (std::size_t c = 0; c < estimate.share.size(); ++c) {
    std::printf("%s[%g, %g, %g]", c == 0 ? "[" : ", ", estimate.share[c], estimate.interval[c].low,
                estimate.interval[c].high);
  }
  std::printf("]");
}

void print_classes(const PooledRows& pool, const ChangeTests& tests, std::size_t classes,
                   const std::vector<std::int64_t>& class_of) {
  std::vector<std::uint32_t> pooled;
  for (std::size_t i = 0; i < pool.in_x; ++i) {
    pooled.push_back(static_cast<std::uint32_t>(class_of[pool.row[i]]));
  }
  const auto known = nw::measure::test_classes(pool, pooled, {.classes = classes},
                                               nw::Rng(pool.fingerprint).split(9));
  std::printf(", \"p_classes\": %g, \"p_both\": %g, \"share_y\": ", known.p,
              nw::measure::with_classes(tests.p_components, known.p, 0.05));
  print_shares(known.share_y);
  for (const auto& [name, shares] : known.routes) {
    std::printf(", \"%s\": ", name.c_str());
    print_shares(shares);
  }
}

void dump(std::ofstream& file, const PooledRows& pool, const ChangeTests& tests) {
  const auto whole = [&](std::size_t value) {
    const auto number = static_cast<std::int64_t>(value);
    file.write(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const auto values = [&](const double* first, std::size_t count) {
    file.write(reinterpret_cast<const char*>(first),
               static_cast<std::streamsize>(count * sizeof(double)));
  };
  const auto matrix = [&](const nw::measure::RowMatrix& m) {
    whole(static_cast<std::size_t>(m.rows()));
    whole(static_cast<std::size_t>(m.cols()));
    values(m.data(), static_cast<std::size_t>(m.size()));
  };
  whole(pool.in_x);
  whole(pool.in_y);
  for (const std::size_t r : pool.row) whole(r);
  values(tests.score.data(), tests.score.size());
  matrix(pool.scaled);
  matrix(tests.member_points);
  whole(tests.choice.k);
  whole(tests.choice.fits.size());
  for (const auto& fit : tests.choice.fits) {
    values(&fit.bic, 1);
    for (const auto& pi : fit.model.pi) values(pi.data(), pi.size());
    matrix(nw::measure::ComponentDensity(fit.model.mixture, tests.choice.ridge)
               .log_density(nw::measure::as_view(tests.member_points)));
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "test_pairs PAIRS [DUMP]\n");
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  std::ofstream seen;
  if (count > 2) seen.open(arguments[2], std::ios::binary);
  std::int64_t size[4];
  std::vector<std::int64_t> class_of;
  nw::Matrix x, y;
  while (file.read(reinterpret_cast<char*>(size), sizeof size) &&
         read_sample(file, size[0], size[2], x) && read_sample(file, size[1], size[2], y) &&
         (size[3] == 0 || read_classes(file, size[0], class_of))) {
    const PooledRows pool = nw::measure::pool_rows({x, {}}, {y, {}}, 2000);
    const ChangeTests tests = nw::measure::test_changes(pool, {});
    std::printf(
        "{\"p_energy\": %g, \"p_score\": %g, \"p_same\": %g, \"p_ratio\": %g, \"p_ratio_narrow\": "
        "%g, \"p_members\": %g, "
        "\"p_components\": %g, \"k\": %zu, \"smallest_share\": %g, \"share_bound\": %g",
        tests.p_energy, tests.p_score, tests.p_same, tests.p_ratio, tests.p_ratio_narrow,
        tests.p_members, tests.p_components, tests.choice.k, tests.smallest_share,
        tests.share_bound);
    if (size[3] > 0) print_classes(pool, tests, static_cast<std::size_t>(size[3]), class_of);
    std::printf("}\n");
    std::fflush(stdout);
    if (seen.is_open()) dump(seen, pool, tests);
  }
}
