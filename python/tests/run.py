"""Runs the tests of the module with pytest and says how many passed, as the other test programs do."""

import sys

try:
    import numpy  # noqa: F401
    import pytest
except ImportError as missing:
    print(f"skipped: {missing.name} is missing (scripts/setup installs it)")
    sys.exit(77)


class Count:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed
        self.failed += report.failed
        self.skipped += report.skipped
        if report.skipped:
            print(f"\nskipped: {report.nodeid}: {report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr}")


count = Count()
status = pytest.main(["-q", "-p", "no:cacheprovider", "-W", "error", __file__.rsplit("/", 1)[0], *sys.argv[1:]], plugins=[count])
print(f"\n[  PASSED  ] {count.passed} test(s).")
if count.failed:
    print(f"[  FAILED  ] {count.failed} test(s).")
if count.skipped:
    print(f"[  SKIPPED ] {count.skipped} test(s).")
sys.exit(status)
