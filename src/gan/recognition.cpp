#include "nw/gan/recognition.hpp"

#include "nw/base/error.hpp"
#include "nw/gan/component_rows.hpp"

namespace nw::gan {
namespace {

using torch::Tensor;

enum Stream : std::uint64_t { kImages = 1, kClassifier = 2 };

}  // namespace

void RecognitionOptions::validate() const {
  require(images >= 2, "RecognitionOptions.images must be at least 2, got ", images);
}

Recognition recognise(const LearntMixture& mixture, const Tensor& rows,
                      const RecognitionOptions& options, const Rng& rng) {
  options.validate();
  const auto& [generator, pi] = mixture;
  const std::int64_t k = generator.components();
  require(k == static_cast<std::int64_t>(pi.size()), "recognise: ", pi.size(), " proportions for ",
          k, " components");
  auto how = options.classifier;
  how.image = generator.options().image;
  how.classes = k;
  std::vector<Tensor> made;
  std::vector<std::int64_t> maker;
  for (std::int64_t j = 0; j < k; ++j) {
    made.push_back(component_rows(generator, j, options.images,
                                  rng.split(kImages).split(static_cast<std::uint64_t>(j))));
    maker.insert(maker.end(), static_cast<std::size_t>(options.images), j);
  }
  const ImageClassifier classifier(how, {torch::cat(made), maker}, rng.split(kClassifier),
                                   generator.parameters().flat().device());
  // It saw all components equally often; by Bayes' rule their proportions come in afterwards.
  const Tensor weighted = classifier.probabilities(rows).to(torch::kFloat64) *
                          torch::tensor(pi, torch::kFloat64).unsqueeze(0);
  Recognition result;
  result.membership = weighted / weighted.sum(1, /*keepdim=*/true);
  const Tensor likeliest = result.membership.argmax(1).contiguous();
  const std::int64_t* chosen = likeliest.data_ptr<std::int64_t>();
  result.component_of.assign(chosen, chosen + likeliest.numel());
  result.accuracy = classifier.held_out_accuracy();
  return result;
}

}  // namespace nw::gan
