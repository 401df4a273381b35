# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings for our own code; linked by every target of ours, never installed.
add_library(halftoned_warnings INTERFACE)
target_compile_options(halftoned_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-qual -Wimplicit-fallthrough -Wundef
  # The constructs behind these are used with care and on purpose.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers>)
if(HALFTONED_WERROR)
  target_compile_options(halftoned_warnings INTERFACE -Werror)
endif()
