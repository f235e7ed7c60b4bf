// `nw cluster DATA`: which points belong together, and how large each group is.
#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/measure/choose_k.hpp"
#include "nw/record/start_record.hpp"

#include "app/compare/measure_record.hpp"
#include "cli/cluster/arguments.hpp"
#include "cli/cluster/clusters.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/interrupt.hpp"
#include "cli/measure_options.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/run_options.hpp"

namespace nw::cli {

using namespace app;
namespace {

using measure::Shape;

/// The number of modes by Theorem 1, as `nw choose-k` finds it.
measure::ChooseKResult find_k(const ClusterArguments& arguments, const io::PointSet& points) {
  Progress progress("choose-k", arguments.common.show_progress());
  measure::ChooseKOptions options;
  options.nw.threads = arguments.common.threads;
  options.observer = observe(progress);
  Rng rng(arguments.common.seed);
  return measure::choose_k(weighted(points), options, rng);
}

void check(const ClusterArguments& arguments) {
  const bool nw = arguments.method == ClusterMethod::nw;
  require(arguments.method == ClusterMethod::gmm || arguments.shape == Shape::full,
          "--shape belongs to --method gmm");
  const auto needs_nw = [&](bool given, const char* option) {
    require(nw || !given, option, " belongs to --method nw");
  };
  needs_nw(arguments.recipe != ClusterRecipe::best, "--recipe");
  needs_nw(arguments.start != NetworkStart::automatic, "--start");
  needs_nw(arguments.rule != ClusterRule::automatic, "--rule");
  needs_nw(arguments.steps.has_value(), "--steps");
  needs_nw(arguments.batch.has_value(), "--batch");
  needs_nw(arguments.latent.has_value(), "--latent");
  needs_nw(arguments.width.has_value(), "--width");
  needs_nw(arguments.diversity.has_value(), "--diversity");
  needs_nw(arguments.moves.has_value(), "--moves");
  needs_nw(!arguments.run.empty(), "--run");
  require(!(arguments.resume || arguments.overwrite) || !arguments.run.empty(),
          "--resume and --overwrite need --run");
  require(arguments.neighbours > 0, "--neighbours must be positive");
}

/// Few points say little about proportions, and learning takes seconds where k-means takes none.
constexpr std::size_t kFewPoints = 500;

/// How to cluster, and the points where finding that out took reading them.
struct Plan {
  ClusterMethod method = ClusterMethod::kmeans;
  std::optional<Inputs> read = {};
};

/// The method where none is asked for: NW, whose clusters may be of any size, where it can learn.
Plan plan_for(const ClusterArguments& arguments) {
  // What comes through a pipe can be read once, and NW is another program.
  const bool twice = std::filesystem::is_regular_file(arguments.inputs.x) ||
                     std::filesystem::is_directory(arguments.inputs.x);
  if (!can_learn() || !twice) return {};
  Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  const bool few = inputs.x.size() < kFewPoints || !inputs.x.weights.empty();
  return {.method = few ? ClusterMethod::kmeans : ClusterMethod::nw, .read = std::move(inputs)};
}

int run_cluster(const ClusterArguments& arguments, std::optional<Inputs> read) {
  // The processes of a job share --method nw, and only the first one will write.
  const bool shared = arguments.method == ClusterMethod::nw && arguments.assign.empty();
  if (!shared) require_writable_results(arguments);
  if (!arguments.assign.empty()) return run_assign(arguments);
  require(!arguments.inputs.x.empty(), "nw cluster: say which points: DATA");
  require(!arguments.k.empty(), "--k: say how many clusters there are, or auto to find out");
  std::size_t k = parse_components(arguments.k);
  check(arguments);
  if (arguments.method == ClusterMethod::nw)
    return run_adversarial_clustering(arguments, std::move(read));
  const Inputs inputs = read ? *std::move(read) : load_inputs(arguments.inputs, arguments.common);
  const io::PointSet& points = inputs.x;
  require(k <= points.size(), "--k ", k, ": there are only ", points.size(), " points");
  const InterruptScope interrupt;
  const Stopwatch clock;
  const FeatureSpace space = make_feature_space(arguments, points, k);
  auto record = record::start_record(record::RunKind::training, "cluster", arguments.common.seed);
  if (k == 0) {
    const auto choice = find_k(arguments, points);
    if (choice.curve.empty()) return kNotConverged;
    k = choice.k;
    record.mode_choice = to_record(choice);
    record.details.push_back(choice.reason);
  }
  Clusters clusters;
  {
    Progress progress("cluster", arguments.common.show_progress());
    const auto observer = [&](double done) {
      progress.update(done);
      return !InterruptScope::requested();
    };
    clusters = find_clusters(arguments, {.points = space.of(points), .weights = points.weights}, k,
                             observer);
  }
  tell(arguments, points, space, clusters, record);
  record.seconds = clock.seconds();
  print_clusters(arguments.common, record);
  if (!arguments.assignments.empty()) write_assignments(arguments.assignments, clusters);
  if (!arguments.report.empty()) draw(points, space, clusters, record);
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return record.converged ? kDone : kNotConverged;
}

void add_nw_options(CLI::App& command, ClusterArguments& arguments) {
  const char* group = "Learning (--method nw)";
  const auto number = [&](const char* name, std::optional<std::int64_t>& value, const char* help) {
    command.add_option(name, value, help)->type_name("N")->group(group);
  };
  add_choice<ClusterRecipe>(command, "--recipe", arguments.recipe,
                            {{"best", ClusterRecipe::best}, {"paper", ClusterRecipe::paper}},
                            "Networks and rates: ours, or those of the paper's table")
      ->group(group);
  add_choice<NetworkStart>(command, "--start", arguments.start,
                           {{"auto", NetworkStart::automatic},
                            {"random", NetworkStart::random},
                            {"features", NetworkStart::features}},
                           "Images without --features: networks begin at random weights or from "
                           "clusters of features; auto: the latter under --recipe best")
      ->group(group);
  add_choice<ClusterRule>(command, "--rule", arguments.rule,
                          {{"auto", ClusterRule::automatic},
                           {"nearest", ClusterRule::nearest},
                           {"recognised", ClusterRule::recognised}},
                          "Images without --features: an image belongs to the component that makes "
                          "the nearest one (the paper), or to the one that a classifier of "
                          "generated images names; auto: the latter under --recipe best")
      ->group(group);
  number("--steps", arguments.steps, "Generator steps of each start (default: the recipe's)");
  number("--batch", arguments.batch, "Rows of data in a step");
  number("--latent", arguments.latent, "Length of the noise that components map");
  number("--width", arguments.width, "Images: channels of the layers next to the image");
  command
      .add_option("--diversity", arguments.diversity,
                  "lambda_reg: reward for components that lie apart")
      ->type_name("X")
      ->group(group);
  command
      .add_option("--moves", arguments.moves,
                  "Affine components: moves after training that merge two and divide another, at "
                  "most so many (default 20)")
      ->type_name("N")
      ->group(group);
  add_run_options(command, arguments, "Run directory: every start, features, result");
  command
      .add_option("--assign", arguments.assign,
                  "Assign these new points to the clusters of the run in --run")
      ->type_name("NEWDATA");
}

}  // namespace

void require_writable_results(const ClusterArguments& arguments) {
  for (const auto& file : {arguments.common.json, arguments.assignments, arguments.report}) {
    require_writable(file);
  }
}

void add_cluster(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("cluster", "Which points belong together");
  const auto arguments = std::make_shared<ClusterArguments>();
  command->add_option("DATA", arguments->inputs.x, "Points: CSV, TSV, NPY, NPZ, idx, images");
  command->add_option("--k", arguments->k, "Number of clusters, or auto to choose it")
      ->type_name("N|auto");
  add_choice<ClusterMethod>(*command, "--method", arguments->method,
                            {{"nw", ClusterMethod::nw},
                             {"kmeans", ClusterMethod::kmeans},
                             {"gmm", ClusterMethod::gmm},
                             {"equilibrium", ClusterMethod::equilibrium}},
                            "A mixture GAN with proportions it learns; round clusters by distance; "
                            "a mixture of Gaussians; centres that repel each other (default: nw "
                            "from 500 points on where LibTorch is there, else kmeans)");
  add_choice<Shape>(
      *command, "--shape", arguments->shape,
      {{"full", Shape::full}, {"diagonal", Shape::diagonal}, {"spherical", Shape::spherical}},
      "gmm: family of the covariances");
  command
      ->add_option("--restarts", arguments->restarts,
                   "Starts; the best one by the method's own criterion wins (default 10, nw 1)")
      ->type_name("N");
  add_choice<Features>(
      *command, "--features", arguments->features,
      {{"auto", Features::automatic}, {"none", Features::none}, {"diffusion", Features::diffusion}},
      "Cluster the data themselves or coordinates of a walk between neighbours; "
      "auto: the walk for images and long rows under --method nw");
  command->add_option("--neighbours", arguments->neighbours, "Of a point in the walk")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--labels", arguments->inputs.points.load.labels_file,
                   "Classes of the points, for purity, NMI and ARI")
      ->type_name("FILE");
  command->add_option("-o,--assignments", arguments->assignments, "Write the cluster of each point")
      ->type_name("FILE.csv");
  add_nw_options(*command, *arguments);
  add_point_options(*command, arguments->inputs.points);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw cluster points.csv --k 3 -o clusters.csv --report page.html\n"
      "  nw cluster points.csv --k auto --method gmm\n"
      "  nw cluster points.csv --label-column species --k 3 --method gmm --json -\n"
      "  nw cluster digits-idx3-ubyte.gz --k 3 --method nw --run digits -o clusters.csv\n"
      "  nw cluster --run digits --assign more-digits-idx3-ubyte.gz -o more.csv\n"
      "Exit code 4: stopped before it converged (iteration limit, or Ctrl-C).");
  command->callback([arguments, command, &context] {
    const bool given = command->get_option("--method")->count() > 0;
    context.action = [arguments, given] {
      if (given || !arguments->assign.empty()) return run_cluster(*arguments, std::nullopt);
      Plan plan = plan_for(*arguments);
      arguments->method = plan.method;
      return run_cluster(*arguments, std::move(plan.read));
    };
  });
}

}  // namespace nw::cli
