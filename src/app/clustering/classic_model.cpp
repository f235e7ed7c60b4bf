#include "app/clustering/classic_model.hpp"

#include <algorithm>
#include <utility>

#include "nw/base/error.hpp"

#include "app/clustering/feature_tensors.hpp"
#include "cluster/row_index.hpp"
#include "measure/dense.hpp"
#include "measure/shared_em.hpp"

namespace nw::app {
namespace {

using measure::as_eigen;
using measure::RowMatrix;

constexpr const char* kKind = "nw clusters";

/// Memberships by distance: exp(-alpha d^2), or all in the nearest for an alpha of 0.
RowMatrix by_distance(MatrixView rows, const Matrix& centres, double alpha) {
  const auto points = as_eigen(rows);
  const auto middle = as_eigen(centres.view());
  RowMatrix distance(points.rows(), middle.rows());
  for (Eigen::Index j = 0; j < middle.rows(); ++j) {
    distance.col(j) = (points.rowwise() - middle.row(j)).rowwise().squaredNorm();
  }
  const Eigen::VectorXd nearest = distance.rowwise().minCoeff();
  RowMatrix membership = distance.colwise() - nearest;
  if (alpha > 0.0) {
    membership = (-alpha * membership.array()).exp();
    const Eigen::VectorXd total = membership.rowwise().sum();
    return membership.array().colwise() / total.array();
  }
  for (Eigen::Index i = 0; i < membership.rows(); ++i) {
    Eigen::Index chosen = 0;
    membership.row(i).minCoeff(&chosen);
    membership.row(i).setZero();
    membership(i, chosen) = 1.0;
  }
  return membership;
}

RowMatrix by_density(MatrixView rows, const ClassicParts& parts) {
  const std::vector<double> weights(rows.rows(), 1.0);
  return measure::posterior(measure::ComponentDensity(parts.mixture, parts.ridge).log_density(rows),
                            parts.pi, weights)
      .probability;
}

/// Memberships by the nearest rows of known clusters, which count by the inverse square of their
/// distance: a row that is among them keeps its cluster.
RowMatrix by_neighbours(MatrixView rows, const ClassicParts& parts, int threads) {
  constexpr std::size_t kNear = 5;
  const std::size_t count = std::min(kNear, parts.reference.rows());
  const auto near =
      cluster::RowIndex(parts.reference).nearest(rows, count, /*skip_self=*/false, threads);
  RowMatrix membership = RowMatrix::Zero(static_cast<Eigen::Index>(rows.rows()),
                                         static_cast<Eigen::Index>(parts.pi.size()));
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    auto row = membership.row(static_cast<Eigen::Index>(i));
    // Rounding keeps a row from lying exactly where it is.
    const double least = 1e-12 * near.distance[i * count + count - 1] + 1e-300;
    for (std::size_t c = 0; c < count; ++c) {
      row(parts.reference_cluster[near.row[i * count + c]]) +=
          1.0 / std::max(near.distance[i * count + c], least);
    }
    row /= row.sum();
  }
  return membership;
}

class ClassicModel final : public ClusterModel {
 public:
  explicit ClassicModel(ClassicParts parts) : parts_(std::move(parts)) {}

  [[nodiscard]] ClusterMethod method() const override { return parts_.method; }
  [[nodiscard]] const std::vector<double>& pi() const override { return parts_.pi; }
  [[nodiscard]] std::size_t dimension() const override {
    if (parts_.map) return parts_.map->dimension();
    if (is_mixture()) return parts_.mixture.dim();
    return knows_rows() ? parts_.reference.cols() : parts_.centres.cols();
  }

  [[nodiscard]] ClusterAssignment assign(MatrixView rows,
                                         const AssignOptions& options) const override {
    require(rows.cols() == dimension(), "the clusters are those of rows of ", dimension(),
            " values, got rows of ", rows.cols());
    const Matrix mapped = parts_.map ? parts_.map->place(rows, options.threads) : Matrix();
    const MatrixView placed = parts_.map ? mapped.view() : rows;
    const RowMatrix membership = is_mixture()   ? by_density(placed, parts_)
                                 : knows_rows() ? by_neighbours(placed, parts_, options.threads)
                                                : by_distance(placed, parts_.centres, parts_.alpha);
    ClusterAssignment result{.cluster = {}, .membership = measure::to_matrix(membership)};
    for (Eigen::Index i = 0; i < membership.rows(); ++i) {
      Eigen::Index chosen = 0;
      membership.row(i).maxCoeff(&chosen);
      result.cluster.push_back(static_cast<std::uint32_t>(chosen));
    }
    return result;
  }

