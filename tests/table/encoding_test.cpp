// Coordinates of columns, and the way back.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/rng.hpp"
#include "nw/io/write.hpp"

#include "table/table_test_support.hpp"

namespace nw::table {
namespace {

using test::column;
using test::encode;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

/// A table with a number, a heavy tail, a category of three levels and a truth value.
struct Maker {
  Rng rng;
  double unit = 1.0, offset = 0.0;
  double missing = 0.0;
  std::string reversed = {};

  std::string table(std::size_t rows) {
    std::string text = "age,gain,kind,flag\n";
    for (std::size_t i = 0; i < rows; ++i) {
      const double age = 40.0 + 10.0 * rng.normal();
      const double gain = std::exp(3.0 * rng.normal());
      const char* kinds[] = {"red", "green", "blue"};
      const char* kind = kinds[static_cast<std::size_t>(rng.uniform() * 2.999)];
      const bool flag = rng.uniform() < 0.3, hole = rng.uniform() < missing;
      char line[160];
      std::snprintf(line, sizeof line, "%s,%.17g,%s,%s\n",
                    hole ? "" : std::to_string(age * unit + offset).c_str(), gain, kind,
                    flag ? "yes" : "no");
      text += line;
    }
    return text;
  }
};

TEST(Encoding, ScalesByPooledMomentsInWhichBothSidesWeighTheSame) {
  // 30 rows around 0 against 3000 around 100: the median lies between, whatever the numbers.
  std::string x = "v,w\n", y = "v,w\n";
  Rng rng(3);
  for (int i = 0; i < 31; ++i)
    x += std::to_string(rng.normal()) + "," + std::to_string(rng.normal()) + "\n";
  for (int i = 0; i < 3000; ++i)
    y += std::to_string(100.0 + rng.normal()) + "," + std::to_string(rng.normal()) + "\n";
  const Inputs inputs = encode(x, y, {.scale = Scale::std});
  const auto mean = [](const io::PointSet& set) {
    double sum = 0.0;
    for (std::size_t i = 0; i < set.size(); ++i) sum += set.values(i, 0);
    return sum / static_cast<double>(set.size());
  };
  EXPECT_NEAR(mean(inputs.x), -mean(inputs.y), 1e-9);
}

TEST(Encoding, RobustScaleIsLinearToThreeDeviationsAndLogarithmicBeyond) {
  std::string text = "v,u\n";
  for (int i = -500; i <= 500; ++i)
    text += std::to_string(i) + "," + std::to_string(i * i % 37) + "\n";
  text += "5000,1\n";
  const Inputs inputs = encode(text, {.columns = {"v"}});
  const ColumnEncoding& v = inputs.encoding->columns[0];
  const double centre = v.grid.value(v.centre), deviation = v.grid.length(v.deviation);
  EXPECT_NEAR(centre, 0.0, 1.0);
  EXPECT_NEAR(deviation, 800.0 / 2.5631, 3.0);
  const double z = (5000.0 - centre) / deviation;
  EXPECT_NEAR(inputs.x.values(1001, 0), 3.0 + std::log(z - 2.0), 1e-12);
  EXPECT_NEAR(inputs.x.values(600, 0), (100.0 - centre) / deviation, 1e-12);
}

TEST(Encoding, TwoLevelsAreOneDeviationApartWhicheverTheyAre) {
  Maker maker{Rng(4)};
  const Inputs inputs = encode(maker.table(200), {.columns = {"kind"}});
  ASSERT_EQ(inputs.x.dimension(), 3u);
  const io::RawTable raw = test::csv("kind,n\nred,1\ngreen,2\nblue,3\nred,4\n");
  const Matrix points = inputs.encoding->encode(raw);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = a + 1; b < 3; ++b) {
      double squared = 0.0;
      for (std::size_t j = 0; j < 3; ++j) squared += std::pow(points(a, j) - points(b, j), 2);
      EXPECT_NEAR(squared, 1.0, 1e-12);
    }
  }
  const Inputs flag = encode(Maker{Rng(4)}.table(200), {.columns = {"flag"}});
  ASSERT_EQ(flag.x.dimension(), 1u);
  EXPECT_THAT(flag.x.column_names, ElementsAre("flag = yes"));
  EXPECT_THAT(std::vector<double>(flag.x.values.values().begin(), flag.x.values.values().end()),
              testing::Each(testing::AnyOf(0.0, 1.0)));
}

