// MNIST as the source and MNIST-M as the target of the paper's tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nw/adapt/domain.hpp"
#include "nw/data/public_sets.hpp"

namespace nw::experiments {

/// Both sets in full, built once.
struct DigitSets {
  data::ByteImages mnist, mnist_m, mnist_m_test;
  bool published = false;  ///< MNIST-M is the published one, bit for bit
};

/// From a folder that holds mnist/, bsds500_train/ and mnist_m/. Throws IoError.
[[nodiscard]] DigitSets load_digits(const std::filesystem::path& folder);

/// Rows of a set, and the place of each label among some classes.
struct LabelledRows {
  adapt::DomainRows rows;
  std::vector<std::int64_t> class_of;
};

/// The images of the given places as rows of a form.
[[nodiscard]] LabelledRows labelled_rows(const data::ByteImages& set,
                                         const std::vector<std::size_t>& places,
                                         const std::vector<int>& classes,
                                         const adapt::InputForm& form);

/// The places of images in the given proportions of classes, as many as there can be; all of them
/// where no proportions are given.
[[nodiscard]] std::vector<std::size_t> choose_places(const data::ByteImages& set,
                                                     const std::vector<int>& classes,
                                                     const std::vector<double>& proportions,
                                                     Rng& rng);

/// One setting of a table: rows that are learnt from, and rows that are scored.
struct DigitDomains {
  adapt::InputForm form;
  adapt::Classes classes;
  LabelledRows source, target, test;
};

/// `modes` is 3, 5 or 10 for the paper's proportions; 0 takes everything. Subsets are drawn from
/// `seed`; `limit` > 0 keeps at most so many rows of each part.
[[nodiscard]] DigitDomains digit_domains(const DigitSets& sets, int modes, std::uint64_t seed,
                                         std::size_t limit = 0);

}  // namespace nw::experiments
