#include "report/run_article.hpp"

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/report/comparison_in_words.hpp"

#include "report/column_panel.hpp"
#include "report/column_view.hpp"
#include "report/confusion_table.hpp"
#include "report/markup.hpp"
#include "report/run_tables.hpp"
#include "report/static_charts.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

using record::CompareResult;
using record::RunRecord;

void list(std::ostream& out, const char* css, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  out << "<ul class=\"" << css << "\">";
  for (const std::string& sentence : sentences) out << "<li>" << escape_markup(sentence) << "</li>";
  out << "</ul>";
}

void tile(std::ostream& out, const std::string& label, const std::string& value,
          const std::vector<std::string>& notes) {
  out << "<div class=\"tile\"><dt>" << escape_markup(label) << "</dt><dd class=\"tile-value\">"
      << unbroken(escape_markup(value)) << "</dd>";
  for (const std::string& note : notes) {
    if (!note.empty()) out << "<dd class=\"tile-note\">" << escape_markup(note) << "</dd>";
  }
  out << "</div>";
}

std::string against_floor(double value, const std::optional<double>& floor) {
  if (!floor || !(*floor > 0.0)) return "";
  return fixed(value / *floor, 1) + " × the noise floor of " + format_number(*floor, 3);
}

std::string test_note(const std::optional<double>& p, const char* hypothesis) {
  if (!p) return "";
  return (*p < 0.001 ? "p " : "p = ") + p_value(p) + " for “" + hypothesis + "”";
}

void compare_tiles(std::ostream& out, const CompareResult& result) {
  tile(out, "Plain distance W", format_number(result.wasserstein, 3),
       {against_floor(result.wasserstein, result.wasserstein_floor),
        test_note(result.p_same, "same distribution")});
  tile(out, "Normalised distance NW", format_number(result.normalized_wasserstein, 3),
       {against_floor(result.normalized_wasserstein, result.normalized_floor),
        test_note(result.p_components, "same components")});
  tile(out, "Components k", std::to_string(result.k), {});
}

void metric_tiles(std::ostream& out, const RunRecord& record) {
  for (const record::Metric& metric : record.metrics) {
    std::vector<std::string> notes;
    const auto shown = [&](double value) { return metric_text(metric, value); };
    if (metric.interval) {
      notes.push_back(shown(metric.interval->low) + " to " + shown(metric.interval->high));
    }
    if (metric.expected) notes.push_back("expected " + shown(*metric.expected));
    tile(out, metric.label.empty() ? metric.name : metric.label, shown(metric.value), notes);
  }
}

void tiles(std::ostream& out, const RunRecord& record) {
  out << "<dl class=\"tiles\">";
  if (record.compare) compare_tiles(out, *record.compare);
  if (record.distance) {
    tile(out, "Wasserstein distance", format_number(record.distance->distance, 5),
         {record.distance->method});
    if (record.distance->gap) {
      tile(out, "Duality gap", format_number(*record.distance->gap, 2), {"primal minus dual"});
    }
  }
  if (record.mode_choice && !record.compare) {
    tile(out, "Number of modes k*", std::to_string(record.mode_choice->k), {});
  }
  metric_tiles(out, record);
  out << "</dl>";
}

std::string data_line(const RunRecord& record) {
  std::string line = headline_of_data(record);
  const SetNames names = set_names(record);
  for (std::size_t i = 0; i < record.data.size(); ++i) {
    line +=
        (i == 0 ? " · " + names.x : ", " + names.y) + ": " + counted(record.data[i].rows, "row");
  }
  const auto used = static_cast<std::size_t>(
      std::ranges::count_if(record.columns, [](const auto& column) { return column.used; }));
  // Levels of a category are coordinates of one column.
  if (!record.data.empty())
    line += " · " + counted(used > 0 ? used : record.data[0].columns, "column");
  return line;
}