TEST(Encoding, CoordinatesGoBackToUnitsAndShares) {
  for (const Scale scale : {Scale::none, Scale::std, Scale::robust, Scale::rank}) {
    Maker maker{Rng(5)};
    const std::string text = maker.table(400);
    const Inputs inputs = encode(text, {.scale = scale});
    const Encoding& encoding = *inputs.encoding;
    const io::RawTable raw = test::csv(text);
    const auto names = encoding.coordinate_names();
    const auto at = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    const double tolerance = scale == Scale::rank ? 0.8 : 1e-6;  // ranks keep 201 quantiles
    for (std::size_t i = 5; i < 395; i += 13) {
      const auto values = encoding.to_units(inputs.x.values.row(i));
      if (scale != Scale::rank || std::abs(raw.columns[0].numbers[i] - 40.0) < 15.0) {
        EXPECT_NEAR(values[at("age")], raw.columns[0].numbers[i], tolerance) << to_string(scale);
      }
      const std::string& kind = raw.columns[2].levels[raw.columns[2].codes[i]];
      EXPECT_NEAR(values[at("kind = " + kind)], 1.0, 1e-9);
    }
    // A centre of a component: the mean of indicator coordinates is a share.
    std::vector<double> mean(names.size(), 0.0);
    double greens = 0.0;
    for (std::size_t i = 0; i < 400; ++i) {
      for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += inputs.x.values(i, j) / 400.0;
      greens += raw.columns[2].levels[raw.columns[2].codes[i]] == "green" ? 1.0 / 400.0 : 0.0;
    }
    EXPECT_NEAR(encoding.to_units(mean)[at("kind = green")], greens, 1e-9);
  }
}

TEST(Encoding, ShiftsAreDifferencesInUnits) {
  Maker maker{Rng(6)};
  const Inputs inputs = encode(maker.table(300));
  const auto names = inputs.encoding->coordinate_names();
  const auto age = static_cast<std::size_t>(std::ranges::find(names, "age") - names.begin());
  std::vector<double> centre(names.size(), 0.0), shift(names.size(), 0.0);
  shift[age] = 0.5;
  const auto moved = inputs.encoding->shift_to_units(centre, shift);
  const ColumnEncoding& column = inputs.encoding->columns[0];
  const double deviation = column.grid.length(column.deviation);
  EXPECT_NEAR(moved[age], 0.5 * deviation, 1e-9);
  EXPECT_NEAR(inputs.encoding->slope(age, 0.0), deviation, 1e-6);
}

TEST(Encoding, OneDateInAllRowsThatHaveAnyIsNoDivisionByZero) {
  const std::string text = "closed,v\n2023-03-01,1.5\n,2.25\n2023-03-01,3\n,4.5\n2023-03-01,1\n";
  for (const Scale scale : {Scale::none, Scale::std, Scale::robust, Scale::rank}) {
    const Inputs inputs = encode(text, {.scale = scale});
    for (const double value : inputs.x.values.values()) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(encoding_from_json(to_json(*inputs.encoding), "test"), *inputs.encoding);
    EXPECT_EQ(inputs.encoding->decode(inputs.x.values).columns[0].levels,
              std::vector<std::string>{"2023-03-01"});
  }
}

TEST(Encoding, SurvivesJson) {
  Maker maker{Rng(7), 1.0, 0.0, 0.1};
  const Encoding encoding = *encode(maker.table(300)).encoding;
  EXPECT_EQ(encoding_from_json(to_json(encoding), "test"), encoding);
  for (const char* bad : {"", "[]", "{\"scale\":\"robust\"}", "{\"scale\":\"odd\",\"columns\":[]}",
                          "{\"scale\":\"std\",\"columns\":[{\"name\":\"a\",\"kind\":\"odd\"}]}"}) {
    EXPECT_THAT(io::test::io_error([&] { static_cast<void>(encoding_from_json(bad, "test")); }),
                HasSubstr("test: not an encoding of columns"));
  }
}

