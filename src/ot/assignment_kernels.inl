// Body of assignment_kernels_*.cpp: included once per instruction set, inside a namespace of its
// own.
//
// Matching by shortest augmenting paths (Jonker and Volgenant, "A shortest augmenting path algorithm
// for dense and sparse linear assignment problems", 1987). What differs: every row of the first
// round bids at once (their column reduction and reduction transfer in one), those outbid wait
// their turn, a search keeps its distances in registers where they fit, and predecessors are found
// again at the end, by the sum that gave the distance, instead of being kept for every column.
//
// A step of a search is a chain of dependent operations: the smallest distance, where it is, which
// row that is, its costs, the smallest distance. What is written here looks for the shortest chain.
// Nothing is written in pieces that is read as a vector soon after: that would wait for the memory.

#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 8;
#elif defined(__AVX2__)
inline constexpr std::size_t kLanes = 4;
#else
inline constexpr std::size_t kLanes = 2;
#endif
static_assert(kAssignmentLanes % kLanes == 0);
using Vector [[gnu::vector_size(kLanes * sizeof(double))]] = double;

/// Vectors of costs that fit into registers together with what else a step needs.
inline constexpr std::size_t kMostInRegisters = kLanes == 8 ? 8 : 4;
/// Bids per point, after the first round, before searches take over.
inline constexpr double kBidsPerPoint = 0.5;

inline Vector load(const double* from) {
  Vector value;
  __builtin_memcpy(&value, __builtin_assume_aligned(from, sizeof(Vector)), sizeof(value));
  return value;
}
inline void store(double* to, Vector value) {
  __builtin_memcpy(__builtin_assume_aligned(to, sizeof(Vector)), &value, sizeof(value));
}
inline Vector all(double value) {
  return Vector{} + value;
}
inline Vector smaller(Vector a, Vector b) {
  return a < b ? a : b;
}
inline Vector larger(Vector a, Vector b) {
  return a > b ? a : b;
}

/// The lanes in another order, so that after all rounds each has met each other.
inline constexpr int kRounds = kLanes == 8 ? 3 : kLanes == 4 ? 2 : 1;
template <int kRound>
inline Vector exchanged(Vector a) {
#if defined(__AVX512F__)
  if constexpr (kRound == 0) return __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3);
  if constexpr (kRound == 1) return __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5);
  return __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6);
#elif defined(__AVX2__)
  if constexpr (kRound == 0) return __builtin_shufflevector(a, a, 2, 3, 0, 1);
  return __builtin_shufflevector(a, a, 1, 0, 3, 2);
#else
  return __builtin_shufflevector(a, a, 1, 0);
#endif
}

/// The smallest value, in every lane.
template <int kRound = 0>
inline Vector smallest_everywhere(Vector a) {
  a = smaller(a, exchanged<kRound>(a));
  if constexpr (kRound + 1 < kRounds) return smallest_everywhere<kRound + 1>(a);
  return a;
}

/// The smallest and the second smallest of all values, where no value of `second` is smaller than
/// that of `best` in the same lane.
template <int kRound = 0>
inline void two_smallest(Vector& best, Vector& second) {
  const Vector other = exchanged<kRound>(best), other_second = exchanged<kRound>(second);
  second = smaller(smaller(second, other_second), larger(best, other));
  best = smaller(best, other);
  if constexpr (kRound + 1 < kRounds) two_smallest<kRound + 1>(best, second);
}

/// Bit k is set where lane k is the same in both.
inline std::uint64_t same_bits(Vector a, Vector b) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b), _CMP_EQ_OQ);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(a == b)));
#elif defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(a == b)));
#else
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < kLanes; ++k) bits |= std::uint64_t{a[k] == b[k]} << k;
  return bits;
#endif
}

inline Vector lane_numbers() {
  Vector numbers;
  for (std::size_t k = 0; k < kLanes; ++k) numbers[k] = static_cast<double>(k);
  return numbers;
}

/// Writes one value as part of its vector.
inline void put(double* values, std::size_t at, double value) {
  double* const vector = values + at / kLanes * kLanes;
  const auto here = lane_numbers() == all(static_cast<double>(at % kLanes));
  store(vector, here ? all(value) : load(vector));
}

/// The first place of a value that occurs.
template <std::size_t kStrips>
inline std::size_t find(const Vector* values, Vector value) {
  if constexpr (kStrips > 0) {
    std::uint64_t bits = 0;
    for (std::size_t s = 0; s < kStrips; ++s) bits |= same_bits(values[s], value) << (s * kLanes);
    return static_cast<std::size_t>(__builtin_ctzll(bits));
  } else {
    for (std::size_t s = 0;; ++s) {
      const std::uint64_t bits = same_bits(values[s], value);
      if (bits != 0) return s * kLanes + static_cast<std::size_t>(__builtin_ctzll(bits));
    }
  }
}

