// What pictures show of results. Nothing is drawn here.

#include "picture/pictures_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "config/read_config.hpp"
#include "picture/gnuplot_script.hpp"
#include "report/formats.hpp"
#include "result/result_json.hpp"
#include "run/run.hpp"
#include "support/made_result.hpp"
#include "support/picture_script.hpp"
#include "support/plan_of.hpp"
#include "support/text.hpp"

namespace sigstab::testing {
namespace {

Result run_all(const Plan& plan) { return run(plan, {1, 1e9}); }

const PictureCurve& measured(const PicturePanel& panel, std::size_t style = 0) {
  const auto found = std::ranges::find_if(
      panel.curves, [&](const PictureCurve& c) { return !c.theory && c.style == style; });
  EXPECT_NE(found, panel.curves.end());
  return *found;
}

TEST(Picture, OfAStackHasASizeALayerWithTheInputBeforeThemAsDecimalLogarithms) {
  const Plan plan = plan_of(R"({"width": 8, "depth": 3, "title": "t"})");
  const Result result = run_all(plan);
  const std::vector<Picture> pictures = pictures_of(plan, result);
  ASSERT_EQ(pictures.size(), 1u);
  const Picture& picture = pictures[0];
  EXPECT_EQ(picture.title, "my: t");
  EXPECT_EQ(picture.drawn, "one draw, seed 0");
  EXPECT_TRUE(picture.legend.empty());
  ASSERT_EQ(picture.panels.size(), 2u);
  EXPECT_EQ(picture.panels[0].title, "forward_rms");
  EXPECT_EQ(picture.panels[1].title, "gradient_rms");
  const CaseResult& one = result.cases[0];
  const std::vector<PicturePoint>& points = measured(picture.panels[0]).points;
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].x, 0);
  EXPECT_EQ(points[0].y, std::log10(std::get<double>(*one.scalar("input_rms"))));
  EXPECT_EQ(points[3].y, std::log10(one.column("forward_rms")->values[2]));
}

TEST(Picture, OfAStackHasTheorysLineAndItsBandOfDraws) {
  const Plan plan = plan_of(R"({"width": 8, "depth": 3, "init": {"kind": "lecun", "gain": 10}})");
  const Picture picture = pictures_of(plan, run_all(plan)).at(0);
  const PicturePanel& forward = picture.panels[0];
  const auto theory =
      std::ranges::find_if(forward.curves, [](const PictureCurve& c) { return c.theory; });
  ASSERT_NE(theory, forward.curves.end());
  EXPECT_NEAR(theory->points[3].y, 3, 1e-12);  // a gain of 10 a layer
  ASSERT_EQ(forward.bands.size(), 1u);
  EXPECT_TRUE(forward.bands[0].theory);
  EXPECT_LT(forward.bands[0].ranges[3].low, 3);
  EXPECT_GT(forward.bands[0].ranges[3].high, 3);
}

TEST(Picture, IsTheSameOfAResultAsItIsInAFile) {
  const Plan plan = plan_of(
      R"({"width": 8, "depth": 4, "cases": [{"name": "a"}, {"name": "b", "init": "he"}],
          "sweep": {"activation": ["relu", "tanh"]}, "seeds": [3, 4]})");
  const Result result = run_all(plan);
  const Result read = read_results(write_json(result), "r.json").at(0);
  const Plan again = make_plan(read_result_config(read.config, "r.json"));
  EXPECT_EQ(gnuplot_script(pictures_of(again, read), format_named("svg")),
            gnuplot_script(pictures_of(plan, result), format_named("svg")));
}

