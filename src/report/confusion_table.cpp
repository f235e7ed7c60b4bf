#include "report/confusion_table.hpp"

#include <cmath>
#include <numeric>
#include <ostream>

#include <nlohmann/json.hpp>

#include "report/markup.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

// Beyond that a table says less than the most frequent confusions, which stand above it.
constexpr std::size_t kMostClasses = 40;
constexpr int kShades = 10;  // as many as the style sheet has

bool is_row(const nlohmann::json& row, std::size_t classes) {
  if (!row.is_array() || row.size() != classes) return false;
  for (const auto& count : row) {
    if (!count.is_number() || !(count.get<double>() >= 0.0)) return false;
  }
  return true;
}

}  // namespace

std::optional<Confusion> confusion_of(const std::string& extra) {
  const auto fields = nlohmann::json::parse(extra, nullptr, /*allow_exceptions=*/false);
  if (!fields.is_object() || !fields.contains("classes") || !fields.contains("confusion")) {
    return std::nullopt;
  }
  const auto &names = fields["classes"], &counts = fields["confusion"];
  if (!names.is_array() || !counts.is_array() || names.size() != counts.size() || names.empty() ||
      names.size() > kMostClasses) {
    return std::nullopt;
  }
  Confusion confusion;
  for (const auto& name : names) {
    if (!name.is_string()) return std::nullopt;
    confusion.names.push_back(name.get<std::string>());
  }
  for (const auto& row : counts) {
    if (!is_row(row, names.size())) return std::nullopt;
    confusion.counts.push_back(row.get<std::vector<double>>());
  }
  return confusion;
}

void write_confusion(std::ostream& out, const Confusion& confusion) {
  out << "<div class=\"table-scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table of "
         "confusions\"><table class=\"confusion\"><thead><tr><th scope=\"col\">Truth</th>";
  for (const auto& name : confusion.names) {
    out << "<th scope=\"col\">" << escape_markup(name) << "</th>";
  }
  out << "<th scope=\"col\">Right</th></tr></thead><tbody>";
  for (std::size_t truth = 0; truth < confusion.names.size(); ++truth) {
    const auto& row = confusion.counts[truth];
    const double all = std::accumulate(row.begin(), row.end(), 0.0);
    out << "<tr><th scope=\"row\">" << escape_markup(confusion.names[truth]) << "</th>";
    for (std::size_t taken = 0; taken < row.size(); ++taken) {
      const double share = all > 0.0 ? row[taken] / all : 0.0;
      // Every mistake has a shade, however rare.
      const int shade = static_cast<int>(std::ceil(share * kShades));
      out << "<td class=\"" << (taken == truth ? "right" : "wrong") << " shade-" << shade << "\">"
          << format_number(row[taken], 6) << "</td>";
    }
    out << "<td>" << (all > 0.0 ? percent(row[truth] / all) : "–") << "</td></tr>";
  }
  out << "</tbody></table></div><p class=\"caption\">Rows of the target by their true class (down) "
         "and by the predicted one (across); shades are shares of the true class.</p>";
}

}  // namespace nw::report
