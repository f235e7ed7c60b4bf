#include "nw/nn/mixture_generator.hpp"

#include <algorithm>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"

#include "nn/generator_kinds.hpp"
#include "nn/names.hpp"

namespace nw::nn {
namespace {

constexpr NamedValue<GeneratorKind> kKinds[] = {{"affine", GeneratorKind::affine},
                                                {"mlp", GeneratorKind::mlp},
                                                {"deconvolutional", GeneratorKind::deconvolutional},
                                                {"residual", GeneratorKind::residual}};

constexpr std::int64_t kValuesAtOnce = std::int64_t{1} << 21;

}  // namespace

const char* to_string(GeneratorKind kind) {
  return name_of(kKinds, kind);
}

GeneratorKind generator_kind_from_string(const std::string& name) {
  return value_of(kKinds, name, "generator");
}

void MixtureGeneratorOptions::validate() const {
  const auto positive = [](std::int64_t value, const char* field) {
    require(value > 0, "MixtureGeneratorOptions.", field, " must be positive, got ", value);
  };
  positive(components, "components");
  positive(latent_dim, "latent_dim");
  positive(data_dim, "data_dim");
  positive(channels, "channels");
  for (const auto width : hidden) positive(width, "hidden");
  if (kind == GeneratorKind::deconvolutional || kind == GeneratorKind::residual) {
    require(image.count() == data_dim, "MixtureGeneratorOptions.image has ", image.count(),
            " values, the data ", data_dim);
  }
}

std::unique_ptr<MixtureGenerator> make_mixture_generator(const MixtureGeneratorOptions& options,
                                                         const Rng& rng) {
  options.validate();
  switch (options.kind) {
    case GeneratorKind::affine:
      return make_affine_generator(options, rng);
    case GeneratorKind::mlp:
      return make_mlp_generator(options, rng);
    case GeneratorKind::deconvolutional:
      return make_deconvolutional_generator(options, rng);
    case GeneratorKind::residual:
      return make_residual_generator(options, rng);
  }
  throw InvalidArgument("MixtureGeneratorOptions.kind is unknown");
}

torch::Tensor MixtureGenerator::forward_rows(const torch::Tensor& z,
                                             const std::vector<std::int64_t>& counts,
                                             Mode mode) const {
  require(static_cast<std::int64_t>(counts.size()) == components(), "forward_rows: ", counts.size(),
          " counts for ", components(), " components");
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  require(z.size(0) == total, "forward_rows: ", z.size(0), " rows for counts of ", total);
  const bool equal =
      std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
  if (equal) {
    return forward(z.view({components(), counts[0], z.size(1)}), 0, mode).flatten(0, 1);
  }
  std::vector<torch::Tensor> parts;
  std::int64_t begin = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (counts[j] == 0) continue;
    const auto rows = z.narrow(0, begin, counts[j]).unsqueeze(0);
    parts.push_back(forward(rows, static_cast<std::int64_t>(j), mode).squeeze(0));
    begin += counts[j];
  }
  return torch::cat(parts);
}

bool MixtureGenerator::place(const torch::Tensor&, double) {
  return false;
}

MixtureDraw draw_mixture(const MixtureGenerator& generator, std::span<const double> pi,
                         std::int64_t count, const Rng& rng) {
  require(static_cast<std::int64_t>(pi.size()) == generator.components(),
          "draw_mixture: ", pi.size(), " proportions for ", generator.components(), " components");
  const torch::NoGradGuard no_grad;
  MixtureDraw result;
  std::vector<std::int64_t> counts(pi.size(), 0);
  Rng chooser = rng.split(0);
  for (std::int64_t i = 0; i < count; ++i) {
    result.component_of.push_back(static_cast<std::uint32_t>(chooser.categorical(pi)));
    ++counts[result.component_of.back()];
  }
  // Rows come out sorted by component; row i of the answer is the next one of its component.
  std::vector<std::int64_t> next(counts.size(), 0);
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::int64_t{0});
  auto order = torch::empty({count}, torch::kInt64);
  for (std::int64_t i = 0; i < count; ++i) {
    order.data_ptr<std::int64_t>()[i] = next[result.component_of[static_cast<std::size_t>(i)]]++;
  }
  const auto device = generator.parameters().flat().device();
  const auto z = normal_tensor(rng.split(1), {count, generator.options().latent_dim});
  // In pieces of one component: layers inside hold many times the values of what comes out.
  const std::int64_t piece =
      std::max<std::int64_t>(1, kValuesAtOnce / generator.options().data_dim);
  std::vector<torch::Tensor> rows;
  std::int64_t begin = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    for (std::int64_t left = counts[j]; left > 0; left -= piece) {
      const std::int64_t now = std::min(left, piece);
      const auto part = z.narrow(0, begin, now).unsqueeze(0).to(device);
      const auto made = generator.forward(part, static_cast<std::int64_t>(j), Mode::sampling);
      rows.push_back(made.squeeze(0).to(torch::kCPU));
      begin += now;
    }
  }
  if (rows.empty()) rows.push_back(torch::empty({0, generator.options().data_dim}));
  result.rows = torch::cat(rows).index_select(0, order);
  return result;
}

}  // namespace nw::nn