TEST(Picture, ASweepOfThreeNumbersIsWhatArrivesAgainstThem) {
  const Plan plan = plan_of(
      R"({"width": 8, "cases": [{"name": "a"}, {"name": "b", "init": "he"}],
          "sweep": {"depth": [2, 8, 4]}})");
  const Result result = run_all(plan);
  const Picture picture = pictures_of(plan, result).at(0);
  EXPECT_EQ(picture.legend, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(picture.panels[0].title, "forward_rms at the last layer");
  EXPECT_EQ(picture.panels[1].title, "gradient_rms at the input");
  EXPECT_EQ(picture.panels[0].x.label, "depth");
  const std::vector<PicturePoint>& points = measured(picture.panels[0], 1).points;
  ASSERT_EQ(points.size(), 3u);  // ascending
  EXPECT_EQ(points[2].x, position(picture.panels[0].x, 8));
  EXPECT_EQ(points[2].y, std::log10(result.cases[4].column("forward_rms")->values.back()));
  const std::vector<PicturePoint>& back = measured(picture.panels[1], 1).points;
  EXPECT_EQ(back[2].y, std::log10(std::get<double>(*result.cases[4].scalar("input_gradient_rms"))));
}

TEST(Picture, OverSeedsIsTheGeometricMeanWithABand) {
  const Plan plan = plan_of(R"({"width": 8, "depth": 2, "seeds": {"from": 0, "count": 5}})");
  const Result result = run_all(plan);
  const Picture picture = pictures_of(plan, result).at(0);
  EXPECT_EQ(picture.drawn, "geometric mean of 5 seeds");
  double sum = 0;
  for (const CaseResult& one : result.cases) sum += std::log10(one.columns[0].values[1]);
  EXPECT_NEAR(measured(picture.panels[0]).points[2].y, sum / 5, 1e-12);
  const auto band =
      std::ranges::find_if(picture.panels[0].bands, [](const PictureBand& b) { return !b.theory; });
  ASSERT_NE(band, picture.panels[0].bands.end());
  EXPECT_LT(band->ranges[2].low, sum / 5);
  EXPECT_GT(band->ranges[2].high, sum / 5);
  EXPECT_TRUE(has(script_of(picture), "dotted: 95% of draws"));
}

TEST(Picture, SaysWhichMeanOfSeedsItShows) {
  const auto drawn = [](const std::string& columns) {
    const Plan plan = plan_of(R"({"experiment": "jacobian", "width": 8, "depth": 3,
                                  "seeds": [0, 1], "report": {"columns": [)" +
                              columns + "]}}");
    return pictures_of(plan, run_all(plan)).at(0).drawn;
  };
  EXPECT_EQ(drawn(R"("rms")"), "geometric mean of 2 seeds");
  EXPECT_EQ(drawn(R"("mean_log")"), "mean of 2 seeds");
  EXPECT_EQ(drawn(R"("rms", "mean_log")"), "mean of 2 seeds, geometric on logarithmic axes");
}

TEST(Picture, AValueWithoutALogarithmIsAGapAndItIsSaidWhere) {
  const Plan plan = plan_of(R"({"width": 4, "depth": 5, "cases": [{"name": "a"}, {"name": "b"}]})");
  Result result = run_all(plan);
  std::vector<double>& forward = result.cases[1].columns[0].values;
  ASSERT_EQ(result.cases[1].columns[0].name, "forward_rms");
  forward = {1, HUGE_VAL, HUGE_VAL, std::nan(""), 0};
  const Picture picture = pictures_of(plan, result).at(0);
  const std::vector<PicturePoint>& points = measured(picture.panels[0], 1).points;
  EXPECT_FALSE(std::isnan(points[1].y));
  for (std::size_t layer = 2; layer <= 5; ++layer) EXPECT_TRUE(std::isnan(points[layer].y));
  EXPECT_EQ(picture.notes, (std::vector<std::string>{"b: forward_rms is inf at layer 2 to 3, nan "
                                                     "at layer 4, 0 at layer 5"}));
  const std::string script = script_of(picture);
  EXPECT_TRUE(has(script, "'b: forward_rms is inf at layer 2 to 3"));
  EXPECT_FALSE(has(script, " nan\n"));
}

TEST(Picture, TheoryThatGoesOnWhereValuesAreLostDoesNotHideWhatWasMeasured) {
  const Plan plan = plan_of(
      R"({"width": 8, "depth": 2000, "dtype": "float32", "upstream": "none",
          "init": {"kind": "lecun", "gain": 3}})");
  const Picture picture = pictures_of(plan, run_all(plan)).at(0);
  EXPECT_GT(picture.panels[0].y.high, 38);   // float32's largest
  EXPECT_LT(picture.panels[0].y.high, 100);  // theory ends at 10^954
}

