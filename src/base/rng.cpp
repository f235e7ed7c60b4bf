#include "nw/base/rng.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nw {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) : seed_(seed) {
  std::uint64_t state = seed;
  for (auto& word : state_) word = splitmix64(state);
}

Rng::Rng(const RngState& state)
    : seed_(state.seed),
      state_(state.words),
      spare_normal_(state.spare_normal),
      has_spare_normal_(state.has_spare_normal) {}

RngState Rng::state() const {
  return {seed_, state_, spare_normal_, has_spare_normal_};
}

Rng Rng::split(std::uint64_t stream) const {
  std::uint64_t state = seed_ ^ 0x6a09e667f3bcc909ULL;
  const std::uint64_t base = splitmix64(state);
  state = base + stream;
  return Rng(splitmix64(state) ^ base);
}

std::uint64_t Rng::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  // Rejects the few values that would make small results likelier.
  const std::uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t value = bits();
    if (value >= threshold) return value % bound;
  }
}

double Rng::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  // Marsaglia's polar method gives two at a time.
  for (;;) {
    const double u = 2.0 * uniform() - 1.0, v = 2.0 * uniform() - 1.0;
    const double s = u * u + v * v;
    if (s >= 1.0 || s == 0.0) continue;
    const double factor = std::sqrt(-2.0 * std::log(s) / s);
    spare_normal_ = v * factor;
    has_spare_normal_ = true;
    return u * factor;
  }
}

std::size_t Rng::categorical(std::span<const double> weights) {
  double total = 0.0;
  for (const double w : weights) total += w;
  double left = uniform() * total;
  std::size_t last_positive = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    last_positive = i;
    left -= weights[i];
    if (left < 0.0) return i;
  }
  return last_positive;  // rounding may leave a sliver after the last weight
}

}  // namespace nw
