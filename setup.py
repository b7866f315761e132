"""Builds the compiled kernels of native/; all else stands in pyproject.toml.

Where they cannot be built, the package installs without them and computes the same numbers in Python.
"""

from pathlib import Path

from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import setup

ParallelCompile(default=2).install()

kernels = Pybind11Extension(
    "rainbow._native",
    sorted(map(str, Path("native").glob("*.cpp"))),
    depends=sorted(map(str, Path("native").glob("*.hpp"))),
    cxx_std=20,
    extra_compile_args=["-O3", "-ffp-contract=off"],  # the same bits on every kind of processor
    optional=True,
)

setup(ext_modules=[kernels], cmdclass={"build_ext": build_ext})