TEST(Picture, TheoryOfCurvesAlikeIsDrawnOnce) {
  const Plan plan = plan_of(
      R"({"width": 8, "depth": 3, "cases": [{"name": "a"}, {"name": "b"},
          {"name": "c", "init": {"kind": "lecun", "gain": 4}}]})");
  const Picture picture = pictures_of(plan, run_all(plan)).at(0);
  std::vector<std::size_t> styles;
  for (const PictureCurve& curve : picture.panels[0].curves) {
    if (curve.theory) styles.push_back(curve.style);
  }
  EXPECT_EQ(styles, (std::vector<std::size_t>{kSharedStyle, 2}));
}

TEST(Picture, ManyCurvesAreSeveralPictures) {
  std::string cases;
  for (int i = 0; i < 30; ++i) cases += R"({"name": "c)" + std::to_string(i) + R"("},)";
  cases.pop_back();
  const Plan plan = plan_of(R"({"width": 2, "depth": 2, "cases": [)" + cases + "]}");
  const std::vector<Picture> pictures = pictures_of(plan, run_all(plan));
  ASSERT_EQ(pictures.size(), 3u);
  EXPECT_EQ(pictures[0].legend.size(), 14u);
  EXPECT_EQ(pictures[2].legend.size(), 2u);
  EXPECT_EQ(pictures[2].legend[1], "c29");
}

TEST(Picture, OtherKindsShowTheirReportsColumnsWithTheoryBesideWhatItIsOf) {
  const Plan plan = plan_of(R"({"experiment": "jacobian", "width": 8, "depth": 3})");
  const Picture picture = pictures_of(plan, run_all(plan)).at(0);
  std::vector<std::string> titles;
  for (const PicturePanel& panel : picture.panels) titles.push_back(panel.title);
  EXPECT_EQ(titles,
            (std::vector<std::string>{"largest", "smallest", "rms", "mean_log", "effective_rank"}));
  EXPECT_TRUE(picture.panels[2].y.logarithmic);
  EXPECT_EQ(picture.panels[2].curves.size(), 2u);  // and rms_theory
  EXPECT_FALSE(picture.panels[3].y.logarithmic);   // logarithms, which are negative
}

TEST(Picture, RowsWithAPlaceOfTheirOwnStandThere) {
  const Plan plan = plan_of(R"({"experiment": "activation_moments", "variances": [1, 100, 10]})");
  const Picture picture = pictures_of(plan, run_all(plan)).at(0);
  EXPECT_EQ(picture.panels[0].x.label, "variance");
  EXPECT_EQ(measured(picture.panels[0]).points[1].x, 2);
  EXPECT_NE(picture.panels[0].title, "variance");
}

TEST(Picture, WhatCannotBeDrawnIsRefusedBeforeItRuns) {
  const auto error = error_of(
      [] { check_pictures(plan_of(R"({"experiment": "activation_moments", "variances": [1]})")); });
  ASSERT_TRUE(error);
  EXPECT_TRUE(has(error->what(), "nothing to draw a curve through")) << error->what();
  EXPECT_FALSE(error_of([] { check_pictures(plan_of(R"({"depth": 1})")); }));
}

TEST(Picture, ACaseThatThePlanDoesNotHaveIsAnError) {
  const Plan plan = plan_of(R"({"width": 4, "depth": 2})");
  Result result = run_all(plan);
  result.cases[0].name = "other";
  const auto error = error_of([&] { pictures_of(plan, result); });
  ASSERT_TRUE(error);
  EXPECT_TRUE(has(error->what(), "\"other\"")) << error->what();
}

// --- axes ---------------------------------------------------------------------------------------

std::vector<std::string> tick_texts(const PictureAxis& axis) {
  std::vector<std::string> texts;
  for (const PictureTick& tick : axis.ticks) {
    EXPECT_GE(tick.at, axis.low);
    EXPECT_LE(tick.at, axis.high);
    texts.push_back(tick.text);
  }
  return texts;
}

