"""Arguments, help, exit codes and streams, whatever the subcommand."""

import json
import pathlib
import subprocess

from command import EXAMPLES, NW, CommandTest, main

# Commands of the second program, nw-torch.
LEARNING = {"gan", "sample", "adapt", "predict", "denoise", "score"}
HAS_TORCH = pathlib.Path(NW).with_name("nw-torch").exists()
SPRING, AUTUMN = EXAMPLES / "spring.csv", EXAMPLES / "autumn.csv"


class TheCommandLine(CommandTest):
    def test_without_arguments_shows_the_help_and_counts_as_misuse(self):
        done = self.nw()
        self.assertEqual(done.returncode, 2)
        self.assertIn("distance", done.stdout)

    def test_prints_its_version(self):
        self.assertRegex(self.nw("--version").stdout, r"\Anw \d+\.\d+\.\d+\n\Z")

    def test_shows_examples_in_the_help_of_every_command(self):
        listed = self.nw("--help").stdout.split("Subcommands:")[1].split("\n\n")[0]
        commands = [line.split()[0] for line in listed.split("\n") if line.strip()]
        self.assertIn("distance", commands)
        self.assertNotIn("ot-worker", listed)
        for command in commands:
            done = self.nw(command, "--help")
            if command in LEARNING and not HAS_TORCH:
                self.assert_refused(done, 2, "built without LibTorch", "libtorch-dev")
                continue
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"Usage: nw {command}", done.stdout)
            self.assertIn("Example", done.stdout, command)

    def test_help_of_a_command_is_its_option_help(self):
        self.assertEqual(self.nw("help", "distance").stdout, self.nw("distance", "--help").stdout)
        self.assertEqual(self.nw("help").stdout, self.nw("--help").stdout)
        self.assert_refused(self.nw("help", "distanc"), 2, "did you mean 'distance'")

    def test_suggests_the_command_that_was_probably_meant(self):
        self.assert_refused(self.nw("distanc", "x", "y"), 2, "'distanc'", "did you mean 'distance'")

    def test_suggests_the_option_that_was_probably_meant(self):
        done = self.nw("distance", SPRING, AUTUMN, "--mehtod", "exact")
        self.assert_refused(done, 2, "'--mehtod'", "did you mean '--method'", "nw distance --help")

    def test_refuses_values_out_of_range_and_names_them(self):
        for arguments, parts in [
            (["--p", "3"], ["--p", "'3'", "1|2"]),
            (["--method", "magic"], ["--method", "'magic'", "auto|exact|sinkhorn|sliced"]),
            (["--threads", "-1"], ["--threads", "-1"]),
            (["--threads", "many"], ["--threads", "many"]),
            (["--seed", "x"], ["--seed", "x"]),
            (["--method", "sinkhorn", "--epsilon", "-1"], ["epsilon", "-1"]),
            (["--method", "sliced", "--directions", "0"], ["directions", "0"]),
            (["--delimiter", "xx"], ["--delimiter", "xx"]),
            (["--tile", "28"], ["--tile", "28"]),
            (["--method", "sliced", "--plan", "plan.csv"], ["--plan", "exact", "sliced"]),
        ]:
            with self.subTest(arguments=arguments):
                done = self.nw("distance", SPRING, AUTUMN, "--columns", "1-2", *arguments)
                self.assert_refused(done, 2, *parts)

    def test_refuses_missing_and_surplus_inputs(self):
        self.assert_refused(self.nw("distance", SPRING), 2, "Y")
        self.assert_refused(self.nw("distance", SPRING, AUTUMN, "third"), 2, "third")

    def test_list_options_do_not_swallow_the_inputs_after_them(self):
        done = self.nw("distance", "--columns", "age,income", SPRING, AUTUMN)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_json_on_standard_output_stands_alone(self):
        done = self.nw("distance", SPRING, AUTUMN, "--columns", "1-2", "--json", "-")
        self.assertEqual(json.loads(done.stdout)["command"], "distance")

    def test_quiet_prints_the_number_alone(self):
        done = self.nw("distance", SPRING, AUTUMN, "--columns", "1-2", "--quiet")
        self.assertAlmostEqual(float(done.stdout), 17.346246410027973)
        self.assertEqual((done.stdout.count("\n"), done.stderr), (1, ""))

    def test_reports_a_full_disk_behind_standard_output(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [NW, "distance", SPRING, AUTUMN, "--columns", "1-2"],
                stdout=full, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
        self.assertEqual(done.returncode, 3)
        self.assertIn("standard output", done.stderr)


if __name__ == "__main__":
    main()