TEST(Encoding, NewRowsGetTheCoordinatesOfOldOnes) {
  Maker maker{Rng(8)};
  const std::string text = maker.table(150);
  const Inputs inputs = encode(text);
  const Matrix again = inputs.encoding->encode(test::csv(text));
  EXPECT_EQ(std::vector<double>(again.values().begin(), again.values().end()),
            std::vector<double>(inputs.x.values.values().begin(), inputs.x.values.values().end()));
  EXPECT_THAT(io::test::io_error([&] {
                static_cast<void>(inputs.encoding->encode(test::csv("age,kind\n1,red\n2,red\n")));
              }),
              HasSubstr("has no column \"flag\""));
}

TEST(Encoding, PointsComeBackAsRowsOfTheirColumnsInTheOrderOfTheFile) {
  std::string text = "weight,born,kind,flag,children\n";
  Rng rng(15);
  for (int i = 0; i < 300; ++i) {
    char line[120];
    std::snprintf(line, sizeof line, "%s,%04d-0%d-11,%s,%s,%d\n",
                  i % 9 == 0 ? "" : std::to_string(60.0 + 7.0 * rng.normal()).c_str(),
                  1950 + static_cast<int>(rng.uniform() * 50.0), 1 + i % 9,
                  i % 11 == 0  ? ""
                  : i % 3 == 0 ? "red"
                  : i % 3 == 1 ? "a \"quoted\", level"
                               : "blue",
                  i % 4 == 0 ? "yes" : "no", i * 31 % 6);
    std::string cells = line;
    if (const auto at = cells.find("a \""); at != std::string::npos)
      cells.replace(at, 17, "\"a \"\"quoted\"\", level\"");
    text += cells;
  }
  const io::RawTable raw = test::csv(text);
  const io::test::TemporaryFolder folder;
  for (const Scale scale : {Scale::none, Scale::std, Scale::robust}) {
    const Inputs inputs = encode(text, {.scale = scale});
    const io::RawTable back = inputs.encoding->decode(inputs.x.values);
    EXPECT_THAT(inputs.encoding->column_names(),
                ElementsAre("weight", "born", "kind", "flag", "children"));
    io::write_csv(folder.file("back.csv"), back);
    const io::RawTable read = io::load_input(folder.file("back.csv")).table.value();
    ASSERT_EQ(read.columns.size(), raw.columns.size());
    for (std::size_t j = 0; j < raw.columns.size(); ++j) {
      const io::RawColumn &a = raw.columns[j], &b = read.columns[j];
      EXPECT_EQ(a.name, b.name);
      ASSERT_EQ(a.kind, b.kind) << a.name;
      EXPECT_EQ(a.missing, b.missing) << a.name;
      for (std::size_t i = 0; i < raw.rows; ++i) {
        if (a.kind == io::CellKind::text) {
          ASSERT_EQ(a.codes[i] == io::RawColumn::kMissing, b.codes[i] == io::RawColumn::kMissing);
          if (a.codes[i] == io::RawColumn::kMissing) continue;
          EXPECT_EQ(a.levels[a.codes[i]], b.levels[b.codes[i]]) << a.name;
        } else if (!std::isnan(a.numbers[i])) {
          EXPECT_NEAR(a.numbers[i], b.numbers[i], 1e-9 * (1.0 + std::abs(a.numbers[i]))) << a.name;
        }
      }
    }
  }
}

TEST(Encoding, FurtherRowsAreReadByNameWithTheirLabels) {
  Maker maker{Rng(16)};
  const Inputs inputs = encode(maker.table(200));
  const io::test::TemporaryFolder folder;
  const std::string file =
      folder.write("new.csv", "class,FLAG,kind,gain,age,other\nb,no,red,1,40,x\na,yes,new,2,50,y\n")
          .string();
  const io::PointSet rows = read_like(*inputs.encoding, file, {.label_column = "class"});
  EXPECT_EQ(rows.column_names, inputs.x.column_names);
  ASSERT_TRUE(rows.labels);
  EXPECT_EQ(rows.labels->name_of(0), "b");
  const auto names = inputs.encoding->coordinate_names();
  const auto at = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  EXPECT_NEAR(inputs.encoding->to_units(rows.values.row(0))[at("age")], 40.0, 1e-9);
  EXPECT_EQ(rows.values(1, at("kind = red")), 0.0);  // a level that nobody has seen is none of them
}

