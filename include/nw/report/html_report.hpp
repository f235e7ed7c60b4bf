// One self-contained HTML page of one or more runs: opens from disk and loads nothing
// from anywhere else.
#pragma once

#include <span>
#include <string>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// How a page is written. The defaults suit every page.
struct HtmlOptions {
  /// Title of the window and heading above several runs; empty: made from the runs.
  std::string title{};
  /// Charts that answer to pointer and keyboard. Without the scripts in the build (see
  /// has_interactive_charts) or when false, the same charts are drawn as fixed pictures.
  bool interactive = true;
};

/// Whether this build holds the scripts of the interactive charts.
[[nodiscard]] bool has_interactive_charts() noexcept;

/// The page as text. Everything that comes from a record is escaped; the records themselves are
/// embedded and can be saved from the page. Throws InvalidArgument when there is no record.
[[nodiscard]] std::string render_html(std::span<const record::RunRecord> records,
                                      const HtmlOptions& options = {});

/// The answer of one run with its picture and its table of components, as HTML to be put into a
/// page of somebody else, such as a notebook: no scripts, everything from the record escaped.
[[nodiscard]] std::string render_fragment(const record::RunRecord& record);

/// Writes the page to a file. Throws IoError.
void write_html(const std::string& path, std::span<const record::RunRecord> records,
                const HtmlOptions& options = {});

}  // namespace nw::report
