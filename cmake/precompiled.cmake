# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The standard library's headers, compiled once instead of by every unit. Units
# still include what they use: `debug` builds without this. ccache by default does
# not keep what was compiled with it, so there is none behind a compiler launcher.
set(HALFTONED_PRECOMPILED ${HALFTONED_PRECOMPILE})
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(HALFTONED_PRECOMPILED OFF)
endif()
# In precompiled headers GCC 12 forgets that they are the system's, and warns of
# what it wrongly takes for copies beyond a std::string.
if(HALFTONED_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(halftoned_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow>)
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
# All static libraries of the folder and those below it, and objects that are marked
# by the property HALFTONED_PRECOMPILED. Where sanitizers watch, programs too, as far as
# they have no options of their own: their code is then compiled as that of libraries is.
function(halftoned_precompile_libraries folder)
  if(NOT HALFTONED_PRECOMPILED)
    return()
  endif()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(marked ${target} HALFTONED_PRECOMPILED)
    get_target_property(optimised ${target} HALFTONED_OPTIMISED)
    if(type STREQUAL "EXECUTABLE" AND HALFTONED_SANITIZED)
      get_target_property(options ${target} COMPILE_OPTIONS)
      get_target_property(libraries ${target} LINK_LIBRARIES)
      if((optimised OR NOT options) AND "halftoned_warnings" IN_LIST libraries)
        target_compile_options(${target} PRIVATE -fPIC)
        set(marked ON)
      endif()
    endif()
    if(NOT marked AND (NOT type STREQUAL "STATIC_LIBRARY"
                       OR NOT target MATCHES "^halftoned_"))
      continue()
    endif()
    set(owner halftoned_precompiled)
    if(optimised)
      set(owner halftoned_precompiled_${optimised})
    endif()
    if(NOT TARGET ${owner})
      add_library(${owner} OBJECT EXCLUDE_FROM_ALL)
      halftoned_precompiled(${owner})
      if(optimised)
        cmake_language(CALL halftoned_${optimised} ${owner})
      endif()
    endif()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(next IN LISTS below)
    halftoned_precompile_libraries(${next})
  endforeach()
endfunction()

# halftoned_computes(TARGET)
# A target that goes over every pixel. Where sanitizers make all of it slow it is
# optimised a little; what runs once is not, for the compiler's sake. For its sake,
# too, alignment is watched here alone, where bytes are taken for numbers.
function(halftoned_computes target)
  if(HALFTONED_SANITIZED)
    target_compile_options(${target} PRIVATE -O1)
    if(CMAKE_CXX_FLAGS MATCHES "undefined")
      target_compile_options(${target} PRIVATE -fsanitize=alignment)
    endif()
    set_target_properties(${target} PROPERTIES HALFTONED_OPTIMISED computes)
  endif()
endfunction()

# halftoned_unwatched(TARGET)
# A target that sees no pixels and nothing that a stranger sends: AddressSanitizer, with
# which compilers take twice the time, does not watch it.
function(halftoned_unwatched target)
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")
    target_compile_options(${target} PRIVATE -fno-sanitize=all -g0)
    set_target_properties(${target} PROPERTIES HALFTONED_OPTIMISED unwatched)
  endif()
endfunction()

# halftoned_is_small(TARGET)
# A target of much code that no pixel passes through.
function(halftoned_is_small target)
  if(NOT HALFTONED_SANITIZED)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
    set_target_properties(${target} PROPERTIES HALFTONED_OPTIMISED is_small)
  endif()
endfunction()
