// Block descent on [NW:def]: couplings for fixed (G, pi) by exact transport, components for fixed
// couplings by regression, proportions for fixed components by cutting planes. Each block is solved
// exactly or not at all, so the value never rises; a component step that overshoots is shortened.
#include "measure/shared_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "nw/base/parallel.hpp"
#include "nw/measure/proportions.hpp"
#include "nw/ot/exact.hpp"

#include "measure/atoms.hpp"

namespace nw::measure {
namespace {

Mixture blend(const Mixture& from, const Mixture& to, double step) {
  Mixture result = from;
  for (std::size_t j = 0; j < from.size(); ++j) {
    auto& a = result.components[j];
    const auto& b = to.components[j];
    for (std::size_t c = 0; c < a.centre.size(); ++c) {
      a.centre[c] += step * (b.centre[c] - a.centre[c]);
    }
    for (std::size_t i = 0; i < a.factor.values().size(); ++i) {
      a.factor.values()[i] += step * (b.factor.values()[i] - a.factor.values()[i]);
    }
  }
  return result;
}

}  // namespace

std::function<bool(const ot::ExactProgress&)> stopped_by(const StopCheck& stop) {
  return [stop](const ot::ExactProgress&) {
    stop();
    return true;
  };
}

SharedFit::SharedFit(const std::vector<Sample>& samples, const Matrix& base, SharedModel start,
                     const FitOptions& options)
    : samples_(&samples),
      base_(&base),
      model_(std::move(start)),
      options_(options),
      atoms_(map_atoms(model_.mixture, base)),
      transport_(samples.size()),
      lower_(samples.size(), -std::numeric_limits<double>::infinity()) {
  solve_all();
  note("start");
}

double SharedFit::value() const {
  double sum = 0.0;
  for (const auto& t : transport_) sum += t.cost;
  return sum;
}

void SharedFit::note(const char* step) {
  history_.push_back({.value = value(), .step = step});
}

void SharedFit::solve_all() {
  parallel_for(options_.threads, samples_->size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t s = begin; s < end; ++s) {
      const auto weights = atoms_.weights(model_.pi[s]);
      const ot::TransportResult previous = std::move(transport_[s]);
      transport_[s] = ot::solve_exact({.source = (*samples_)[s].view(),
                                       .target = {atoms_.points, weights},
                                       .cost = options_.cost},
                                      {.threads = samples_->size() > 1 ? 1 : options_.threads,
                                       .observer = stopped_by(options_.stop),
                                       .warm_start = previous.plan.empty() ? nullptr : &previous});
    }
  });
  solves_ += static_cast<int>(samples_->size());
}

bool SharedFit::improve(int max_rounds) {
  double step = 1.0;
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<Coupled> coupled;
    for (std::size_t s = 0; s < samples_->size(); ++s) {
      coupled.push_back({&(*samples_)[s], &transport_[s]});
    }
    const double before = value();
    const Mixture target =
        improve_components({model_.mixture, atoms_, *base_}, coupled,
                           {.cost = options_.cost, .shape = options_.shape, .rule = options_.rule});
    const SharedModel old_model = model_;
    const Atoms old_atoms = atoms_;
    const auto old_transport = transport_;
    model_.mixture = blend(old_model.mixture, target, step);
    atoms_ = map_atoms(model_.mixture, *base_);
    solve_all();
    if (value() >= before) {
      model_ = old_model;
      atoms_ = old_atoms;
      transport_ = old_transport;
      step *= 0.4;
      if (step < 0.3) return true;
      continue;
    }
    lower_.assign(samples_->size(), -std::numeric_limits<double>::infinity());
    note("components");
    if (before - value() <= options_.tolerance * before) return true;
  }
  return false;
}

void SharedFit::balance(double relative_gap, int max_solves) {
  if (model_.mixture.size() == 1) {
    for (std::size_t s = 0; s < samples_->size(); ++s) lower_[s] = transport_[s].dual_objective;
    return;
  }
  std::vector<int> solves(samples_->size(), 0);
  parallel_for(options_.threads, samples_->size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t s = begin; s < end; ++s) {
      ProportionResult found =
          fit_proportions((*samples_)[s].view(), atoms_,
                          {.cost = options_.cost,
                           .relative_gap = relative_gap,
                           .max_solves = max_solves,
                           .start = model_.pi[s],
                           .warm_start = &transport_[s],
                           .threads = samples_->size() > 1 ? 1 : options_.threads,
                           .observer = stopped_by(options_.stop)});
      model_.pi[s] = std::move(found.pi);
      transport_[s] = std::move(found.transport);
      lower_[s] = found.lower;
      solves[s] = found.solves;
    }
  });
  for (const int count : solves) solves_ += count;
  note("proportions");
}

void SharedFit::renumber(const std::vector<std::size_t>& order) {
  const Atoms old_atoms = atoms_;
  const SharedModel old_model = model_;
  for (std::size_t j = 0; j < order.size(); ++j) {
    model_.mixture.components[j] = old_model.mixture.components[order[j]];
    for (std::size_t s = 0; s < model_.pi.size(); ++s) model_.pi[s][j] = old_model.pi[s][order[j]];
  }
  atoms_ = map_atoms(model_.mixture, *base_);
  std::vector<std::uint32_t> place(old_atoms.points.rows());
  for (std::size_t j = 0; j < order.size(); ++j) {
    const std::size_t from = old_atoms.begin[order[j]], to = atoms_.begin[j];
    for (std::size_t i = 0; i < atoms_.count(j); ++i) {
      place[from + i] = static_cast<std::uint32_t>(to + i);
    }
  }
  for (ot::TransportResult& transport : transport_) {
    const std::vector<double> potential = transport.target_potential;
    for (std::size_t i = 0; i < potential.size(); ++i) {
      transport.target_potential[place[i]] = potential[i];
    }
    for (ot::Flow& flow : transport.plan) flow.target = place[flow.target];
    std::ranges::sort(transport.plan, {},
                      [](const ot::Flow& flow) { return std::pair(flow.source, flow.target); });
  }
}

std::vector<double> SharedFit::component_cost(std::size_t s) const {
  std::vector<double> cost(model_.mixture.size(), 0.0);
  const auto& points = (*samples_)[s].points;
  const bool squared = options_.cost == ot::GroundCost::squared_euclidean;
  for (const auto& flow : transport_[s].plan) {
    double distance = 0.0;
    for (std::size_t c = 0; c < points.cols(); ++c) {
      const double delta = points(flow.source, c) - atoms_.points(flow.target, c);
      distance += delta * delta;
    }
    const auto j = static_cast<std::size_t>(
        std::upper_bound(atoms_.begin.begin(), atoms_.begin.end(), flow.target) -
        atoms_.begin.begin() - 1);
    cost[j] += flow.mass * (squared ? distance : std::sqrt(distance));
  }
  return cost;
}

}  // namespace nw::measure
