#!/usr/bin/env bash
# Build the kernels with Clang under sanitizers, away from the working tree, and fuzz every target for SECONDS.
set -euo pipefail
seconds=${1:-600}
targets=${2:-tokenizer ter meteor forest ngrams}
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
folder=build/fuzz
test -x "$folder/venv/bin/python" || "$python" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check atheris 'setuptools>=77' 'pybind11>=2.13' .
"$folder/venv/bin/pip" uninstall --quiet --yes rainbow-nlg
rm -rf "$folder/tree" && mkdir -p "$folder/tree"
cp -r rainbow native tests setup.py pyproject.toml README.md LICENSE MANIFEST.in "$folder/tree"
cd "$folder/tree"
rm -f rainbow/*.so
clang=${CLANG:-$(compgen -c clang++ | sort -V | tail -1)}
flags="-g -O1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=vptr,function -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
CC=${clang/++/} CXX=$clang LDSHARED="$clang -shared" LDCXXSHARED="$clang -shared" CFLAGS=$flags CXXFLAGS=$flags \
  ../venv/bin/python setup.py -q build_ext --inplace
runtime=$(../venv/bin/python -c "import atheris, pathlib; print(pathlib.Path(atheris.__file__).parent.parent / 'asan_with_fuzzer.so')")
for target in $targets; do
  mkdir -p "../corpus/$target"
  echo "== $target, $seconds seconds"
  LD_PRELOAD=$runtime ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    ../venv/bin/python -m tests.fuzz "$target" "../corpus/$target" -max_total_time="$seconds" -max_len=1200 -print_final_stats=1
done