TEST(Encoding, UnitsAndOffsetsOfAColumnDoNotMatter) {
  const auto coordinates = [](double unit, double offset) {
    Maker maker{Rng(9), unit, offset};
    const std::string x = maker.table(200);
    const Inputs inputs = encode(x, maker.table(250));
    return std::vector<double>(inputs.x.values.values().begin(), inputs.x.values.values().end());
  };
  const auto plain = coordinates(1.0, 0.0);
  for (const auto& [unit, offset] : {std::pair(1000.0, 0.0), {1.0, 1e6}, {0.001, -3.0}}) {
    // The tables hold six decimals.
    const double tolerance = unit < 1.0 ? 1e-3 : 1e-6;
    EXPECT_THAT(coordinates(unit, offset), testing::Pointwise(DoubleNear(tolerance), plain));
  }
}

TEST(Missing, NumbersAreFilledInFromTheirDistributionWithACoordinateThatSaysSo) {
  Maker maker{Rng(10), 1.0, 0.0, 0.3};
  const Inputs inputs = encode(maker.table(1000), {.columns = {"age"}});
  ASSERT_THAT(inputs.x.column_names, ElementsAre("age", "age missing"));
  double filled = 0.0, squares = 0.0, count = 0.0;
  for (std::size_t i = 0; i < 1000; ++i) {
    if (inputs.x.values(i, 1) == 0.0) continue;
    filled += inputs.x.values(i, 0);
    squares += std::pow(inputs.x.values(i, 0), 2);
    ++count;
  }
  EXPECT_NEAR(count / 1000.0, 0.3, 0.05);
  EXPECT_NEAR(filled / count, 0.0, 0.1);
  EXPECT_NEAR(std::sqrt(squares / count), 1.0, 0.15);
}

TEST(Missing, AChangedShareIsNamed) {
  Maker few{Rng(11), 1.0, 0.0, 0.02}, many{Rng(12), 1.0, 0.0, 0.2}, again{Rng(13), 1.0, 0.0, 0.02};
  const std::string x = few.table(400);
  EXPECT_TRUE(column(encode(x, many.table(400)), "age").missing_changed);
  EXPECT_FALSE(column(encode(x, again.table(400)), "age").missing_changed);
  const auto lines = summary_lines(encode(x, Maker{Rng(12), 1.0, 0.0, 0.2}.table(400)).description);
  EXPECT_THAT(lines.back(), HasSubstr("(changed)"));
}

TEST(Missing, RowsAreDroppedOrRefusedOnRequest) {
  const std::string x = "a,b\n1,2\n,3\n4,1\n7,8\n", y = "a,b\n1,2\n2,\n5,5\n";
  const Inputs dropped = encode(x, y, {.missing = Missing::drop});
  EXPECT_EQ(dropped.x.size(), 3u);
  EXPECT_EQ(dropped.y.size(), 2u);
  EXPECT_THAT(dropped.description.notes, testing::Contains("2 rows with missing values left out"));
  EXPECT_EQ(
      io::test::io_error([&] { static_cast<void>(encode(x, y, {.missing = Missing::error})); }),
      "x.csv: column \"a\" has 1 missing value, the first in row 2; fill them in, or leave "
      "these rows out with `missing` drop");
}

TEST(Encoding, RareLevelsShareAState) {
  std::string text = "zone,v\n";
  for (int i = 0; i < 2000; ++i) {
    const int zone = i % 100 < 60 ? i % 3 : 3 + i % 97;
    text += "z" + std::to_string(zone) + "," + std::to_string(i % 17) + "\n";
  }
  const Inputs inputs = encode(text, {.columns = {"zone"}});
  EXPECT_LE(inputs.x.dimension(), 13u);
  EXPECT_EQ(inputs.x.column_names.back(), "zone = other");
}

TEST(Encoding, PixelsStayAsTheyAre) {
  std::string text;
  for (int j = 0; j < 80; ++j) text += (j == 0 ? "p" : ",p") + std::to_string(j);
  text += "\n";
  Rng rng(14);
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 80; ++j)
      text += (j == 0 ? "" : ",") + std::to_string(static_cast<int>(rng.uniform() * 255.9));
    text += "\n";
  }
  const Inputs inputs = encode(text);
  EXPECT_EQ(inputs.encoding->scale, Scale::none);
  EXPECT_EQ(inputs.x.dimension(), 80u);
}

}  // namespace
}  // namespace nw::table
