#include "nw/base/share_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace nw {

void share_from(Team& team, int owner, std::vector<std::byte>& bytes) {
  const bool mine = team.rank() == owner;
  double size = mine ? static_cast<double>(bytes.size()) : 0.0;
  team.sum(std::span(&size, 1));
  bytes.resize(static_cast<std::size_t>(size));
  // Four bytes make a whole number that a double holds; those of others are zero.
  constexpr std::size_t kBlock = std::size_t{1} << 18, kWord = 4;
  std::vector<double> words;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kBlock * kWord) {
    const std::size_t length = std::min(kBlock * kWord, bytes.size() - begin);
    words.assign((length + kWord - 1) / kWord, 0.0);
    for (std::size_t i = 0; mine && i < words.size(); ++i) {
      std::uint32_t word = 0;
      std::memcpy(&word, &bytes[begin + i * kWord], std::min(kWord, length - i * kWord));
      words[i] = static_cast<double>(word);
    }
    team.sum(std::span(words));
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto word = static_cast<std::uint32_t>(words[i]);
      std::memcpy(&bytes[begin + i * kWord], &word, std::min(kWord, length - i * kWord));
    }
  }
}

}  // namespace nw
