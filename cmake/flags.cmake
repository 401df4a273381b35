# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tone curves are the same on every CPU: a fused multiply-add rounds once where other CPUs
# round twice, and compilers use it on their own where it is part of the instruction set.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

# Warnings for our own code; each of our targets links this.
add_library(halftoned_warnings INTERFACE)
target_compile_options(halftoned_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wcast-qual -Wimplicit-fallthrough -Wundef>
  # These constructs are used deliberately and with care.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wno-missing-field-initializers>
  # The host code that nvcc makes from a .cu file is not pedantic.
  $<$<COMPILE_LANGUAGE:CUDA>:
    -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers>)
if(HALFTONED_WERROR)
  target_compile_options(halftoned_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()

# Whether sanitizers watch this build.
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=")
  set(HALFTONED_SANITIZED ON)
endif()

# Every global that AddressSanitizer watches costs a position-independent program two
# relocations at its start: a third of the time that a short command takes.
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")
  add_link_options(
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

# Sanitized programs are large, and a change in the engine relinks all of them. GNU ld
# takes four times as long as LLVM's linker, and twice as long as gold.
if(HALFTONED_SANITIZED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(HALFTONED_FAST_LINKER NAMES ld.lld ld.gold)
  if(HALFTONED_FAST_LINKER MATCHES "ld\\.(lld|gold)$")
    add_link_options(-fuse-ld=${CMAKE_MATCH_1})
  endif()
endif()
