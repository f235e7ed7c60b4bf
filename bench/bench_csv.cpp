// How fast a table of a million rows and ten columns is read, and how much memory that takes.
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <benchmark/benchmark.h>

#include "nw/base/rng.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/load_input.hpp"
#include "nw/io/points.hpp"
#include "nw/io/write.hpp"

namespace {

constexpr std::size_t kRows = 1'000'000, kCols = 10;

/// Written once, removed at the end. `decimals` rounds the normal values; 17 digits otherwise.
class TableFile {
 public:
  explicit TableFile(int decimals) {
    std::string pattern = (std::filesystem::temp_directory_path() / "nw-bench-csv-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
    nw::Rng rng(1);
    nw::Matrix matrix(kRows, kCols);
    const double unit = std::pow(10.0, decimals);
    for (double& value : matrix.values()) {
      value = decimals > 0 ? std::round(rng.normal() * unit) / unit : rng.normal();
    }
    nw::io::write_csv(path(), matrix);
  }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;
  ~TableFile() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "table.csv"; }

 private:
  std::filesystem::path folder_;
};

void read_table(benchmark::State& state, const TableFile& file) {
  const nw::io::LoadOptions options{.threads = static_cast<int>(state.range(0))};
  for (auto _ : state) {
    benchmark::DoNotOptimize(nw::io::load_points(file.path(), options));
  }
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file.path()));
  state.SetBytesProcessed(state.iterations() * bytes);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
  state.counters["peak_rss_mb"] = nw::peak_rss_mb();
}

/// The same with kinds of columns found out, as for commands on tables.
void read_columns(benchmark::State& state) {
  static const TableFile file(6);
  const nw::io::LoadOptions options{.threads = static_cast<int>(state.range(0))};
  for (auto _ : state) {
    benchmark::DoNotOptimize(nw::io::load_input(file.path(), options));
  }
}

void read_full_precision(benchmark::State& state) {
  static const TableFile file(0);
  read_table(state, file);
}

void read_six_decimals(benchmark::State& state) {
  static const TableFile file(6);
  read_table(state, file);
}

}  // namespace

BENCHMARK(read_full_precision)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_six_decimals)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_columns)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_MAIN();
