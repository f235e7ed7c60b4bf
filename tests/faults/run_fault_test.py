"""A training run under faults: killed before every call that changes a file, on full and failing disks."""
import signal

import faulty
import run_files  # of tests/run


class ATrainingRun(faulty.FaultTest):
    STEPS = ["--steps", "12", "--every", "4"]

    def setUp(self):
        super().setUp()
        self.toy("quiet")
        self.expected = run_files.outcome(self.folder / "quiet")

    def toy(self, name, **more):
        return self.run_command([faulty.TOY, name, "--resume", *self.STEPS], **more)

    def assert_comes_to_the_same_end(self, name):
        done = self.toy(name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run_files.outcome(self.folder / name), self.expected)
        self.assert_no_leftovers(self.folder / name)

    def test_is_killed_before_every_call_that_changes_a_file(self):
        number = 0
        while True:
            number += 1
            name = f"run-{number}"
            done = self.toy(name, fault=f"any:kill@{number}", path=name)
            if (self.folder / name).exists():
                run_files.check_readable(self.folder / name)
            if done.returncode == 0:
                break
            self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
            self.assert_comes_to_the_same_end(name)
        print(f"{number - 1} places to be killed at")
        self.assertGreater(number, 40)

    def test_meets_a_full_or_failing_disk_at_every_call(self):
        stopped = 0
        for call, error, words in (("write", "ENOSPC", "No space left"), ("fsync", "EIO", "Input/output error"),
                                   ("rename", "EIO", "Input/output error"), ("open", "EACCES", "Permission denied"),
                                   ("mkdir", "EROFS", "Read-only file system")):
            for number in range(1, 60):
                name = f"{call}-{number}"
                done = self.toy(name, fault=f"{call}:{error}@{number}", path=name)
                if (self.folder / name).exists():
                    run_files.check_readable(self.folder / name)
                if done.returncode == 0:
                    if call in ("write", "rename", "mkdir"):
                        break  # there were no more calls
                    # Folders that cannot be synced, and locks nobody can read, are no reason to stop.
                    if number > 45:
                        break
                    continue
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(words.lower(), done.stderr.lower())
                stopped += 1
                self.assert_comes_to_the_same_end(name)
        print(f"stopped by a disk {stopped} times, and came to the same end each time")
        self.assertGreater(stopped, 25)

    def test_survives_short_and_interrupted_writes_unchanged(self):
        for fault in ("write:short@1+", "write:EINTR@1+", "read:short@1+", "read:EINTR@1+"):
            name = fault.replace(":", "-").split("@")[0]
            done = self.toy(name, fault=fault, path=name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(run_files.outcome(self.folder / name), self.expected)


if __name__ == "__main__":
    faulty.main()