TEST(PictureAxis, HasAHandfulOfTicksOverAnyNumberOfDecades) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(tick_texts(value_axis(true, std::vector<double>{-8, 0})),
            (Texts{"1e-08", "1e-06", "1e-04", "1e-02", "1"}));
  EXPECT_EQ(tick_texts(value_axis(true, std::vector<double>{0, 0})), (Texts{"0.7", "1", "1.5"}));
  EXPECT_EQ(tick_texts(value_axis(true, std::vector<double>{0, 1})), (Texts{"1", "2", "5", "10"}));
  for (double decades : {0.1, 0.7, 1.5, 3.0, 5.0, 9.0, 70.0, 1504.0, 1e5}) {
    const PictureAxis axis = value_axis(true, std::vector<double>{-decades, 0});
    EXPECT_GE(axis.ticks.size(), 1u) << decades;
    EXPECT_LE(axis.ticks.size(), 9u) << decades;
    tick_texts(axis);
  }
}

TEST(PictureAxis, TakesAnyNumbers) {
  for (double low : {-1e308, -3.0, 0.0, 1e-308, 1e300}) {
    for (double high : {0.0, 1e-300, 5.0, 1e308}) {
      if (low > high) continue;
      const PictureAxis axis = value_axis(false, std::vector<double>{high, low, std::nan("")});
      EXPECT_LT(axis.low, axis.high);
      EXPECT_TRUE(std::isfinite(axis.high - axis.low));
      EXPECT_LE(axis.ticks.size(), 10u);
    }
  }
  const PictureAxis nothing = value_axis(true, {});
  EXPECT_LT(nothing.low, nothing.high);
}

TEST(PictureAxis, EndsForPlacesThatNoAxisHolds) {
  const double inf = HUGE_VAL, nan = std::nan("");
  EXPECT_EQ(tick_texts(key_axis("x", std::vector<double>{inf, 2, nan, 1, -inf, 3})),
            (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_TRUE(key_axis("x", std::vector<double>{inf, nan}).ticks.empty());
  std::vector<double> tiny, vast;
  for (int i = 0; i < 40; ++i) {
    tiny.push_back(i * 5e-324);
    vast.push_back((i - 20) * 8e306);
  }
  for (const auto& places : {tiny, vast}) {
    const PictureAxis axis = key_axis("x", places);
    EXPECT_LT(axis.low, axis.high);
    EXPECT_TRUE(std::isfinite(axis.high - axis.low));
    EXPECT_LE(axis.ticks.size(), 10u);
  }
  const PictureAxis least = value_axis(false, tiny);
  EXPECT_LT(least.low, least.high);
  EXPECT_LE(least.ticks.size(), 10u);
}

TEST(PictureAxis, OfAKeyIsLogarithmicWhereThatSpacesItsValuesMoreEvenly) {
  EXPECT_TRUE(key_axis("depth", std::vector<double>{6, 12, 24, 48}).logarithmic);
  EXPECT_FALSE(key_axis("gain", std::vector<double>{0.9, 1, 1.1}).logarithmic);
  EXPECT_FALSE(key_axis("gain", std::vector<double>{0, 1, 10}).logarithmic);
  EXPECT_EQ(tick_texts(key_axis("depth", std::vector<double>{6, 12, 24, 48})),
            (std::vector<std::string>{"6", "12", "24", "48"}));
  EXPECT_EQ(key_axis("depth", std::vector<double>{6}).ticks.size(), 1u);
}

TEST(PictureAxis, OfRowsStartsAtTheInput) {
  EXPECT_EQ(tick_texts(row_axis("layer", 0, 50)),
            (std::vector<std::string>{"input", "10", "20", "30", "40", "50"}));
  EXPECT_EQ(tick_texts(row_axis("entry", 1, 3)), (std::vector<std::string>{"1", "2", "3"}));
}

}  // namespace
}  // namespace sigstab::testing
