#include "app/clustering/feature_tensors.hpp"

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

io::TensorView view(const std::string& name, const Matrix& matrix) {
  return io::view_tensor<double>(name, matrix.values(), {matrix.rows(), matrix.cols()});
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
  const std::size_t n = map.reference.rows();
  const auto& [mean, axes] = map.axes;
  const bool fits =
      n > 0 && map.scale.size() == n && map.coordinates.rows() == n &&
      (axes.rows() == 0 ? map.reference.cols() == mean.size()
                        : axes.rows() == map.reference.cols() && axes.cols() == mean.size());
  if (!fits) throw IoError(concat(reader.source(), ": the parts of the diffusion map do not fit"));
  return map;
}

}  // namespace nw::app
