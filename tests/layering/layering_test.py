"""Includes point downwards, the core does not know LibTorch, and the library is silent."""

import pathlib
import unittest

import layers

ROOT = pathlib.Path(__file__).resolve().parents[2]


def problems(folder, text, public=False):
    return [problem for _, problem in layers.violations_in(folder, text, public)]


class TheSourceTree(unittest.TestCase):
    def test_keeps_the_rules(self):
        found, files = layers.check_tree(ROOT)
        self.assertGreater(files, 10, "the check looks in the wrong place")
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_table_goes_downwards_only(self):
        everything = layers.ALLOWED | layers.ROOMS
        for folder, (layer, allowed) in everything.items():
            for target in allowed:
                self.assertLess(everything[target][0], layer, f"{folder} -> {target}")

    def test_table_of_the_documentation_is_current(self):
        page = (ROOT / "docs" / "design.md").read_text()
        self.assertEqual(layers.with_table(page), page, "run python3 tests/layering/layers.py")


class TheCheck(unittest.TestCase):
    def test_finds_an_include_that_goes_up_or_sideways(self):
        self.assertEqual(
            problems("ot", '#include "nw/measure/mixture.hpp"\n'),
            ["ot may not include nw/measure/mixture.hpp"],
        )
        self.assertEqual(len(problems("ot", '#include "nw/io/points.hpp"\n')), 1)
        self.assertEqual(len(problems("base", '#include "ot/pivot_rule.hpp"\n')), 1)
        self.assertEqual(len(problems("io", '#include "cli/progress.hpp"\n')), 1)

    def test_accepts_an_include_that_goes_down_or_stays(self):
        self.assertEqual(problems("measure", '#include "nw/ot/exact.hpp"\n'), [])
        self.assertEqual(problems("ot", '#include "nw/ot/exact.hpp"\n#include <vector>\n'), [])

    def test_covers_the_command_the_experiments_and_the_python_module(self):
        self.assertEqual(
            problems("cli", '#include "nw/nn/critic.hpp"\n'), ["cli may not include nw/nn/critic.hpp"]
        )
        self.assertEqual(len(problems("cli", '#include "nw/train/training_loop.hpp"\n')), 1)
        self.assertEqual(len(problems("cli", '#include "nw/gan/gan_model.hpp"\n')), 1)
        self.assertEqual(len(problems("cli", '#include "nw/run/run_directory.hpp"\n')), 1)
        self.assertEqual(problems("cli", '#include "nw/app/report/write_report.hpp"\n'), [])
        self.assertEqual(len(problems("experiments", '#include "cli/progress.hpp"\n')), 1)
        self.assertEqual(len(problems("python", '#include "nw/train/loop.hpp"\n')), 1)
        self.assertEqual(len(problems("python", '#include "cli/progress.hpp"\n')), 1)
        self.assertEqual(
            problems("cli", '#include "app/compare/measure_record.hpp"\n'),
            ["cli includes public headers alone, not app/compare/measure_record.hpp"],
        )
        self.assertEqual(problems("cli", '#include "cli/progress.hpp"\n'), [])
        self.assertEqual(problems("experiments", '#include "app/compare/measure_record.hpp"\n'), [])
        self.assertEqual(problems("cli", "void f() { std::cout << 1; }\n"), [])

    def test_finds_libtorch_below_the_layers_that_learn_only(self):
        self.assertEqual(len(problems("ot", "#include <torch/torch.h>\n")), 1)
        self.assertEqual(len(problems("measure", "at::Tensor t;\n")), 1)
        self.assertEqual(problems("nn", "#include <torch/torch.h>\n"), [])

    def test_finds_printing_but_not_words_about_it(self):
        self.assertEqual(len(problems("ot", "void f() { std::cerr << 1; }\n")), 1)
        self.assertEqual(len(problems("ot", 'void f() { printf("x"); }\n')), 1)
        self.assertEqual(len(problems("ot", "void f() { std::abort(); }\n")), 1)
        self.assertEqual(len(problems("ot", "void f() { return abort(); }\n")), 1)
        self.assertEqual(problems("c10d", "void f() { group_->abort(); team.exit(); }\n"), [])
        self.assertEqual(problems("ot", "// never std::cout here\n/* printf( */\n"), [])
        self.assertEqual(problems("ot", 'auto s = "std::cout printf(";\n'), [])

    def test_finds_options_as_the_command_line_writes_them_below_it(self):
        for folder in ("ot", "app/compare", "experiments", "python"):
            self.assertEqual(
                problems(folder, 'require(ok, "--only ", name);\n'),
                ['only cli names options as "--name": "--only "'],
            )
        self.assertEqual(len(problems("io", 'auto help = "under --method nw";\n')), 1)
        self.assertEqual(len(problems("io", 'f(empty ? "--data" : given);\n')), 1)
        self.assertEqual(problems("cli", 'require(ok, "--only ", name);\n'), [])
        self.assertEqual(problems("io", 'auto text = "`only`"; // --only is an option\n'), [])
        self.assertEqual(problems("io", 'auto mark = "<!-- begin --><a--b>";\n'), [])
        self.assertEqual(problems("io", 'run_process({"tar", "--gzip", file});\n'), [])
        self.assertEqual(len(problems("io", 'run_process({"tar"});\nf("give --gzip");\n')), 1)

    def test_keeps_private_dependencies_out_of_public_headers(self):
        text = "#pragma once\n#include <nlohmann/json.hpp>\n"
        self.assertEqual(len(problems("io", text, public=True)), 1)
        self.assertEqual(problems("io", text, public=False), [])


if __name__ == "__main__":
    unittest.main()
