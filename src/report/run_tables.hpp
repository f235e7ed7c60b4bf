// The tables of a run: components, curve, settings and versions, several runs side by side.
#pragma once

#include <iosfwd>
#include <span>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// Every component with its shares and what became of it. The record has a comparison.
void write_component_table(std::ostream& out, const record::RunRecord& record);

/// Every cluster with its share and, for few columns, its centre. The record has a clustering.
void write_cluster_table(std::ostream& out, const record::RunRecord& record);

/// The numbers behind the curve, folded away.
void write_curve_table(std::ostream& out, const record::ModeChoice& choice);

/// What was made of the columns of the tables, folded away.
void write_column_table(std::ostream& out, const record::RunRecord& record);

/// Settings, versions, cost of the run and fields of other programs.
void write_provenance(std::ostream& out, const record::RunRecord& record);

/// One line per run, each linking to its article.
void write_overview_table(std::ostream& out, std::span<const record::RunRecord> records);

}  // namespace nw::report
