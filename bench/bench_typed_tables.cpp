// How fast Parquet and Arrow files are decoded into columns. bench/typed_tables.sh lets other
// writers make the files in the folder NW_BENCH_TABLES and starts this.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "nw/io/load_input.hpp"

namespace {

std::int64_t decoded_bytes(const nw::io::RawTable& table) {
  std::size_t bytes = 0;
  for (const nw::io::RawColumn& column : table.columns) {
    bytes += column.numbers.size() * sizeof(double) + column.codes.size() * sizeof(std::uint32_t);
  }
  return static_cast<std::int64_t>(bytes);
}

void read_file(benchmark::State& state, const std::filesystem::path& file) {
  const nw::io::LoadOptions options{.threads = static_cast<int>(state.range(0))};
  std::int64_t bytes = 0;
  for (auto _ : state) {
    bytes += decoded_bytes(nw::io::load_input(file, options).table.value());
  }
  state.SetBytesProcessed(bytes);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (const char* const folder = std::getenv("NW_BENCH_TABLES")) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      benchmark::RegisterBenchmark(
          entry.path().filename().string().c_str(),
          [path = entry.path()](benchmark::State& state) { read_file(state, path); })
          ->Arg(1)
          ->Arg(2)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