void warnings(std::ostream& out, const RunRecord& record) {
  if (!record.converged) {
    out << (record.kind == record::RunKind::training
                ? "<p class=\"warning\">The run has not finished.</p>"
                : "<p class=\"warning\">The run stopped before it converged: read its numbers as "
                  "bounds.</p>");
  }
  for (const std::string& warning : record.warnings) {
    out << "<p class=\"warning\">" << unbroken(escape_markup(warning)) << "</p>";
  }
}

void open_header(std::ostream& out, const char* verdict, const std::string& headline,
                 ArticlePlace place) {
  out << "<header class=\"verdict verdict-" << verdict << "\"><h" << place.heading << " id=\"run-"
      << place.index << "-title\">" << unbroken(escape_markup(headline)) << "</h" << place.heading
      << ">";
}

/// A comparison: a headline of a few words, who did what, and the evidence on demand.
void comparison_header(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  const ComparisonInWords story = comparison_in_words(record);
  open_header(out, to_string(story.verdict), story.headline, place);
  out << "<p class=\"lede\">" << unbroken(escape_markup(story.summary)) << "</p><p class=\"about\">"
      << escape_markup(data_line(record)) << "</p>";
  warnings(out, record);
  out << "<details class=\"evidence\"><summary>How sure is that?</summary>";
  std::vector<std::string> sentences = story.evidence;
  if (!record.sentence.empty()) sentences.push_back(record.sentence);
  sentences.insert(sentences.end(), record.details.begin(), record.details.end());
  list(out, "details", sentences);
  tiles(out, record);
  out << "</details></header>";
}

void answer_header(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  open_header(out, "none", answer(record), place);
  out << "<p class=\"about\">" << escape_markup(data_line(record)) << "</p>";
  list(out, "details", record.details);
  warnings(out, record);
  tiles(out, record);
  out << "</header>";
}

/// Opens a section whose heading stands one level below the article's.
void open_section(std::ostream& out, ArticlePlace place, const char* name, const char* title) {
  out << "<section class=\"card " << name << "\" aria-labelledby=\"run-" << place.index << '-'
      << name << "\"><h" << place.heading + 1 << " id=\"run-" << place.index << '-' << name << "\">"
      << title << "</h" << place.heading + 1 << ">";
}

/// The scripts replace the content of this element by an interactive chart.
void chart(std::ostream& out, ArticlePlace place, const char* name, const std::string& fixed,
           std::size_t item = 0, const SetNames& sides = {}, const std::string& attributes = "") {
  out << "<div class=\"chart\" data-chart=\"" << name << "\" data-run=\"" << place.index
      << "\" data-item=\"" << item << "\"";
  if (!sides.x.empty()) {
    out << " data-x=\"" << escape_markup(sides.x) << "\" data-y=\"" << escape_markup(sides.y)
        << "\"";
  }
  out << attributes << ">" << fixed << "</div>";
}

/// What the two sides of a comparison are called beyond X and Y; empty where they are not.
SetNames sides_of(const RunRecord& record) {
  if (!record.compare) return {};
  const ComparisonInWords story = comparison_in_words(record);
  if (story.side_x == "X") return {};
  return {"X: " + story.side_x, "Y: " + story.side_y};
}

void figure_section(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  open_section(out, place, "figure", "Where the points lie");
  std::optional<std::pair<std::size_t, std::size_t>> columns;
  if (record.compare) columns = telling_columns(*record.figure);
  const std::size_t rings = rings_of(*record.figure);
  const std::string axes =
      columns ? concat(" data-across=\"", columns->first, "\" data-up=\"", columns->second, "\"")
              : "";
  chart(out, place, "scatter",
        columns ? column_scatter(record, *columns, 640, 520) : static_scatter(record), 0,
        sides_of(record), concat(axes, " data-rings=\"", rings, "\""));
  out << "<p class=\"caption\">";
  if (!record.data.empty() && record.data[0].rows > record.figure->x.size()) {
    const SetNames names = set_names(record);
    out << grouped(record.figure->x.size()) << " of " << grouped(record.data[0].rows)
        << " points of " << names.x;
    if (record.data.size() > 1) {
      out << " and " << grouped(record.figure->y.size()) << " of " << grouped(record.data[1].rows)
          << " of Y";
    }
    out << " are drawn. ";
  }
  if (record.figure->axes.size() > 1 && !record.figure->ellipses.empty()) {
    out << "Ellipses are drawn at one "
        << (rings > 1 ? "and two standard deviations" : "standard deviation") << " of a component.";
  }
  out << "</p></section>";
}

