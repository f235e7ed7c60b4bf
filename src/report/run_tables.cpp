#include "report/run_tables.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <nlohmann/json.hpp>

#include "report/markup.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

using record::CompareResult;
using record::ComponentResult;
using record::RunRecord;

constexpr std::size_t kShownCoordinates = 3;

/// Wide tables scroll inside a region of their own that the keyboard can reach.
void open_table(std::ostream& out, const char* label) {
  out << "<div class=\"table-scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" << label
      << "\"><table>";
}

void close_table(std::ostream& out) {
  out << "</table></div>";
}

std::string coordinates(const std::vector<double>& values) {
  if (values.empty()) return "–";
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  // One number of decimals for the whole vector, so that rounding dust shows as zero.
  const int decimals =
      largest > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 0, 12) : 0;
  std::string text = "(";
  for (std::size_t j = 0; j < std::min(values.size(), kShownCoordinates); ++j) {
    text += (j == 0 ? "" : ", ") + fixed(values[j], decimals);
  }
  if (values.size() > kShownCoordinates) {
    text += ", … " + std::to_string(values.size() - kShownCoordinates) + " more";
  }
  return text + ")";
}

std::string share(double mass, const std::vector<Interval>& intervals, std::size_t j) {
  std::string text = percent(mass);
  if (j < intervals.size()) {
    text += " <span class=\"interval\">" + percent(intervals[j].low) + " – " +
            percent(intervals[j].high) + "</span>";
  }
  return text;
}

std::string optional_number(const std::optional<double>& value, int digits) {
  return value ? format_number(*value, digits) : "–";
}

std::string signed_points(double change) {
  const std::string text = fixed(100.0 * change, 1);
  return (change > 0.0 ? "+" : "") + text;
}

void component_row(std::ostream& out, const CompareResult& result, std::size_t j,
                   bool with_contribution) {
  const ComponentResult& component = result.components[j];
  out << "<tr><th scope=\"row\">" << escape_markup(component_name(result, j))
      << "</th><td><span class=\"status status-" << to_string(component.status) << "\">"
      << status_words(component.status) << "</span></td><td>"
      << share(component.mass_x, result.pi_x_interval, j) << "</td><td>"
      << share(component.mass_y, result.pi_y_interval, j) << "</td><td>"
      << signed_points(component.mass_y - component.mass_x) << "</td><td>" << p_value(component.p)
      << "</td><td>" << optional_number(component.shift_size, 2) << "</td>";
  if (with_contribution) {
    out << "<td>" << (component.contribution ? percent(*component.contribution) : "–") << "</td>";
  }
  out << "<td>" << coordinates(component.centre) << "</td><td>" << coordinates(component.shift)
      << "</td></tr>";
}

void row(std::ostream& out, const std::string& name, const std::string& value) {
  out << "<tr><th scope=\"row\">" << escape_markup(name) << "</th><td>" << escape_markup(value)
      << "</td></tr>";
}

void open_facts(std::ostream& out, const char* caption) {
  out << "<table class=\"facts\"><caption>" << caption << "</caption><tbody>";
}

void close_facts(std::ostream& out) {
  out << "</tbody></table>";
}

void data_rows(std::ostream& out, const RunRecord& record) {
  const char* names[] = {"X", "Y"};
  for (std::size_t i = 0; i < record.data.size(); ++i) {
    const record::DataSet& set = record.data[i];
    row(out, names[i],
        (set.path.empty() ? set.name : set.path) + (set.weighted ? " (weighted)" : ""));
  }
}

void other_fields(std::ostream& out, const std::string& extra) {
  if (extra.empty()) return;
  const auto fields = nlohmann::ordered_json::parse(extra, nullptr, /*allow_exceptions=*/false);
  if (!fields.is_object() || fields.empty()) return;
  open_facts(out, "Further fields");
  for (const auto& [name, value] : fields.items()) {
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.size() > 120) text = text.substr(0, 117) + "…";
    row(out, name, text);
  }
  close_facts(out);
}

}  // namespace

void write_component_table(std::ostream& out, const CompareResult& result) {
  const bool with_contribution =
      std::any_of(result.components.begin(), result.components.end(),
                  [](const ComponentResult& c) { return c.contribution.has_value(); });
  open_table(out, "Table of components");
  out << "<thead><tr><th scope=\"col\">Component</th><th scope=\"col\">Status</th>"
         "<th scope=\"col\">Share of X</th><th scope=\"col\">Share of Y</th>"
         "<th scope=\"col\">Change, points</th><th scope=\"col\">p</th>"
         "<th scope=\"col\">Shift, deviations</th>";
  if (with_contribution) out << "<th scope=\"col\">Part of the change</th>";
  out << "<th scope=\"col\">Centre</th><th scope=\"col\">Shift</th></tr></thead><tbody>";
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    component_row(out, result, j, with_contribution);
  }
  out << "</tbody>";
  close_table(out);
  out << "<p class=\"caption\">p-values ask whether the members of a component differ between X "
         "and Y; they are corrected for the number of components.</p>";
}

