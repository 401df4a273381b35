# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles for WebAssembly by Debian's emscripten, and runs what was compiled by node.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
# The headers of Highway are for every processor; others are not.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers)
file(CREATE_LINK /usr/include/hwy ${CMAKE_BINARY_DIR}/headers/hwy SYMBOLIC)
set(HALFTONED_HIGHWAY_INCLUDE ${CMAKE_BINARY_DIR}/headers
    CACHE PATH "Where hwy/highway.h is")
