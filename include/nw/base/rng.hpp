// Seeded random numbers that are the same on every platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace nw {

/// Everything a generator needs to go on where it stopped: what a checkpoint keeps.
struct RngState {
  std::uint64_t seed = 0;
  std::array<std::uint64_t, 4> words = {};
  double spare_normal = 0.0;
  bool has_spare_normal = false;
  bool operator==(const RngState&) const = default;
};

/// xoshiro256++ (Blackman and Vigna, 2021), seeded by SplitMix64. The standard library's
/// distributions differ between implementations, so ours are written out.
class Rng {
 public:
  explicit Rng(std::uint64_t seed = 0);
  /// Goes on where the generator with this state stopped.
  explicit Rng(const RngState& state);
  [[nodiscard]] RngState state() const;

  /// An independent generator for task `stream`: the same whatever was drawn from this one, so
  /// parallel work gives the same numbers for every thread count.
  [[nodiscard]] Rng split(std::uint64_t stream) const;

  std::uint64_t bits();
  /// Uniform in [0, 1).
  double uniform();
  /// Uniform in {0, ..., bound - 1}, without modulo bias. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal.
  double normal();
  /// Index drawn with probability proportional to `weights` (non-negative, not all zero).
  std::size_t categorical(std::span<const double> weights);
  /// Fisher-Yates shuffle.
  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
    }
  }

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace nw
