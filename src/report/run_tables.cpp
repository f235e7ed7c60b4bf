#include "report/run_tables.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "nw/base/number_text.hpp"
#include "nw/report/comparison_in_words.hpp"

#include "record/names.hpp"
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

std::string share(const std::string& value, const std::string& interval) {
  if (interval.empty()) return value;
  return value + " <span class=\"interval\">" + interval + "</span>";
}

std::string optional_number(const std::optional<double>& value, int digits) {
  return value ? format_number(*value, digits) : "–";
}

std::string signed_points(double change) {
  const std::string text = fixed(100.0 * change, 1);
  return (change > 0.0 ? "+" : "") + text;
}

/// Which columns of the table of components have something to say.
struct ShownColumns {
  bool contribution = false, centre = false;
};

void component_row(std::ostream& out, const CompareResult& result, const ComponentInWords& told,
                   ShownColumns shown) {
  const std::size_t j = told.number - 1;
  const ComponentResult& component = result.components[j];
  // Members of one side alone have nowhere to have moved from.
  const bool on_both_sides = told.share_x != "none" && told.share_y != "none";
  const std::string fate = told.fate.empty() ? "shared" : told.fate;
  out << "<tr><th scope=\"row\"><span class=\"number\">" << told.number << "</span> "
      << escape_markup(told.name) << "</th><td>" << share(told.share_x, told.interval_x)
      << "</td><td>" << share(told.share_y, told.interval_y)
      << "</td><td><span class=\"status status-"
      << record::name_of(record::kStatusNames, component.status) << "\">" << escape_markup(fate)
      << "</span>"
      << (told.moved.empty() ? ""
                             : "<span class=\"moved\">" + escape_markup(told.moved) + "</span>")
      << "</td><td>" << signed_points(component.mass_y - component.mass_x) << "</td><td>"
      << p_value(component.p) << "</td><td>"
      << (on_both_sides ? optional_number(component.shift_size, 2) : "–") << "</td>";
  if (shown.contribution) {
    out << "<td>" << (component.contribution ? percent(*component.contribution, 2) : "–")
        << "</td>";
  }
  if (shown.centre) {
    out << "<td>" << coordinates(component.centre) << "</td><td>" << coordinates(component.shift)
        << "</td>";
  }
  out << "</tr>";
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
    std::string text = set.path.empty() ? set.name : set.path;
    // Rows of a table that was split: which ones.
    if (!set.path.empty() && !set.path.ends_with(set.name)) text += ", " + set.name;
    row(out, names[i], text + (set.weighted ? " (weighted)" : ""));
  }
}

std::string in_words(const record::SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return format_number(std::get<double>(value), 4);
}

/// Lists that are not read at a glance are left out.
void other_fields(std::ostream& out, const std::vector<record::FurtherField>& fields) {
  constexpr std::size_t kMost = 8, kLetters = 120;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [name, values] : fields) {
    if (values.size() > kMost) continue;
    std::string text;
    for (const record::SettingValue& value : values) {
      text += (text.empty() ? "" : ", ") + in_words(value);
    }
    if (text.size() > kLetters) text = text.substr(0, kLetters - 3) + "…";
    rows.emplace_back(name, std::move(text));
  }
  if (rows.empty()) return;
  open_facts(out, "Further fields");
  for (const auto& [name, text] : rows) row(out, name, text);
  close_facts(out);
}

}  // namespace

void write_component_table(std::ostream& out, const RunRecord& record) {
  const CompareResult& result = *record.compare;
  const ComparisonInWords story = comparison_in_words(record, result.components.size());
  ShownColumns shown;
  for (const ComponentResult& component : result.components) {
    // Parts of a change mean something only where members changed.
    shown.contribution = shown.contribution || (component.contribution.value_or(0.0) > 0.0 &&
                                                result.verdict == Verdict::components);
    shown.centre = shown.centre || component.name.empty();
  }
  open_table(out, "Table of components");
  out << "<thead><tr><th scope=\"col\">Component</th><th scope=\"col\">Share of X</th>"
         "<th scope=\"col\">Share of Y</th><th scope=\"col\">What happened</th>"
         "<th scope=\"col\">Change, points</th><th scope=\"col\">p</th>"
         "<th scope=\"col\">Shift, deviations</th>";
  if (shown.contribution) out << "<th scope=\"col\">Part of the change</th>";
  if (shown.centre) out << "<th scope=\"col\">Centre</th><th scope=\"col\">Shift</th>";
  out << "</tr></thead><tbody>";
  for (const ComponentInWords& told : story.components) component_row(out, result, told, shown);
  out << "</tbody>";
  close_table(out);
  out << "<p class=\"caption\">p-values ask whether the members of a component differ between X "
         "and Y; they are corrected for the number of components.</p>";
}

void write_cluster_table(std::ostream& out, const RunRecord& record) {
  const record::ClusteringSummary& result = *record.clustering;
  std::vector<std::string> names;
  if (!record.data.empty()) names = record.data[0].column_names;
  constexpr std::size_t kMostCentres = 12;
  const bool centres = !result.centres.empty() && result.centres[0].size() <= kMostCentres;
  open_table(out, "Table of clusters");
  out << "<thead><tr><th scope=\"col\">Cluster</th><th scope=\"col\">Share</th>";
  const std::size_t columns = centres ? result.centres[0].size() : 0;
  for (std::size_t c = 0; c < columns; ++c) {
    out << "<th scope=\"col\">"
        << (c < names.size() ? escape_markup(names[c]) : "column " + std::to_string(c + 1))
        << "</th>";
  }
  out << "</tr></thead><tbody>";
  for (std::size_t j = 0; j < result.pi.size(); ++j) {
    std::string interval;
    if (j < result.pi_interval.size()) {
      interval = percent(result.pi_interval[j].low) + " – " + percent(result.pi_interval[j].high);
    }
    out << "<tr><th scope=\"row\">" << j + 1 << "</th><td>"
        << share(percent(result.pi[j]), interval) << "</td>";
    for (std::size_t c = 0; c < columns && j < result.centres.size(); ++c) {
      out << "<td>" << format_number(result.centres[j][c], 3) << "</td>";
    }
    out << "</tr>";
  }
  out << "</tbody>";
  close_table(out);
  if (centres) out << "<p class=\"caption\">Numbers are the means of the clusters' members.</p>";
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
  out << "<details class=\"numbers\"><summary>How the columns were read: " << used << " of "
      << record.columns.size() << " used</summary>";
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
