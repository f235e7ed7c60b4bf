// The short, repeatable part of fuzzing: every seed and thousands of its mutations through every
// parser. scripts/fuzz.sh does the long part.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "fuzz/parser_feeds.hpp"
#include "io/io_test_support.hpp"

namespace nw::fuzz {
namespace {

constexpr int kMutationsPerParser = 4000;

std::vector<std::string> seeds_of(std::string_view parser) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(NW_FUZZ_CORPUS) / std::string(parser))) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::string> seeds;
  for (const auto& file : files) seeds.push_back(io::test::content_of_file(file));
  return seeds;
}

std::size_t place_in(const std::string& bytes, Rng& rng) {
  return static_cast<std::size_t>(rng.below(bytes.size() + 1));
}

void mutate(std::string& bytes, const std::vector<std::string>& seeds, Rng& rng) {
  constexpr std::string_view kTelling("\0\1\x7f\x80\xff\"\n\r,;\t -.e9(){}'", 22);
  const std::size_t at = place_in(bytes, rng);
  switch (rng.below(7)) {
    case 0:
      if (at < bytes.size()) bytes[at] ^= static_cast<char>(1 << rng.below(8));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = kTelling[rng.below(kTelling.size())];
      break;
    case 2:
      bytes.insert(at, 1 + rng.below(4), kTelling[rng.below(kTelling.size())]);
      break;
    case 3:
      bytes.erase(at, 1 + rng.below(8));
      break;
    case 4:
      bytes.resize(at);
      break;
    case 5:  // a field of four bytes becomes extreme
      for (std::size_t i = at; i < std::min(at + 4, bytes.size()); ++i) bytes[i] = '\xff';
      break;
    default: {
      const std::string& other = seeds[rng.below(seeds.size())];
      bytes.insert(at, other, place_in(other, rng), rng.below(64));
    }
  }
}

bool feed(const Parser& parser, const std::string& bytes) {
  return parser.feed(std::as_bytes(std::span(bytes)));
}

class EveryParser : public testing::TestWithParam<Parser> {};

TEST_P(EveryParser, AcceptsASeed) {
  const auto seeds = seeds_of(GetParam().name);
  const auto accepted =
      std::ranges::count_if(seeds, [](const auto& seed) { return feed(GetParam(), seed); });
  EXPECT_GE(accepted, 2) << "of " << seeds.size() << " seeds";
}

TEST_P(EveryParser, AnswersMutatedSeedsWithAResultOrAnIoError) {
  const auto seeds = seeds_of(GetParam().name);
  Rng rng(4711);
  int accepted = 0;
  for (int i = 0; i < kMutationsPerParser; ++i) {
    std::string bytes = seeds[static_cast<std::size_t>(i) % seeds.size()];
    for (std::uint64_t steps = 1 + rng.below(3); steps > 0; --steps) mutate(bytes, seeds, rng);
    ASSERT_NO_THROW(accepted += feed(GetParam(), bytes) ? 1 : 0) << "mutation " << i;
  }
  // Neither answer alone would show that mutations reach the inside of the parser.
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, kMutationsPerParser);
}

INSTANTIATE_TEST_SUITE_P(Corpus, EveryParser, testing::ValuesIn(kParsers),
                         [](const auto& parser) { return std::string(parser.param.name); });

}  // namespace
}  // namespace nw::fuzz
