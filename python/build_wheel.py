"""The build backend of `pip install ./python`: has the tree's own build make the module for the Python that pip runs
with, and packs it as a wheel. It downloads nothing; the compiler, Meson and cffi come from the system (scripts/setup)."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build-python"


def version():
    return re.search(r"version : '([^']+)'", (ROOT / "meson.build").read_text(encoding="utf-8")).group(1)


def tag():
    cpython = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{cpython}-{cpython}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def build():
    """The folder with the finished package."""
    # pip hides what is installed from the backend, but not from programs that it starts without these.
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONNOUSERSITE", "PYTHONHOME")}
    missing = subprocess.run([sys.executable, "-c", "import cffi"], env=env, capture_output=True).returncode
    if missing:
        sys.exit(f"{sys.executable} has no module cffi (Debian: python3-cffi; a venv sees it with --system-site-packages)")
    env["TARGETS"] = "python-module"
    subprocess.run(["scripts/build", BUILD.name, f"-Dpython={sys.executable}"], cwd=ROOT, env=env, check=True)
    package = BUILD / "python" / "macaw"
    if not list(package.glob("_macaw.*.so")):
        sys.exit(f"the headers of {sys.executable} are missing (Debian: python3-dev)")
    return package


def metadata():
    readme = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: macaw\nVersion: {version()}\n"
            "Summary: Games given by their rules, played, solved and analysed; constraint networks\nLicense: Apache-2.0\n"
            f"Requires-Python: >=3.9\nRequires-Dist: cffi\nProvides-Extra: arrays\nRequires-Dist: numpy; extra == 'arrays'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = build()
    games = sorted((ROOT / "games").glob("*.kif")) + sorted((ROOT / "games").glob("*.view.json"))
    files = {f"macaw/{f.name}": f.read_bytes() for f in sorted(package.iterdir()) if f.suffix in (".py", ".so", ".typed")}
    files.update({f"macaw/games/{f.name}": f.read_bytes() for f in games})
    info = f"macaw-{version()}.dist-info"
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: macaw\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"macaw-{version()}-{tag()}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(name, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("build from a checkout: pip install ./python")
