#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# http://www.apache.org/licenses/LICENSE-2.0 (OSS-Fuzz requires this line.)
# Builds the given fuzzers, by default all, and puts them in $OUT with their seeds,
# dictionaries and shared libraries, as OSS-Fuzz requires. OSS-Fuzz sets the compilers,
# flags and fuzzing engine; the defaults are clang and AddressSanitizer:
#
#   OUT=/tmp/fuzzers tests/fuzz/oss-fuzz/build.sh
#
# Fuzzers that need libcupsfilters 1 or libpappl 1 are built only if these are installed.
# Usage: build.sh [FUZZER ...], in the top directory of the tree
set -eu
[ -n "${OUT:-}" ] || { echo "build.sh: OUT names no folder" >&2; exit 1; }
: "${WORK:=$PWD/build/oss-fuzz}" "${CC:=clang}" "${CXX:=clang++}"
: "${CXXFLAGS:=-O1 -gline-tables-only -fsanitize=address,fuzzer-no-link}"
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
# The system's C++ libraries use GNU's standard library. An assertion of toml++ fails on
# bad input; without assertions, toml++ reports an error.
CXXFLAGS="$(echo "$CXXFLAGS" | sed 's/-stdlib=libc++//') -DNDEBUG"
export CC CXX CXXFLAGS
mkdir -p "$OUT/lib" "$WORK"

filter=OFF
! pkg-config --exists 'libcupsfilters < 2' libqpdf || filter=ON
# DT_RPATH, unlike DT_RUNPATH, also applies to the dependencies of libraries.
cmake -G Ninja -S . -B "$WORK/halftoned" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=24 \
  -DHALFTONED_TESTS=ON -DHALFTONED_FUZZ=ON -DHALFTONED_FILTER=$filter \
  -DHALFTONED_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DCMAKE_BUILD_RPATH='$ORIGIN/lib' \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS" \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags >/dev/null
[ $# -gt 0 ] || set -- fuzzers
cmake --build "$WORK/halftoned" --target "$@"

seeds=tests/fuzz/seeds
for program in "$WORK"/halftoned/tests/fuzz/*_fuzz; do
  name=${program##*/}
  cp "$program" "$OUT"
  [ ! -d "$seeds/$name" ] ||
    (cd "$seeds" && python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" "$name"/*)
  [ ! -f "$seeds/$name.dict" ] || cp "$seeds/$name.dict" "$OUT"
  # Every image has the C library.
  ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' |
    while read -r library; do cp -L "$library" "$OUT/lib"; done
done
