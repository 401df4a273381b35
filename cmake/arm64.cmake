# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Cross-compiles for 64-bit Arm, and runs what was compiled under qemu-user.
# Debian: g++-aarch64-linux-gnu, qemu-user, googletest, libhwy-dev,
# libxxhash-dev.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The headers of Highway and xxHash are for every processor; others are not.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers)
file(CREATE_LINK /usr/include/hwy ${CMAKE_BINARY_DIR}/headers/hwy SYMBOLIC)
file(CREATE_LINK /usr/include/xxhash.h ${CMAKE_BINARY_DIR}/headers/xxhash.h
  SYMBOLIC)
set(HALFTONED_HIGHWAY_INCLUDE ${CMAKE_BINARY_DIR}/headers
    CACHE PATH "Where hwy/highway.h is")
set(HALFTONED_XXHASH_INCLUDE ${CMAKE_BINARY_DIR}/headers
    CACHE PATH "Where xxhash.h is")
