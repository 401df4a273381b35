# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the engine into a folder of its own and builds a stranger's project
# against it. BUILD, SOURCE, WORK, GENERATOR, COMPILER and FLAGS are passed in.
file(REMOVE_RECURSE ${WORK})
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --component development
    --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/driver)
# Tone 64 of 255 is 25.1 percent of light.
if(NOT output STREQUAL "25\n")
  message(FATAL_ERROR "expected 25 percent white, got ${output}")
endif()
