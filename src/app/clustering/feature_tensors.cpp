#include "app/clustering/feature_tensors.hpp"

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

io::TensorView view(const std::string& name, const Matrix& matrix) {
  return io::view_tensor<double>(name, matrix.values(), {matrix.rows(), matrix.cols()});
}

/// A side of an image or its number of channels.
std::size_t positive(const TensorReader& reader, const char* name) {
  constexpr double kMost = 1e5;
  const auto value = reader.vector(name);
  if (value.size() != 1 || !(value[0] >= 1.0 && value[0] <= kMost)) {
    throw IoError(concat(reader.source(), ": not a cluster model: ", name, " is out of range"));
  }
  return static_cast<std::size_t>(value[0]);
}

}  // namespace

std::vector<double> TensorReader::vector(const std::string& name) const {
  return tensor(name, 1).to_doubles();
}

Matrix TensorReader::matrix(const std::string& name) const {
  const auto& stored = tensor(name, 2);
  return {stored.to_doubles(), static_cast<std::size_t>(stored.shape[0]),
          static_cast<std::size_t>(stored.shape[1])};
}

const io::Tensor& TensorReader::tensor(const std::string& name, std::size_t dimensions) const {
  const io::Tensor* stored = content_.find(name);
  if (stored == nullptr || stored->shape.size() != dimensions) {
    throw IoError(concat(source_, ": not a cluster model: ", name, " is missing or misshapen"));
  }
  return *stored;
}

void add_feature_tensors(const cluster::DiffusionMap& map, std::vector<io::TensorView>& tensors) {
  tensors.push_back(io::view_tensor<double>("features.mean", map.axes.mean));
  tensors.push_back(view("features.axes", map.axes.axes));
  tensors.push_back(view("features.reference", map.reference));
  tensors.push_back(io::view_tensor<double>("features.scale", map.scale));
  tensors.push_back(view("features.coordinates", map.coordinates));
  tensors.push_back(io::view_tensor<double>("features.eigenvalues", map.eigenvalues));
  if (!map.image) return;
  const auto add = [&](const char* name, const std::size_t& value) {
    tensors.push_back(io::view_tensor<std::size_t>(name, {&value, 1}));
  };
  add("features.height", map.image.height);
  add("features.width", map.image.width);
  add("features.channels", map.image.channels);
}

std::optional<cluster::DiffusionMap> read_feature_tensors(const TensorReader& reader) {
  if (!reader.has("features.mean")) return std::nullopt;
  cluster::DiffusionMap map{
      .axes = {.mean = reader.vector("features.mean"), .axes = reader.matrix("features.axes")},
      .reference = reader.matrix("features.reference"),
      .scale = reader.vector("features.scale"),
      .coordinates = reader.matrix("features.coordinates"),
      .eigenvalues = reader.vector("features.eigenvalues"),
      .bimodality = {}};
  if (reader.has("features.height")) {
    map.image = {.height = positive(reader, "features.height"),
                 .width = positive(reader, "features.width"),
                 .channels = positive(reader, "features.channels")};
  }
  const std::size_t n = map.reference.rows();
  const auto& [mean, axes] = map.axes;
  const bool fits =
      n > 0 && (!map.image || mean.size() == cluster::kEdgeValues) && map.scale.size() == n &&
      map.coordinates.rows() == n &&
      (axes.rows() == 0 ? map.reference.cols() == mean.size()
                        : axes.rows() == map.reference.cols() && axes.cols() == mean.size());
  if (!fits) throw IoError(concat(reader.source(), ": the parts of the diffusion map do not fit"));
  return map;
}

}  // namespace nw::app