/// Rows of `kStrips` vectors; 0: of as many as the stride says.
template <std::size_t kStrips>
class Matching {
 public:
  explicit Matching(AssignmentTask& task)
      : task_(task), strips_(kStrips > 0 ? kStrips : task.stride / kLanes) {
    for (std::size_t j = 0; j < task.stride; ++j) task.row_of[j] = -1;
  }

  void run() {
    // Who waits is a ring: those outbid come last, so that all get a turn.
    std::int32_t waiting[kLargestAssignment];
    std::size_t first = 0, count = 0;
    const auto wait = [&](std::int32_t row) {
      const std::size_t place = first + count++;
      waiting[place < task_.size ? place : place - task_.size] = row;
    };
    std::int32_t tied[kLargestAssignment];
    std::size_t ties = 0;
    for (std::size_t i = 0; i < task_.size; ++i) {
      const auto row = static_cast<std::int32_t>(i);
      const std::int32_t loser = bid(row);
      if (loser >= 0) wait(loser);
    }
    auto bids = static_cast<std::size_t>(kBidsPerPoint * static_cast<double>(task_.size));
    for (; bids > 0 && count > 0; --bids) {
      const std::int32_t row = waiting[first];
      first = first + 1 < task_.size ? first + 1 : 0;
      --count;
      const std::int32_t loser = bid(row);
      if (loser == row) {
        tied[ties++] = row;  // a search finds out who gives way
      } else if (loser >= 0) {
        wait(loser);
      }
    }
    task_.paths = static_cast<std::int64_t>(ties + count);
    for (std::size_t k = 0; k < ties; ++k) augment(tied[k]);
    for (; count > 0; --count) {
      augment(waiting[first]);
      first = first + 1 < task_.size ? first + 1 : 0;
    }
  }

 private:
  static constexpr std::size_t kRoom = kStrips > 0 ? kStrips : kLargestAssignment / kLanes;

  [[nodiscard]] const double* costs_of(std::int32_t row) const {
    return task_.cost + static_cast<std::size_t>(row) * task_.stride;
  }

  /// The row takes its best column and lowers that column's potential until its second best is as
  /// good. Returns the row that had the column before, the row itself when it gains nothing on
  /// that one, or -1.
  std::int32_t bid(std::int32_t row) {
    const double* const cost = costs_of(row);
    double* const v = task_.potential;
    Vector value[kRoom];
    value[0] = load(cost) - load(v);
    Vector best = value[0], second = all(kFarCost);
    for (std::size_t s = 1; s < strips(); ++s) {
      value[s] = load(cost + s * kLanes) - load(v + s * kLanes);
      second = smaller(second, larger(best, value[s]));
      best = smaller(best, value[s]);
    }
    two_smallest(best, second);
    const std::size_t at = find<kStrips>(value, best);
    const std::int32_t before = task_.row_of[at];
    // A single column has no second best.
    const double step = task_.size > 1 ? second[0] - best[0] : 0.0;
    if (before >= 0 && step == 0.0) return row;
    put(v, at, v[at] - step);
    task_.row_of[at] = row;
    task_.column_of[row] = static_cast<std::int32_t>(at);
    reduced_[at] = best[0] + step;
    return before;
  }

  /// Finds the shortest path from a row without a column to a free column, and shifts along it.
  void augment(std::int32_t source) {
    double* const v = task_.potential;
    Vector distance[kRoom], limit[kRoom];
    std::size_t visited = 0, at = 0;
    double length = 0.0;
    rows_[0] = source;
    base_[0] = 0.0;
    const double* cost = costs_of(source);
    for (std::size_t s = 0; s < strips(); ++s) {
      limit[s] = load(v + s * kLanes);
      distance[s] = load(cost + s * kLanes) - limit[s];
    }
    for (;;) {
      Vector nearest = distance[0];
      for (std::size_t s = 1; s < strips(); ++s) nearest = smaller(nearest, distance[s]);
      nearest = smallest_everywhere(nearest);
      at = find<kStrips>(distance, nearest);
      length = nearest[0];
      const std::int32_t row = task_.row_of[at];
      if (row < 0) break;
      // No later way leads to this column for less.
      close(distance, limit, at);
      columns_[visited] = static_cast<std::int32_t>(at);
      final_[visited] = length;
      ++visited;
      cost = costs_of(row);
      const double base = length - reduced_[at];
      rows_[visited] = row;
      base_[visited] = base;
      for (std::size_t s = 0; s < strips(); ++s) {
        distance[s] = smaller(distance[s], base + (load(cost + s * kLanes) - limit[s]));
      }
    }
    shift(at, length, visited);
    for (std::size_t k = 0; k < visited; ++k) {
      const auto j = static_cast<std::size_t>(columns_[k]);
      v[j] -= length - final_[k];
      reduced_[j] = costs_of(task_.row_of[j])[j] - v[j];
    }
    reduced_[at] = costs_of(task_.row_of[at])[at] - v[at];
  }

