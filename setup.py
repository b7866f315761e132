"""Builds the compiled kernels of native/; all else stands in pyproject.toml.

Where they cannot be built, the package installs without them and computes the same numbers in Python.
"""

from pathlib import Path

from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import setup
from setuptools.errors import CompileError

# Most of the time goes into pybind11, once for each file that the compiler is given, so it is given few.
UNITS = 2

ParallelCompile(default=2).install()


class BuildKernels(build_ext):
    """Compiles several files at once, or one by one where that fails, and says so."""

    def build_extension(self, extension: Pybind11Extension) -> None:
        print("compiling the kernels of native/, a minute on one core", flush=True)
        files, folder = extension.sources, Path(self.build_temp)
        folder.mkdir(parents=True, exist_ok=True)
        extension.sources = [str(self._unit(folder, place, files[place::UNITS])) for place in range(UNITS)]
        extension.include_dirs.append("native")
        try:
            super().build_extension(extension)
        except CompileError:  # two files have one name, say, which is no fault of either
            print("together they do not compile, now one by one", flush=True)
            extension.sources = files
            super().build_extension(extension)

    def _unit(self, folder: Path, place: int, files: list[str]) -> Path:
        unit = folder / f"kernels_{place}.cpp"
        unit.write_text("".join(f'#include "{Path(file).absolute().as_posix()}"\n' for file in files))
        return unit


sources = sorted(map(str, Path("native").glob("*.cpp")))
kernels = Pybind11Extension(
    "rainbow._native",
    sources,
    depends=[*sources, *sorted(map(str, Path("native").glob("*.hpp")))],
    cxx_std=20,
    extra_compile_args=["-O3", "-ffp-contract=off"],  # the same bits on every kind of processor
    optional=True,
)

setup(ext_modules=[kernels], cmdclass={"build_ext": BuildKernels})
