# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The standard library's headers, compiled once instead of by every unit. Units
# still include what they use: `debug` builds without this. ccache by default does
# not keep what was compiled with it, so there is none behind a compiler launcher.
set(HALFTONED_PRECOMPILED ${HALFTONED_PRECOMPILE})
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(HALFTONED_PRECOMPILED OFF)
endif()

# halftoned_precompiled(OWNER header ...)
# Gives a target the standard headers, and those named, for others to reuse.
# GCC wants the same flags of all of them: -Wpedantic is one, and with another
# optimisation level it crashes.
function(halftoned_precompiled owner)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/nothing.cc CONTENT "")
  target_sources(${owner} PRIVATE ${PROJECT_BINARY_DIR}/nothing.cc)
  target_link_libraries(${owner} PRIVATE halftoned_warnings)
  target_precompile_headers(${owner} PRIVATE
    <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint>
    <cstdio> <cstdlib> <cstring> <deque> <functional> <map> <memory> <mutex>
    <optional> <span> <string> <string_view> <thread> <utility> <vector>
    ${ARGN})
endfunction()

# halftoned_precompile_libraries(FOLDER)
# All static libraries of the folder and those below it.
function(halftoned_precompile_libraries folder)
  if(NOT HALFTONED_PRECOMPILED)
    return()
  endif()
  if(NOT TARGET halftoned_precompiled)
    add_library(halftoned_precompiled OBJECT EXCLUDE_FROM_ALL)
    halftoned_precompiled(halftoned_precompiled)
  endif()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY" AND target MATCHES "^halftoned_")
      target_precompile_headers(${target} REUSE_FROM halftoned_precompiled)
    endif()
  endforeach()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(next IN LISTS below)
    halftoned_precompile_libraries(${next})
  endforeach()
endfunction()

# halftoned_read_once(SOURCE ...)
# Sources of little work, which take a compiler long when it optimises. Their own
# flags keep them from sharing precompiled headers.
function(halftoned_read_once)
  set(options $<$<CONFIG:Release>:-O1>)
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize=")
    set(options -O0)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()
