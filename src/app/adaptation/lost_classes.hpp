// Private: classes that adaptation lost, by what a classifier without adaptation finds of them.
#pragma once

#include <string>
#include <vector>

namespace nw::app {

/// How much of the target each class has, as the plain classifier counts it in three ways.
struct CountedShares {
  std::vector<double> named;      ///< share of the rows that it gives the class
  std::vector<double> estimated;  ///< proportions by its posteriors
  std::vector<double> confused;   ///< likewise by its confusions on the source
};

struct LostClass {
  std::size_t index = 0;
  double share = 0.0;      ///< of the rows that the adapted classifier gives the class
  double unadapted = 0.0;  ///< the least that the plain classifier counts
};

/// Classes that the adapted classifier hardly names (`named`, shares of the rows), though the plain
/// one finds much of them whichever way it counts. A class that is really rare is in doubt by one
/// of these. `rows` are those of the target.
[[nodiscard]] std::vector<LostClass> lost_classes(const CountedShares& plain,
                                                  const std::vector<double>& named,
                                                  std::size_t rows);

/// One sentence for each: "Class 9 has almost vanished: ...". Empty without any.
[[nodiscard]] std::string describe(const std::vector<LostClass>& lost,
                                   const std::vector<std::string>& names);

}  // namespace nw::app