  void close(Vector* distance, Vector* limit, std::size_t at) const {
    if constexpr (kStrips > 0) {
      const Vector numbers = lane_numbers(), place = all(static_cast<double>(at));
      for (std::size_t s = 0; s < kStrips; ++s) {
        const auto here = numbers + static_cast<double>(s * kLanes) == place;
        limit[s] = here ? all(-kFarCost) : limit[s];
        distance[s] = here ? all(kFarCost) : distance[s];
      }
    } else {
      const std::size_t s = at / kLanes;
      const auto here = lane_numbers() == all(static_cast<double>(at % kLanes));
      limit[s] = here ? all(-kFarCost) : limit[s];
      distance[s] = here ? all(kFarCost) : distance[s];
    }
  }

  /// Gives each column of the path to the row before it.
  void shift(std::size_t at, double distance, std::size_t visited) {
    for (;;) {
      std::size_t k = 0;
      while (k < visited && base_[k] + (costs_of(rows_[k])[at] - task_.potential[at]) != distance) {
        ++k;
      }
      const std::int32_t row = rows_[k];
      const std::int32_t next = task_.column_of[row];
      task_.row_of[at] = row;
      task_.column_of[row] = static_cast<std::int32_t>(at);
      if (k == 0) return;
      at = static_cast<std::size_t>(next);
      distance = final_[k - 1];
    }
  }

  [[nodiscard]] std::size_t strips() const { return kStrips > 0 ? kStrips : strips_; }

  AssignmentTask& task_;
  const std::size_t strips_;
  double reduced_[kLargestAssignment];  ///< of matched columns: cost less potential
  // Of a search: rows in the order of their visit, how far they are less their own potential, and
  // the column by which row k + 1 was reached, and how far that is.
  std::int32_t rows_[kLargestAssignment], columns_[kLargestAssignment];
  double base_[kLargestAssignment], final_[kLargestAssignment];
};

template <std::size_t kStrips>
void match_strips(AssignmentTask& task) {
  Matching<kStrips>(task).run();
}

inline void match(AssignmentTask& task) {
  const std::size_t strips = task.stride / kLanes;
  if constexpr (kMostInRegisters >= 8) {
    if (strips == 8) return match_strips<8>(task);
    if (strips == 6) return match_strips<6>(task);
  }
  if (strips == 4) return match_strips<4>(task);
  if (strips == 2) return match_strips<2>(task);
  match_strips<0>(task);
}

/// kRows rows of costs at once, which share the loads of the lanes.
template <std::size_t kRows>
inline void fill_rows(const double* x, const double* lanes, std::size_t dim, bool root,
                      const AssignmentTask& task, std::size_t row) {
  x += row * dim;
  double* const cost = task.cost + row * task.stride;
  for (std::size_t j = 0; j < task.stride; j += kLanes) {
    Vector total[kRows] = {};
    for (std::size_t k = 0; k < dim; ++k) {
      const Vector y = load(lanes + k * task.stride + j);
      for (std::size_t r = 0; r < kRows; ++r) {
        const Vector difference = y - x[r * dim + k];
        total[r] += difference * difference;
      }
    }
    Vector least = load(task.potential + j);
    for (std::size_t r = 0; r < kRows; ++r) {
      if (root) {
        for (std::size_t k = 0; k < kLanes; ++k) total[r][k] = __builtin_sqrt(total[r][k]);
      }
      store(cost + r * task.stride + j, total[r]);
      least = smaller(least, total[r]);
    }
    store(task.potential + j, least);
  }
}

inline void fill(const double* x, const double* lanes, std::size_t dim, bool root,
                 const AssignmentTask& task) {
  for (std::size_t j = 0; j < task.stride; j += kLanes) store(task.potential + j, all(kFarCost));
  std::size_t i = 0;
  for (; i + 4 <= task.size; i += 4) fill_rows<4>(x, lanes, dim, root, task, i);
  for (; i < task.size; ++i) fill_rows<1>(x, lanes, dim, root, task, i);
  for (std::size_t j = task.size; j < task.stride; ++j) {
    task.potential[j] = 0.0;
    for (i = 0; i < task.size; ++i) task.cost[i * task.stride + j] = kFarCost;
  }
}

inline void complete(const AssignmentTask& task) {
  for (std::size_t i = 0; i < task.size; ++i) {
    const double* const cost = task.cost + i * task.stride;
    Vector least = load(cost) - load(task.potential);
    for (std::size_t j = kLanes; j < task.stride; j += kLanes) {
      least = smaller(least, load(cost + j) - load(task.potential + j));
    }
    task.row_potential[i] = smallest_everywhere(least)[0];
  }
}
