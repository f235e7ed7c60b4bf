#include "experiments/learning/picture_domains.hpp"

#include <numeric>

#include "nw/base/matrix_rows.hpp"
#include "nw/data/byte_images.hpp"

namespace nw::experiments {
namespace {

std::vector<std::uint8_t> labels_of(const PictureDomain& domain) {
  if (domain.has_images()) return domain.images.labels;
  const auto& values = domain.features.labels->values;
  return {values.begin(), values.end()};
}

std::vector<std::size_t> draw_places(const PictureDomain& domain,
                                     const std::vector<double>& proportions, Rng rng) {
  std::vector<int> classes(proportions.size());
  std::iota(classes.begin(), classes.end(), 0);
  return data::choose_by_proportions(labels_of(domain), classes, proportions, rng);
}

std::vector<std::int64_t> classes_at(const PictureDomain& domain,
                                     const std::vector<std::size_t>& places) {
  const auto labels = labels_of(domain);
  std::vector<std::int64_t> result;
  for (const auto place : places) result.push_back(labels[place]);
  return result;
}

io::PointSet features_at(const PictureDomain& domain, const std::vector<std::size_t>& places) {
  const auto& all = domain.features;
  io::PointSet some;
  some.source = all.source;
  some.values = rows_at(all.values, places);
  return some;
}

adapt::DomainRows images_at(const PictureDomain& domain, const std::vector<std::size_t>& places,
                            const adapt::InputForm& form) {
  const std::vector<std::int64_t> rows(places.begin(), places.end());
  return {domain.images.bytes.index_select(0, torch::tensor(rows, torch::kInt64)), form};
}

}  // namespace

PicturePair draw_pair(const PictureDomain& source, const std::vector<double>& source_proportions,
                      const PictureDomain& target, const std::vector<double>& target_proportions,
                      const Rng& rng) {
  const auto from = draw_places(source, source_proportions, rng.split(1));
  const auto to = draw_places(target, target_proportions, rng.split(2));
  PicturePair pair;
  pair.source_class = classes_at(source, from);
  pair.target_class = classes_at(target, to);
  if (source.has_images()) {
    pair.form.image = {source.images.bytes.size(2), source.images.bytes.size(3), 3};
    pair.source = images_at(source, from, pair.form);
    pair.target = images_at(target, to, pair.form);
  } else {
    const auto a = features_at(source, from), b = features_at(target, to);
    pair.form = adapt::fit_form(a, b);
    pair.source = adapt::rows_of(a, pair.form);
    pair.target = adapt::rows_of(b, pair.form);
  }
  return pair;
}

}  // namespace nw::experiments