void write_curve_table(std::ostream& out, const record::ModeChoice& choice) {
  out << "<details class=\"numbers\"><summary>The curve in numbers</summary>";
  open_table(out, "Table of the curve");
  out << "<thead><tr><th scope=\"col\">k</th><th scope=\"col\">NW(k)</th><th scope=\"col\">"
         "Interval</th><th scope=\"col\">Noise floor</th></tr></thead><tbody>";
  const auto between = [](const std::optional<double>& low, const std::optional<double>& high) {
    return optional_number(low, 3) + " – " + optional_number(high, 3);
  };
  for (const record::CurvePoint& point : choice.curve) {
    const bool chosen = point.k == choice.k;
    out << "<tr" << (chosen ? " class=\"chosen\"" : "") << "><th scope=\"row\">" << point.k
        << (chosen ? " (k*)" : "") << "</th><td>" << format_number(point.nw) << "</td><td>"
        << between(point.nw_low, point.nw_high) << "</td><td>"
        << between(point.floor_low, point.floor_high) << "</td></tr>";
  }
  out << "</tbody>";
  close_table(out);
  out << "</details>";
}

void write_column_table(std::ostream& out, const RunRecord& record) {
  std::size_t used = 0;
  for (const record::ColumnSummary& column : record.columns) used += column.used ? 1 : 0;
  out << "<details class=\"numbers\"><summary>" << used << " of " << record.columns.size()
      << " columns used</summary>";
  open_table(out, "Table of columns");
  const bool two = record.data.size() > 1;
  out << "<thead><tr><th scope=\"col\">Column</th><th scope=\"col\">Kind</th>"
         "<th scope=\"col\">Use</th><th scope=\"col\">Missing in X</th>";
  if (two) out << "<th scope=\"col\">Missing in Y</th>";
  out << "<th scope=\"col\">Notes</th></tr></thead><tbody>";
  for (const record::ColumnSummary& column : record.columns) {
    std::string notes;
    for (const std::string& note : column.notes) notes += (notes.empty() ? "" : "; ") + note;
    if (column.missing_changed)
      notes += (notes.empty() ? "" : "; ") + std::string("more or fewer missing in Y");
    out << "<tr><th scope=\"row\">" << escape_markup(column.name) << "</th><td>"
        << escape_markup(column.kind) << "</td><td>"
        << (column.used ? "used" : "left out: " + escape_markup(column.reason)) << "</td><td>"
        << percent(column.missing_x) << "</td>";
    if (two) out << "<td>" << percent(column.missing_y) << "</td>";
    out << "<td>" << escape_markup(notes) << "</td></tr>";
  }
  out << "</tbody>";
  close_table(out);
  out << "</details>";
}

void write_provenance(std::ostream& out, const RunRecord& record) {
  out << "<div class=\"facts-grid\">";
  open_facts(out, "Run");
  row(out, "command", "nw " + (record.command.empty() ? to_string(record.kind) : record.command));
  data_rows(out, record);
  if (!record.created.empty()) row(out, "created", record.created);
  row(out, "time", duration(record.seconds));
  if (record.peak_rss_mb > 0.0) row(out, "memory", format_number(record.peak_rss_mb, 3) + " MB");
  std::string seeds;
  for (const auto seed : record.seeds) seeds += (seeds.empty() ? "" : ", ") + std::to_string(seed);
  if (!seeds.empty()) row(out, record.seeds.size() == 1 ? "seed" : "seeds", seeds);
  close_facts(out);
  if (!record.settings.empty()) {
    open_facts(out, "Settings");
    for (const auto& [name, value] : record.settings) row(out, name, setting_text(value));
    close_facts(out);
  }
  if (!record.versions.empty()) {
    open_facts(out, "Versions");
    for (const auto& [name, version] : record.versions) row(out, name, version);
    close_facts(out);
  }
  other_fields(out, further_fields(record));
  out << "</div>";
}

void write_overview_table(std::ostream& out, std::span<const RunRecord> records) {
  open_table(out, "All runs");
  out << "<thead><tr><th scope=\"col\">Run</th><th scope=\"col\">Answer</th>"
         "<th scope=\"col\">W</th><th scope=\"col\">NW</th><th scope=\"col\">k</th>"
         "<th scope=\"col\">p same</th><th scope=\"col\">p components</th></tr></thead><tbody>";
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RunRecord& record = records[i];
    out << "<tr><th scope=\"row\"><a href=\"#run-" << i << "\">"
        << escape_markup(headline_of_data(record)) << "</a></th><td>"
        << (record.compare ? verdict_words(record.compare->verdict) : escape_markup(answer(record)))
        << "</td><td>";
    if (record.compare) {
      const CompareResult& result = *record.compare;
      out << format_number(result.wasserstein, 3) << "</td><td>"
          << format_number(result.normalized_wasserstein, 3) << "</td><td>" << result.k
          << "</td><td>" << p_value(result.p_same) << "</td><td>" << p_value(result.p_components);
    } else {
      out << (record.distance ? format_number(record.distance->distance, 3) : "–")
          << "</td><td>–</td><td>"
          << (record.mode_choice ? std::to_string(record.mode_choice->k) : "–")
          << "</td><td>–</td><td>–";
    }
    out << "</td></tr>";
  }
  out << "</tbody>";
  close_table(out);
}

}  // namespace nw::report
