// Tables of more rows than memory is given.
#include "table/row_sample.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "app/compare/all_rows.hpp"
#include "table/table_test_support.hpp"

namespace nw::table {
namespace {

using testing::HasSubstr;

/// Rows whose number is their place, with a group that depends on it and words all different.
std::string numbered(std::size_t begin, std::size_t end) {
  std::string text = "place,value,group,name\n";
  for (std::size_t i = begin; i < end; ++i) {
    text += std::to_string(i) + "," + std::to_string((i * 7919) % 1000) + "," +
            (i < 15000 ? "early" : "late") + ",row " + std::to_string(i) + "\n";
  }
  return text;
}

std::vector<double> kept_by_blocks(const std::string& file, std::size_t most_cells,
                                   std::size_t block_cells) {
  RowSample sample(most_cells);
  const auto input = io::open_input(file);
  while (auto block = input.table->next(block_cells)) sample.add(*std::move(block));
  EXPECT_EQ(sample.rows_read(), 20000u);
  return sample.take().columns[0].numbers;
}

TEST(RowSample, KeepsTheSameRowsWhateverTheBlocks) {
  const io::test::TemporaryFolder folder;
  const std::string file = folder.write("x.csv", numbered(0, 20000)).string();
  const auto whole = kept_by_blocks(file, 4000, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(whole.size(), 1000u);
  EXPECT_TRUE(std::ranges::is_sorted(whole));
  for (const std::size_t cells : {std::size_t{1}, std::size_t{3000}, std::size_t{20000}}) {
    EXPECT_EQ(kept_by_blocks(file, 4000, cells), whole) << cells;
  }
}

TEST(RowSample, IsUniformOverTheRows) {
  const io::test::TemporaryFolder folder;
  const std::string file = folder.write("x.csv", numbered(0, 20000)).string();
  const auto rows = kept_by_blocks(file, 16000, 4000);
  ASSERT_EQ(rows.size(), 4000u);
  // Shares of ten equal parts: 400 each, deviation 17.
  std::vector<double> part(10, 0.0);
  for (const double row : rows) part[static_cast<std::size_t>(row / 2000.0)] += 1.0;
  for (const double count : part) EXPECT_NEAR(count, 400.0, 85.0);
}

TEST(RowSample, OfSeveralFilesIsOneOfAllTheirRowsAndSaysSo) {
  const io::test::TemporaryFolder folder;
  folder.write("a.csv", numbered(0, 4000));
  folder.write("b.csv", numbered(4000, 20000));
  const std::string files = (folder.path() / "*.csv").string();
  const Inputs inputs = read_inputs({.x = files, .y = {}}, {}, {.most_cells = 16000});
  EXPECT_EQ(inputs.x.size(), 4000u);
  EXPECT_THAT(inputs.description.notes,
              testing::Contains(HasSubstr("a sample of 4000 of the 20000 rows")));
  const auto group = std::ranges::find(inputs.x.column_names, "group = late");
  ASSERT_NE(group, inputs.x.column_names.end());
  double late = 0.0;
  for (std::size_t i = 0; i < inputs.x.size(); ++i) {
    late += inputs.x.values(i, static_cast<std::size_t>(group - inputs.x.column_names.begin()));
  }
  EXPECT_NEAR(late / 4000.0, 0.25, 0.035);
  // Row numbers are known as such though most of them are gone, and so are names.
  EXPECT_EQ(test::column(inputs, "place").reason, "row numbers");
  EXPECT_EQ(test::column(inputs, "name").reason, "all different");
}

TEST(RowSample, GoesToOtherProcessesAndIsTheSameThere) {
  const io::test::TemporaryFolder folder;
  const auto sample_of = [&](std::size_t file, std::size_t begin, std::size_t end) {
    RowSample sample(4000, file);
    const auto input = io::open_input(folder.write("x.csv", numbered(begin, end)));
    while (auto block = input.table->next(sample.next_cells())) sample.add(*std::move(block));
    return sample;
  };
  RowSample together = sample_of(0, 0, 9000), apart = sample_of(0, 0, 9000);
  together.merge(sample_of(1, 9000, 20000));
  apart.merge(RowSample::from_bytes(sample_of(1, 9000, 20000).to_bytes(), 4000));
  EXPECT_EQ(apart.rows_read(), 20000u);
  EXPECT_EQ(apart.counters(), together.counters());
  const io::RawTable found = apart.take(), expected = together.take();
  ASSERT_EQ(found.rows, 1000u);
  ASSERT_EQ(found.columns.size(), 4u);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(found.columns[j].numbers, expected.columns[j].numbers);
    EXPECT_EQ(found.columns[j].codes, expected.columns[j].codes);
    EXPECT_EQ(found.columns[j].levels, expected.columns[j].levels);
  }
  // A uniform sample of the rows of both files: 450 of 1000, deviation 16.
  const auto first =
      std::ranges::count_if(found.columns[0].numbers, [](double place) { return place < 9000.0; });
  EXPECT_NEAR(static_cast<double>(first), 450.0, 80.0);
}

TEST(RowSample, OfAllRowsIsTheTable) {
  const io::test::TemporaryFolder folder;
  const std::string file = folder.write("x.csv", numbered(0, 500)).string();
  const Inputs all = read_inputs({.x = file, .y = {}}, {}, {});
  const Inputs some = read_inputs({.x = file, .y = {}}, {}, {.most_cells = 2000});
  EXPECT_TRUE(std::ranges::equal(all.x.values.values(), some.x.values.values()));
  EXPECT_EQ(all.description.notes, some.description.notes);
}

TEST(RowSample, AWordInALaterBlockMakesTheColumnText) {
  std::string text = "v,w\n";
  for (int i = 0; i < 5000; ++i) {
    text += (i == 4990 ? "odd" : std::to_string(i % 13)) + "," + std::to_string(i % 7) + "\n";
  }
  const io::test::TemporaryFolder folder;
  const std::string file = folder.write("x.csv", text).string();
  RowSample sample(0);
  const auto input = io::open_input(file);
  while (auto block = input.table->next(100)) sample.add(*std::move(block));
  const io::RawTable table = sample.take();
  ASSERT_EQ(table.rows, 5000u);
  const io::RawColumn& v = table.columns[0];
  ASSERT_EQ(v.kind, io::CellKind::text);
  EXPECT_EQ(v.levels[v.codes[4990]], "odd");
  EXPECT_EQ(v.levels[v.codes[4991]], std::to_string(4991 % 13));
  EXPECT_EQ(v.levels.size(), 14u);
}

TEST(RowSample, LinesBehindTheTableAndProblemsAreThoseOfTheWholeFile) {
  const io::test::TemporaryFolder folder;
  const auto read = [&](const std::string& text, std::size_t cells) {
    const auto input = io::open_input(folder.write("x.csv", text));
    RowSample sample(0);
    while (auto block = input.table->next(cells)) sample.add(*std::move(block));
    return sample.take();
  };
  std::string rows = "a,b\n";
  for (int i = 0; i < 3000; ++i) rows += std::to_string(i) + ",1\n";
  const io::RawTable table = read(rows + "Total of all\n", 100);
  EXPECT_EQ(table.rows, 3000u);
  EXPECT_THAT(table.notes,
              testing::ElementsAre("line 3002 behind the table passed over: \"Total of all\""));
  EXPECT_THAT(io::test::io_error([&] { static_cast<void>(read(rows + "1,2,3\n", 100)); }),
              HasSubstr("line 3002"));
}

TEST(RowSample, SharesOfMembersAreThoseOfAllRowsOnceTheyAreCounted) {
  const io::test::TemporaryFolder folder;
  Rng rng(5);
  double first[2] = {0.0, 0.0};
  std::vector<std::string> files;
  for (int s = 0; s < 2; ++s) {
    std::string text = "u,v\n";
    for (int i = 0; i < 30000; ++i) {
      const bool near = rng.uniform() < (s == 0 ? 0.3 : 0.5);
      first[s] += near ? 1.0 / 30000.0 : 0.0;
      text += std::to_string((near ? 0.0 : 8.0) + rng.normal()) + "," +
              std::to_string((near ? 0.0 : 8.0) + rng.normal()) + "\n";
    }
    files.push_back(folder.write(s == 0 ? "x.csv" : "y.csv", text).string());
  }
  const Inputs inputs = read_inputs({files[0], files[1]}, {}, {.most_cells = 3000});
  ASSERT_EQ(inputs.x.size(), 1500u);
  measure::CompareOptions options;
  options.components = 2;
  options.resamplings = 19;
  Rng draws(1);
  auto result = measure::compare({inputs.x.values, {}}, {inputs.y.values, {}}, options, draws);
  const auto sampled = result;
  app::count_all_rows(inputs, result);
  const std::size_t near = result.components[0].centre[0] < result.components[1].centre[0] ? 0 : 1;
  EXPECT_NEAR(result.pi_x[near], first[0], 0.002);
  EXPECT_NEAR(result.pi_y[near], first[1], 0.002);
  EXPECT_EQ(result.components[near].mass_x, result.pi_x[near]);
  const auto width = [&](const measure::CompareResult& r) {
    return r.components[near].mass_x_interval.high - r.components[near].mass_x_interval.low;
  };
  EXPECT_NEAR(width(result) / width(sampled), std::sqrt(1500.0 / 30000.0), 0.01);
  EXPECT_NEAR(result.proportion_change, first[1] - first[0], 0.004);
  EXPECT_THAT(result.notes,
              testing::Contains(HasSubstr("Shares are those of all rows of X and Y")));
}

TEST(RowSample, RowsOfATableThatIsSplitAreCountedOnTheirSides) {
  const io::test::TemporaryFolder folder;
  Rng rng(6);
  std::string text = "when,u,v\n";
  double first[2] = {0.0, 0.0}, rows[2] = {0.0, 0.0};
  for (int i = 0; i < 40000; ++i) {
    const int year = 2022 + i % 3;  // the last year is on neither side
    const bool near = rng.uniform() < (year == 2022 ? 0.3 : 0.5);
    if (year < 2024) {
      rows[year - 2022] += 1.0;
      first[year - 2022] += near ? 1.0 : 0.0;
    }
    text += std::to_string(year) + "-0" + std::to_string(1 + i % 9) + "-15," +
            std::to_string((near ? 0.0 : 8.0) + rng.normal()) + "," +
            std::to_string((near ? 0.0 : 8.0) + rng.normal()) + "\n";
  }
  const std::string file = folder.write("x.csv", text).string();
  TableOptions options{.most_cells = 4500};
  options.by = {.column = "when", .from = "2022", .to = "2023"};
  const Inputs inputs = read_inputs({.x = file}, {}, options);
  ASSERT_LT(inputs.x.size() + inputs.y.size(), 3200u);
  std::size_t seen[2] = {0, 0};
  visit_all_rows(inputs, [&](const RowBlock& block) { seen[block.of_y] += block.rows.rows(); });
  EXPECT_EQ(static_cast<double>(seen[0]), rows[0]);
  EXPECT_EQ(static_cast<double>(seen[1]), rows[1]);
  measure::CompareOptions test;
  test.components = 2;
  test.resamplings = 19;
  Rng draws(1);
  auto result = measure::compare({inputs.x.values, {}}, {inputs.y.values, {}}, test, draws);
  app::count_all_rows(inputs, result);
  const std::size_t near = result.components[0].centre[0] < result.components[1].centre[0] ? 0 : 1;
  EXPECT_NEAR(result.pi_x[near], first[0] / rows[0], 0.002);
  EXPECT_NEAR(result.pi_y[near], first[1] / rows[1], 0.002);
}

TEST(RowSample, DroppedRowsAreNotCounted) {
  const io::test::TemporaryFolder folder;
  std::string text = "u,v\n";
  for (int i = 0; i < 400; ++i)
    text += (i % 5 == 0 ? "" : std::to_string(i % 17)) + ",1." + std::to_string(i % 9) + "\n";
  const std::string file = folder.write("x.csv", text).string();
  const Inputs inputs = read_inputs({.x = file, .y = file}, {}, {.missing = Missing::drop});
  EXPECT_EQ(inputs.x.size(), 320u);
  EXPECT_FALSE(can_visit_all_rows(inputs));
}

}  // namespace
}  // namespace nw::table
