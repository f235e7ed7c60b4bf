"""No memory, and signals."""
import json
import resource
import signal
import subprocess
import time

import faulty
from faulty import COMPARE, DISTANCE


class TheProcess(faulty.FaultTest):
    def limited(self, megabytes, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

        return self.nw(*arguments, preexec_fn=limit)

    def test_says_that_memory_is_out_whenever_it_is(self):
        """From too little to start up to enough to read half of the data, in small steps."""
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 2), }"
        raw = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
        (self.folder / "big.npy").write_bytes(raw + bytes(16 * 1000000))
        codes = []
        for megabytes in range(12, 40, 2):  # below, the system cannot load the program itself
            done = self.limited(megabytes, "distance", "big.npy", "big.npy", "--threads", "2")
            codes.append(done.returncode)
            unborn = "error while loading shared libraries", "terminate called without an active"
            if 1 not in codes[:-1] and any(words in done.stderr for words in unborn):
                codes[-1] = None  # no memory for the program itself, or for its first exception
            else:
                self.assert_failed_cleanly(done, 1, "out of memory")
        self.assertGreater(codes.count(1), 3, "no limit was in between")
        self.assertEqual(self.limited(400, *DISTANCE).returncode, 0)

    def test_gets_on_with_the_threads_it_is_given(self):
        alone = self.nw(*COMPARE, "--threads", "1", "--json", "-")
        for first in (1, 2):
            done = self.nw(*COMPARE, "--threads", "4", "--json", "-", fault=f"thread:EAGAIN@{first}+")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.result_of(done)["p_components"], self.result_of(alone)["p_components"])

    def test_refuses_a_file_that_claims_more_than_memory_holds(self):
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000, 1000), }"
        raw = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
        (self.folder / "huge.npy").write_bytes(raw + bytes(80))
        done = self.limited(300, "distance", "huge.npy", "huge.npy")
        self.assert_failed_cleanly(done, 3, "huge.npy", "claims")

    def start(self, *arguments):
        faulty.FaultTest.cases += 1
        return subprocess.Popen([faulty.NW, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    LONG = [*COMPARE[:-1], "200000"]

    def test_stops_in_order_on_the_first_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                process = self.start(*self.LONG, "--json", "out.json")
                time.sleep(0.5)
                process.send_signal(number)
                process.communicate(timeout=30)
                self.assertEqual(process.returncode, 4)
                self.assertIs(json.loads((self.folder / "out.json").read_text())["converged"], False)

    def test_ends_at_once_on_the_second_signal(self):
        process = self.start(*self.LONG)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        self.assertIn(process.returncode, (4, -signal.SIGTERM, -signal.SIGINT))

    def test_leaves_old_outputs_alone_when_it_is_killed(self):
        # Killed before every single call that changes a file: the old page is there, or the new one.
        for number in range(1, 30):
            (self.folder / "page.html").write_text("old")
            done = self.nw(*DISTANCE, "--report", "page.html", fault=f"any:kill@{number}", path=self.folder)
            text = (self.folder / "page.html").read_text()
            self.assertTrue(text == "old" or text.endswith("</body></html>\n"), number)
            if done.returncode == 0:
                break
            self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assertGreater(number, 3)
        self.assertEqual(done.returncode, 0)

    def test_says_when_standard_output_is_closed(self):
        command = f"'{faulty.NW}' {' '.join(DISTANCE)} >&-"
        done = self.run_command(["sh", "-c", command])
        self.assert_failed_cleanly(done, 3, "standard output")


if __name__ == "__main__":
    faulty.main()
