# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The vector cores, which take a compiler longer than all the rest of the engine.
set(cores cpu/simd/spread/spread_targets.cc cpu/simd/swap/swap_targets.cc
  cpu/simd/targets.cc)

# Builds that would compile the same cores can share them.
set(HALFTONED_CORES "" CACHE PATH
    "Build folder whose vector cores are linked, instead of compiling them")
if(HALFTONED_CORES)
  list(TRANSFORM cores PREPEND
    ${HALFTONED_CORES}/engine/halftone/CMakeFiles/halftoned_cores.dir/)
  list(TRANSFORM cores APPEND ${CMAKE_CXX_OUTPUT_EXTENSION})
  target_sources(halftoned_halftone PRIVATE ${cores})
  return()
endif()

# Loops to unroll are marked; -O3 would unroll more, which costs minutes and gains
# nothing. Debug information and sanitizers make the long straight code very slow to
# compile, so sanitized builds exclude the cores unless an option includes them.
# On Arm, Highway needs +crypto to compile its vectors; the cores use none of these
# instructions.
add_library(halftoned_cores OBJECT ${cores})
set_target_properties(halftoned_cores PROPERTIES UNITY_BUILD OFF)
option(HALFTONED_WATCH_CORES "Sanitize the vector cores too" OFF)
if(HALFTONED_WATCH_CORES)
  target_compile_options(halftoned_cores PRIVATE -O1 -g0)
else()
  target_compile_options(halftoned_cores PRIVATE
    $<IF:$<CONFIG:Debug>,-O1,-O2> -g0 -fno-sanitize=all)
endif()
option(HALFTONED_NATIVE
       "Compile the vector cores only for this machine's CPU" OFF)
if(HALFTONED_NATIVE)
  target_compile_options(halftoned_cores PRIVATE -march=native)
  target_compile_definitions(halftoned_cores PRIVATE HWY_COMPILE_ONLY_STATIC)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  target_compile_options(halftoned_cores PRIVATE -march=armv8-a+crypto)
endif()
target_include_directories(halftoned_cores SYSTEM PRIVATE
  ${HALFTONED_HIGHWAY_INCLUDE})
target_link_libraries(halftoned_cores
  PRIVATE halftoned_base halftoned_warnings)
target_sources(halftoned_halftone PRIVATE $<TARGET_OBJECTS:halftoned_cores>)
