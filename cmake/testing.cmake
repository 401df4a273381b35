# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What tests and benches are declared with.
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

# What a test asserts is long and runs once: compilers take half the time for it when
# they optimise little and AddressSanitizer does not watch it. What computes is in
# libraries.
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
# A GoogleTest program; ctest runs it whole, as NAME. Sources that are given by their
# whole path are the product's, and watched as there.
function(halftoned_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(parts ${arg_SOURCES})
  list(FILTER parts INCLUDE REGEX "^/")
  list(FILTER arg_SOURCES EXCLUDE REGEX "^/")
  if(parts)
    add_library(${name}_parts OBJECT EXCLUDE_FROM_ALL ${parts})
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
# Tests that take about so long: of several at a time they begin first, so that
# none of them is left alone at the end.
function(halftoned_long_tests seconds)
  set_tests_properties(${ARGN} PROPERTIES COST ${seconds})
endfunction()

# halftoned_full_only(test ...)
# Tests that `./check` leaves to `./check full`: what another test tries too, with more
# cases, faults or time.
function(halftoned_full_only)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS full-only)
endfunction()

# halftoned_release_only(test ...)
# Tests for which sanitizers find nothing: `asan`, and so `./check`, neither builds nor
# runs them.
function(halftoned_release_only)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS release-only)
  foreach(test IN LISTS ARGN)
    if(HALFTONED_SANITIZED AND TARGET ${test})
      set_target_properties(${test} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()

# halftoned_sanitized_only(test ...)
# Tests of parts that no optimiser changes, and that sanitizers watch: a build whose
# sanitized twin runs them does not.
function(halftoned_sanitized_only)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS sanitized-only)
  foreach(test IN LISTS ARGN)
    if(HALFTONED_SANITIZED_APART AND TARGET ${test})
      set_target_properties(${test} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()

# halftoned_threads_test(NAME [PROGRAMS target ...])
# A test that is already there is what ThreadSanitizer is for: `ctest -L threads`
# runs it, and the target `threads_tests` builds it, or what the script starts.
add_custom_target(threads_tests)
function(halftoned_threads_test name)
  cmake_parse_arguments(arg "" "" "PROGRAMS" ${ARGN})
  set_property(TEST ${name} APPEND PROPERTY LABELS threads)
  if(NOT arg_PROGRAMS)
    set(arg_PROGRAMS ${name})
  endif()
  add_dependencies(threads_tests ${arg_PROGRAMS})
endfunction()
