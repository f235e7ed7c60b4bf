// The page is complete without scripts: text, tables and fixed charts. Scripts, where the build has
// them, replace the fixed charts by interactive ones drawn from the embedded records.
#include "nw/report/html_report.hpp"

#include <cstdint>
#include <cstdio>
#include <sstream>

#include "nw/base/error.hpp"
#include "nw/base/version.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/base64.hpp"

#include "report/markup.hpp"
#include "report/run_article.hpp"
#include "report/run_tables.hpp"
#include "report/web_assets.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

using record::RunRecord;

std::string page_title(std::span<const RunRecord> records, const HtmlOptions& options) {
  if (!options.title.empty()) return options.title;
  if (records.size() == 1) return headline_of_data(records[0]);
  return std::to_string(records.size()) + " runs";
}

std::string records_json(std::span<const RunRecord> records) {
  std::string text = "[";
  for (std::size_t i = 0; i < records.size(); ++i) {
    text += (i == 0 ? "" : ",\n") + record::to_json(records[i], -1);
  }
  return text + "]";
}

/// A token that only our own script element carries, so that the policy below stops any other.
/// It follows from the content (FNV-1a): the same records give the same page.
std::string script_token(std::string_view content) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : content) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void write_head(std::ostream& out, const std::string& title, const std::string& token) {
  out << "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; img-src data:; script-src 'nonce-"
      << token
      << "'\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
         "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"generator\" content=\"nw "
      << version() << "\"><link rel=\"icon\" href=\"data:,\"><title>" << escape_markup(title)
      << " – nw report</title><style>" << page_style() << "</style></head>\n";
}

void write_overview(std::ostream& out, std::span<const RunRecord> records,
                    const std::string& title) {
  out << "<header class=\"overview\"><h1>" << escape_markup(title) << "</h1>";
  write_overview_table(out, records);
  out << "<nav class=\"run-tabs\" aria-label=\"Runs\">";
  for (std::size_t i = 0; i < records.size(); ++i) {
    out << "<a href=\"#run-" << i << "\">" << escape_markup(headline_of_data(records[i])) << "</a>";
  }
  out << "</nav></header>";
}

/// With scripts the button saves the embedded text; without them a link has to carry a copy.
void write_raw_records(std::ostream& out, const std::string& json, bool scripted) {
  out << "<footer class=\"page-foot\"><p>";
  if (scripted) {
    out << "<button type=\"button\" class=\"download\" data-download=\"nw-report.json\">"
           "Download the raw record (JSON)</button>";
  } else {
    out << "<a class=\"download\" download=\"nw-report.json\" href=\"data:application/json;base64,"
        << io::base64(json) << "\">Download the raw record (JSON)</a>";
  }
  out << "</p><p>Written by nw " << version()
      << ". The distance is the Normalized Wasserstein measure of Balaji, Chellappa and Feizi "
         "(ICCV 2019).</p></footer>";
}

}  // namespace

bool has_interactive_charts() noexcept {
  return !page_script().empty();
}

std::string render_html(std::span<const RunRecord> records, const HtmlOptions& options) {
  require(!records.empty(), "render_html: no record to show");
  const std::string json = records_json(records), title = page_title(records, options);
  const std::string token = script_token(json);
  const bool scripted = options.interactive && has_interactive_charts();
  std::ostringstream out;
  write_head(out, title, token);
  out << "<body><a class=\"skip\" href=\"#run-0\">Skip to the result</a><main>";
  const bool several = records.size() > 1;
  if (several) write_overview(out, records, title);
  for (std::size_t i = 0; i < records.size(); ++i) {
    write_run_article(out, records[i], {.index = i, .heading = several ? 2 : 1});
  }
  out << "</main>";
  write_raw_records(out, json, scripted);
  out << "\n<script type=\"application/json\" id=\"nw-records\">" << escape_json_for_script(json)
      << "</script>\n";
  if (scripted) out << "<script nonce=\"" << token << "\">" << page_script() << "</script>\n";
  out << "</body></html>\n";
  return out.str();
}

void write_html(const std::string& path, std::span<const RunRecord> records,
                const HtmlOptions& options) {
  io::write_file_atomically(path, render_html(records, options));
}

}  // namespace nw::report