  [[nodiscard]] std::string to_bytes() const override {
    std::vector<io::TensorView> tensors{io::view_tensor<double>("pi", parts_.pi)};
    const auto add = [&](const std::string& name, const Matrix& matrix) {
      tensors.push_back(
          io::view_tensor<double>(name, matrix.values(), {matrix.rows(), matrix.cols()}));
    };
    const std::vector<double> alpha{parts_.alpha}, ridge{parts_.ridge};
    const std::vector<double> known(parts_.reference_cluster.begin(),
                                    parts_.reference_cluster.end());
    if (knows_rows()) {
      add("reference", parts_.reference);
      tensors.push_back(io::view_tensor<double>("reference_cluster", known));
    } else if (is_mixture()) {
      tensors.push_back(io::view_tensor<double>("ridge", ridge));
      for (std::size_t j = 0; j < parts_.mixture.size(); ++j) {
        const auto& component = parts_.mixture.components[j];
        tensors.push_back(io::view_tensor<double>(concat("centre.", j), component.centre));
        add(concat("factor.", j), component.factor);
      }
    } else {
      tensors.push_back(io::view_tensor<double>("alpha", alpha));
      add("centres", parts_.centres);
    }
    if (parts_.map) add_feature_tensors(*parts_.map, tensors);
    return io::safetensors_bytes(tensors,
                                 {{"kind", kKind}, {"method", choice_name(parts_.method)}});
  }

 private:
  [[nodiscard]] bool is_mixture() const { return parts_.mixture.size() > 0; }
  [[nodiscard]] bool knows_rows() const { return parts_.reference.rows() > 0; }

  ClassicParts parts_;
};

ClassicParts read_parts(const TensorReader& reader, ClusterMethod method) {
  ClassicParts parts{.method = method, .pi = reader.vector("pi")};
  const std::size_t k = parts.pi.size();
  if (reader.has("reference")) {
    parts.reference = reader.matrix("reference");
    for (const double cluster : reader.vector("reference_cluster")) {
      require(cluster >= 0.0 && cluster < static_cast<double>(k), "cluster ", cluster, " of ", k);
      parts.reference_cluster.push_back(static_cast<std::uint32_t>(cluster));
    }
    require(parts.reference_cluster.size() == parts.reference.rows(), "clusters of ",
            parts.reference_cluster.size(), " rows, there are ", parts.reference.rows());
  } else if (reader.has("ridge")) {
    parts.ridge = reader.vector("ridge").at(0);
    for (std::size_t j = 0; j < k; ++j) {
      parts.mixture.components.push_back({.centre = reader.vector(concat("centre.", j)),
                                          .factor = reader.matrix(concat("factor.", j)),
                                          .samples = {}});
    }
    parts.mixture.validate();
  } else {
    parts.alpha = reader.vector("alpha").at(0);
    parts.centres = reader.matrix("centres");
    require(parts.centres.rows() == k, "centres are ", parts.centres.rows(), ", clusters ", k);
  }
  parts.map = read_feature_tensors(reader);
  return parts;
}

}  // namespace

std::vector<double> ClusterAssignment::confidence() const {
  std::vector<double> result(cluster.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = membership(i, cluster[i]);
  return result;
}

std::shared_ptr<const ClusterModel> make_classic_model(ClassicParts parts) {
  return std::make_shared<ClassicModel>(std::move(parts));
}

std::shared_ptr<const ClusterModel> cluster_model_from_bytes(const std::string& bytes,
                                                             const std::string& source) {
  const io::TensorFile content = io::parse_safetensors(bytes, source);
  const auto kind = content.metadata.find("kind"), method = content.metadata.find("method");
  if (kind == content.metadata.end() || kind->second != kKind || method == content.metadata.end()) {
    throw IoError(concat(source, ": not a cluster model written by nw"));
  }
  if (method->second == choice_name(ClusterMethod::nw)) {
    throw IoError(concat(source, ": a model of the method nw needs LibTorch"));
  }
  try {
    return make_classic_model(
        read_parts({content, source}, parse_choice<ClusterMethod>(method->second, "method")));
  } catch (const InvalidArgument& error) {
    throw IoError(concat(source, ": not a cluster model: ", error.what()));
  }
}

}  // namespace nw::app
