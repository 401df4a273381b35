# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that declare tests and benches.
find_package(GTest QUIET)
if(NOT GTest_FOUND)
  # Debian's googletest package is source.
  set(HALFTONED_GOOGLETEST /usr/src/googletest CACHE PATH
      "GoogleTest's source, used where no built one is installed")
  set(INSTALL_GTEST OFF)
  add_subdirectory(${HALFTONED_GOOGLETEST} googletest EXCLUDE_FROM_ALL)
  if(NOT TARGET GTest::gtest_main)
    add_library(GTest::gtest_main ALIAS gtest_main)
  endif()
endif()

# The code of a test is long and runs once: it compiles in half the time with little
# optimization and without AddressSanitizer. The code that computes is in libraries.
set(HALFTONED_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")
  list(APPEND HALFTONED_TEST_OPTIONS -fno-sanitize=all -g0)
endif()

if(HALFTONED_PRECOMPILED)
  add_executable(halftoned_precompiled_test EXCLUDE_FROM_ALL)
  target_compile_options(halftoned_precompiled_test PRIVATE
    ${HALFTONED_TEST_OPTIONS})
  target_link_libraries(halftoned_precompiled_test PRIVATE GTest::gtest_main)
  halftoned_precompiled(halftoned_precompiled_test <gtest/gtest.h>)
endif()

# halftoned_test(NAME SOURCES file ... [LIBRARIES target ...])
# A GoogleTest program; ctest runs it whole, as NAME. Sources with an absolute path
# belong to the product, and are sanitized as in the product.
function(halftoned_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(parts ${arg_SOURCES})
  list(FILTER parts INCLUDE REGEX "^/")
  list(FILTER arg_SOURCES EXCLUDE REGEX "^/")
  if(parts)
    add_library(${name}_parts OBJECT EXCLUDE_FROM_ALL ${parts})
    set_target_properties(${name}_parts PROPERTIES HALFTONED_PRECOMPILED ON)
    target_include_directories(${name}_parts PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name}_parts PRIVATE
      ${arg_LIBRARIES} halftoned_warnings)
    list(APPEND arg_LIBRARIES ${name}_parts)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${HALFTONED_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE
    ${arg_LIBRARIES} GTest::gtest_main halftoned_warnings)
  if(HALFTONED_PRECOMPILED)
    target_precompile_headers(${name} REUSE_FROM halftoned_precompiled_test)
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# halftoned_long_tests(SECONDS test ...)
# Tests that take about this long. Parallel runs start with them, so that none of them
# runs alone at the end.
function(halftoned_long_tests seconds)
  set_tests_properties(${ARGN} PROPERTIES COST ${seconds})
endfunction()

# halftoned_full_only(test ...)
# Tests that only `./check full` runs: they repeat another test with more cases, faults
# or time.
function(halftoned_full_only)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS full-only)
endfunction()

# halftoned_release_only(test ...)
# Tests in which sanitizers would find nothing: `asan`, and so `./check`, neither builds
# nor runs them.
function(halftoned_release_only)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS release-only)
  foreach(test IN LISTS ARGN)
    if(HALFTONED_SANITIZED AND TARGET ${test})
      set_target_properties(${test} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()

# halftoned_sanitized_only(test ...)
# Tests of parts that optimization does not change and that sanitizers watch: if a
# build has a sanitized twin that runs them, the build does not.
function(halftoned_sanitized_only)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS sanitized-only)
  foreach(test IN LISTS ARGN)
    if(HALFTONED_SANITIZED_APART AND TARGET ${test})
      set_target_properties(${test} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()

# halftoned_threads_test(NAME [PROGRAMS target ...])
# Marks an existing test for ThreadSanitizer: `ctest -L threads` runs it. The target
# `threads_tests` builds it, or the programs that its script starts.
add_custom_target(threads_tests)
function(halftoned_threads_test name)
  cmake_parse_arguments(arg "" "" "PROGRAMS" ${ARGN})
  set_property(TEST ${name} APPEND PROPERTY LABELS threads)
  if(NOT arg_PROGRAMS)
    set(arg_PROGRAMS ${name})
  endif()
  add_dependencies(threads_tests ${arg_PROGRAMS})
endfunction()
