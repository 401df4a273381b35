# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# nvcc, for .cu files alone. The machine code is sm_90's unless told otherwise;
# PTX goes with it, so that later GPUs run it too. For every GPU that is served
# there is cmake/fat-cuda.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(HALFTONED_NVCC nvcc HINTS /usr/local/cuda/bin)
  if(HALFTONED_NVCC)
    set(CMAKE_CUDA_COMPILER ${HALFTONED_NVCC})
  endif()
endif()
enable_language(CUDA)
# Debian 12's CMake does not know that nvcc speaks C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
  message(FATAL_ERROR
    "${CMAKE_CUDA_COMPILER} is CUDA ${CMAKE_CUDA_COMPILER_VERSION}; CUDA 12.0 or newer is needed")
endif()
