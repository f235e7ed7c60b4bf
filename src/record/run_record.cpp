#include "nw/record/run_record.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/base64.hpp"

#include "record/names.hpp"

namespace nw::record {
namespace {

void validate_compare(const CompareResult& result) {
  const std::size_t k = result.k;
  require(result.pi_x.size() == k, "RunRecord.compare.pi_x has ", result.pi_x.size(),
          " values for k = ", k);
  require(result.pi_y.size() == k, "RunRecord.compare.pi_y has ", result.pi_y.size(),
          " values for k = ", k);
  require(result.pi_x_interval.empty() || result.pi_x_interval.size() == k,
          "RunRecord.compare.pi_x_interval has ", result.pi_x_interval.size(),
          " intervals for k = ", k);
  require(result.pi_y_interval.empty() || result.pi_y_interval.size() == k,
          "RunRecord.compare.pi_y_interval has ", result.pi_y_interval.size(),
          " intervals for k = ", k);
  require(result.components.empty() || result.components.size() == k,
          "RunRecord.compare.components has ", result.components.size(), " entries for k = ", k);
  std::vector<int> seen(result.components.size(), 0);
  for (const auto& member : result.members) {
    for (const std::size_t number : member) {
      require(number >= 1 && number <= seen.size() && ++seen[number - 1] == 1,
              "RunRecord.compare.members must name each of ", seen.size(),
              " components once, but names ", number);
    }
  }
  for (const ShareRoute& route : result.share_routes) {
    require(route.share.size() == k && route.interval.size() == k,
            "RunRecord.compare.share_routes: ", route.name, " has ", route.share.size(),
            " shares and ", route.interval.size(), " intervals for k = ", k);
  }
  for (const PossibleMove& move : result.possible_moves) {
    for (const std::size_t number : {move.gone, move.appeared}) {
      require(number >= 1 && number <= result.components.size(),
              "RunRecord.compare.possible_moves names component ", number, " of ",
              result.components.size());
    }
  }
}

void validate_mode_choice(const ModeChoice& choice) {
  for (std::size_t i = 1; i < choice.curve.size(); ++i) {
    require(choice.curve[i - 1].k < choice.curve[i].k,
            "RunRecord.mode_choice.curve: k = ", choice.curve[i].k,
            " follows k = ", choice.curve[i - 1].k);
  }
}

void validate_adaptation(const AdaptationSummary& result) {
  const std::size_t k = result.classes.size();
  const auto require_classes = [k](std::size_t found, const char* member) {
    require(found == k, "RunRecord.adaptation.", member, " has ", found, " entries for ", k,
            " classes");
  };
  require_classes(result.pi_target.size(), "pi_target");
  require_classes(result.pi_target_interval.size(), "pi_target_interval");
  require_classes(result.pi_target_likely.size(), "pi_target_likely");
  require_classes(result.pi_source.size(), "pi_source");
  if (!result.scores) return;
  require_classes(result.scores->class_accuracy.size(), "class_accuracy");
  require_classes(result.scores->pi_target_true.size(), "pi_target_true");
  require_classes(result.scores->confusion.size(), "confusion");
  for (const auto& row : result.scores->confusion) require_classes(row.size(), "confusion");
}

void require_axes(std::size_t found, std::size_t axes, const char* member, std::size_t index) {
  require(found == axes, "RunRecord.figure.", member, "[", index, "] has ", found,
          " coordinates for ", axes, " axes");
}

void validate_couplings(const std::vector<FigureCoupling>& couplings, std::size_t axes,
                        const char* member) {
  for (std::size_t i = 0; i < couplings.size(); ++i) {
    require_axes(couplings[i].from.size(), axes, member, i);
    require_axes(couplings[i].to.size(), axes, member, i);
  }
}

void validate_figure(const Figure& figure) {
  const std::size_t axes = figure.axes.size();
  require(axes >= 1 && axes <= 3, "RunRecord.figure.axes must hold 1 to 3 axes, got ", axes);
  for (std::size_t i = 0; i < figure.x.size(); ++i) require_axes(figure.x[i].size(), axes, "x", i);
  for (std::size_t i = 0; i < figure.y.size(); ++i) require_axes(figure.y[i].size(), axes, "y", i);
  for (std::size_t i = 0; i < figure.ellipses.size(); ++i) {
    require_axes(figure.ellipses[i].centre.size(), axes, "ellipses", i);
    require(figure.ellipses[i].covariance.size() == axes * axes, "RunRecord.figure.ellipses[", i,
            "].covariance has ", figure.ellipses[i].covariance.size(), " values for ", axes,
            " axes");
  }
  const auto as_many = [](std::size_t found, std::size_t points, const std::string& what) {
    require(found == points, "RunRecord.figure.", what, " has ", found, " values for ", points,
            " points");
  };
  if (!figure.member_x.empty()) as_many(figure.member_x.size(), figure.x.size(), "member_x");
  if (!figure.member_y.empty()) as_many(figure.member_y.size(), figure.y.size(), "member_y");
  for (const FigureColumn& column : figure.columns) {
    as_many(column.x.size(), figure.x.size(), "columns." + column.name + ".x");
    as_many(column.y.size(), figure.y.size(), "columns." + column.name + ".y");
  }
  validate_couplings(figure.plain, axes, "plain");
  validate_couplings(figure.normalized_x, axes, "normalized_x");
  validate_couplings(figure.normalized_y, axes, "normalized_y");
}

}  // namespace

void RunRecord::validate() const {
  require(data.size() <= 2, "RunRecord.data holds at most X and Y, got ", data.size());
  if (compare) validate_compare(*compare);
  if (mode_choice) validate_mode_choice(*mode_choice);
  if (adaptation) validate_adaptation(*adaptation);
  if (figure) validate_figure(*figure);
  for (const Series& line : series) {
    require(line.x.size() == line.y.size(), "RunRecord.series: ", line.name, " has ", line.x.size(),
            " x and ", line.y.size(), " y values");
  }
  for (const Picture& picture : pictures) {
    // Goes into an address of the page as it is.
    require(io::is_base64(picture.png) && !picture.png.empty(),
            "RunRecord.pictures: ", picture.title, " is not a PNG file in base64");
  }
}

const char* to_string(RunKind kind) {
  return name_of(kRunKindNames, kind);
}

RunRecord read_record(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path file = fs::is_directory(path) ? fs::path(path) / "result.json" : fs::path(path);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw IoError(file.string() + ": cannot be opened for reading");
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return from_json(text, file.string());
}

void write_record(const std::string& path, const RunRecord& record) {
  io::write_file_atomically(path, to_json(record) + '\n');
}

}  // namespace nw::record