void proportions_section(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  open_section(out, place, "proportions", "Proportions");
  chart(out, place, "proportions", static_proportions(*record.compare), 0, sides_of(record));
  out << "<p class=\"caption\">Share of each component in X (above) and in Y";
  if (!record.compare->pi_x_interval.empty()) out << "; whiskers are confidence intervals";
  out << '.';
  if (!record.compare->components.empty()) out << " The table of components has the numbers.";
  out << "</p></section>";
}

void curve_section(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  open_section(out, place, "curve", "How many components?");
  chart(out, place, "curve", static_curve(*record.mode_choice));
  list(out, "reasons", record.mode_choice->reasons);
  write_curve_table(out, *record.mode_choice);
  out << "</section>";
}

void series_section(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  open_section(out, place, "series", "Over the run");
  std::vector<bool> drawn(record.series.size(), false);
  for (std::size_t i = 0; i < record.series.size(); ++i) {
    if (drawn[i]) continue;
    const std::vector<std::size_t> shown = series_of_chart(record.series, i);
    for (const std::size_t member : shown) drawn[member] = true;
    const record::Series& first = record.series[i];
    out << "<figure><figcaption>" << escape_markup(shown.size() > 1 ? first.chart : first.name)
        << "</figcaption>";
    chart(out, place, "series", static_series(record.series, shown), i);
    out << "</figure>";
  }
  out << "</section>";
}

void pictures_section(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  open_section(out, place, "pictures", "Pictures");
  for (const record::Picture& picture : record.pictures) {
    out << "<figure><figcaption>" << escape_markup(picture.title)
        << "</figcaption><img style=\"max-width:100%;height:auto;image-rendering:pixelated\" "
           "width=\""
        << picture.width << "\" height=\"" << picture.height << "\" alt=\""
        << escape_markup(picture.caption.empty() ? picture.title : picture.caption)
        << "\" src=\"data:image/png;base64," << escape_markup(picture.png) << "\">";
    if (!picture.caption.empty()) {
      out << "<p class=\"caption\">" << escape_markup(picture.caption) << "</p>";
    }
    out << "</figure>";
  }
  out << "</section>";
}

}  // namespace

void write_run_article(std::ostream& out, const RunRecord& record, ArticlePlace place) {
  out << "<section class=\"run\" id=\"run-" << place.index << "\" aria-labelledby=\"run-"
      << place.index << "-title\">";
  if (record.compare) {
    comparison_header(out, record, place);
  } else {
    answer_header(out, record, place);
  }
  out << "<div class=\"sections\">";
  if (record.figure) figure_section(out, record, place);
  if (record.compare) proportions_section(out, record, place);
  if (record.mode_choice) curve_section(out, record, place);
  if (has_confusion(record)) {
    open_section(out, place, "confusion", "What is taken for what");
    write_confusion(out, record);
    out << "</section>";
  }
  if (!record.pictures.empty()) pictures_section(out, record, place);
  if (!record.series.empty()) series_section(out, record, place);
  if (record.compare && !record.compare->components.empty()) {
    open_section(out, place, "components", "Components");
    write_component_table(out, record);
    out << "</section>";
  }
  if (record.clustering) {
    open_section(out, place, "clusters", "Clusters");
    write_cluster_table(out, record);
    out << "</section>";
  }
  if (has_column_panel(record) || !record.columns.empty()) {
    open_section(out, place, "columns", "Column by column");
    if (has_column_panel(record)) write_column_panel(out, record);
    if (!record.columns.empty()) write_column_table(out, record);
    out << "</section>";
  }
  open_section(out, place, "provenance", "Settings and versions");
  write_provenance(out, record);
  out << "</section></div></section>";
}

}  // namespace nw::report
