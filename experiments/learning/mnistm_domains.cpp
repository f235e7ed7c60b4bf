#include "experiments/learning/mnistm_domains.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "nw/base/error.hpp"

namespace nw::experiments {
namespace {

constexpr std::int64_t kSide = 28;  // what the paper's network sees

/// At most `limit` of the places; 0: all.
std::vector<std::size_t> limited(std::vector<std::size_t> places, std::size_t limit, Rng& rng) {
  if (limit > 0 && places.size() > limit) {
    rng.shuffle(std::span(places));
    places.resize(limit);
  }
  return places;
}

}  // namespace

std::vector<std::size_t> choose_places(const data::ByteImages& set, const std::vector<int>& classes,
                                       const std::vector<double>& proportions, Rng& rng) {
  if (!proportions.empty()) {
    return data::choose_by_proportions(set.labels, classes, proportions, rng);
  }
  std::vector<std::size_t> places(set.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

LabelledRows labelled_rows(const data::ByteImages& set, const std::vector<std::size_t>& places,
                           const std::vector<int>& classes, const adapt::InputForm& form) {
  const auto height = static_cast<std::int64_t>(set.shape.height);
  const auto width = static_cast<std::int64_t>(set.shape.width);
  const auto channels = static_cast<std::int64_t>(set.shape.channels);
  auto bytes = torch::empty({static_cast<std::int64_t>(places.size()), height, width, channels},
                            torch::kUInt8);
  auto* to = bytes.data_ptr<std::uint8_t>();
  LabelledRows part;
  for (const std::size_t place : places) {
    const auto image = set.image(place);
    std::memcpy(to, image.data(), image.size());
    to += image.size();
    const auto found = std::find(classes.begin(), classes.end(), int{set.labels[place]});
    part.class_of.push_back(found - classes.begin());
  }
  part.rows = {adapt::brought_near(bytes.permute({0, 3, 1, 2}).contiguous(), form.image), form};
  return part;
}

DigitSets load_digits(const std::filesystem::path& folder) {
  if (folder.empty()) {
    throw IoError(
        "this table needs MNIST, the train pictures of BSDS500 and the patch tables of MNIST-M: "
        "give the folder of mnist/, bsds500_train/ and mnist_m/ with `data`");
  }
  const auto backgrounds = data::load_backgrounds(folder / "bsds500_train");
  DigitSets sets;
  sets.mnist = data::load_mnist(folder / "mnist", data::Split::train);
  sets.published = true;
  for (const auto split : {data::Split::train, data::Split::test}) {
    const auto digits =
        split == data::Split::train ? sets.mnist : data::load_mnist(folder / "mnist", split);
    const auto patches = data::read_patches(
        folder / "mnist_m" / concat("mnist_m_", data::to_string(split), "_patches.bin"));
    auto& built = split == data::Split::train ? sets.mnist_m : sets.mnist_m_test;
    built = data::build_mnist_m(digits, backgrounds, patches);
    sets.published = sets.published && data::is_published_mnist_m(built, split);
  }
  return sets;
}

DigitDomains digit_domains(const DigitSets& sets, int modes, std::uint64_t seed,
                           std::size_t limit) {
  DigitDomains domains;
  domains.form.image = {kSide, kSide, 3};
  Rng rng(seed);
  data::ImbalancedSetting setting;
  if (modes > 0) {
    setting = data::imbalanced_setting(modes);
  } else {
    setting.classes.resize(10);
    std::iota(setting.classes.begin(), setting.classes.end(), 0);
  }
  for (const int label : setting.classes) domains.classes.names.push_back(std::to_string(label));
  const auto take = [&](const data::ByteImages& set, const std::vector<double>& proportions) {
    return labelled_rows(set,
                         limited(choose_places(set, setting.classes, proportions, rng), limit, rng),
                         setting.classes, domains.form);
  };
  domains.source = take(sets.mnist, setting.source);
  domains.target = take(sets.mnist_m, setting.target);
  domains.test = take(sets.mnist_m_test, setting.target);
  return domains;
}

}  // namespace nw::experiments
