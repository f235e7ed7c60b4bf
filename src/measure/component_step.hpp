// Private: better components for given couplings.
#pragma once

#include <vector>

#include "nw/measure/mixture.hpp"
#include "nw/ot/problem.hpp"

#include "measure/working_data.hpp"

namespace nw::measure {

/// How shapes follow from couplings. `regression` minimises the transport cost over affine maps
/// and is the true step; `moments` takes the covariance of the points coupled to a component, and
/// serves high dimensions, where the empirical minimiser would shrink every component to a point.
enum class ShapeRule { regression, moments };

/// The rule for a dimension: regression up to four.
[[nodiscard]] ShapeRule shape_rule(std::size_t dim);

struct Coupled {
  const Sample* sample;
  const ot::TransportResult* transport;
};

/// Components with the atoms that `base` gives.
struct MappedComponents {
  const Mixture& mixture;
  const Atoms& atoms;
  const Matrix& base;
};

/// What a step minimises, and which shapes it may give.
struct ComponentRule {
  ot::GroundCost cost = ot::GroundCost::euclidean;
  Shape shape = Shape::full;
  ShapeRule rule = ShapeRule::regression;
};

/// Affine components that lower sum over samples of <C(G), T> for fixed couplings T (the envelope
/// theorem lets the couplings stay). Components without mass, or given by samples, stay as they
/// are.
[[nodiscard]] Mixture improve_components(const MappedComponents& components,
                                         const std::vector<Coupled>& coupled,
                                         const ComponentRule& rule);

}  // namespace nw::measure
