// Digits by several hands and cameras as pairs of domains, in proportions of all kinds.
#pragma once

#include <string>
#include <vector>

#include "nw/data/public_sets.hpp"

#include "experiments/learning/mnistm_domains.hpp"

namespace nw::experiments {

/// One set of digits as source, another one as target.
enum class DigitPair { mnist_usps, usps_mnist, svhn_mnist, mnist_mnistm };

/// How classes come in source and target: as they are; as in the study of label shift, 2:...:1
/// against 1:...:4; or the target by a Dirichlet draw of every seed.
enum class ClassShift { none, skewed, dirichlet_1, dirichlet_03 };

[[nodiscard]] const char* to_string(DigitPair pair);
[[nodiscard]] const char* to_string(ClassShift shift);

/// Both sets of a pair in full.
struct DigitPairSets {
  data::ByteImages source, target;
  std::string source_name, target_name;
};

/// From a folder that holds mnist/, usps/, svhn_digits/, and for MNIST-M bsds500_train/ and
/// mnist_m/. Throws IoError.
[[nodiscard]] DigitPairSets load_digit_pair(const std::filesystem::path& folder, DigitPair pair);

/// Rows of both sets as colour images of 32 x 32 pixels, at most `limit` a side; the target's are
/// what is scored.
[[nodiscard]] DigitDomains draw_digit_pair(const DigitPairSets& sets, ClassShift shift,
                                           std::uint64_t seed, std::size_t limit);

/// A draw from the symmetric Dirichlet distribution.
[[nodiscard]] std::vector<double> dirichlet(std::size_t classes, double alpha, Rng& rng);

}  // namespace nw::experiments
