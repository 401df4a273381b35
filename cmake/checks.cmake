# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that read the sources instead of running them: targets `format`, which
# rewrites, and `tidy`; and the test `format`, which changes nothing.
set(folders bench cmake engine examples filter include print printer_app tools tests web)
list(TRANSFORM folders PREPEND ${PROJECT_SOURCE_DIR}/)
list(TRANSFORM folders APPEND /*.h OUTPUT_VARIABLE headers)
list(TRANSFORM folders APPEND /*.c OUTPUT_VARIABLE c_units)
list(TRANSFORM folders APPEND /*.cc OUTPUT_VARIABLE units)
list(TRANSFORM folders APPEND /*.cu* OUTPUT_VARIABLE kernels)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${headers})
file(GLOB_RECURSE units CONFIGURE_DEPENDS ${units} ${c_units})
file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${kernels})

find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(CLANG_FORMAT)
  add_custom_target(format
    COMMAND ${CLANG_FORMAT} -i ${headers} ${units} ${kernels} VERBATIM)
  # Other versions, such as Debian 13's, format white space differently.
  execute_process(COMMAND ${CLANG_FORMAT} --version
    OUTPUT_VARIABLE clang_format_version)
  if(clang_format_version MATCHES " version 14\\.")
    add_test(NAME format COMMAND ${CLANG_FORMAT} --dry-run -Werror
      ${headers} ${units} ${kernels})
  endif()
endif()

find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
if(RUN_CLANG_TIDY)
  # Only what this build compiles is in the compilation database.
  add_custom_target(tidy
    COMMAND ${RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR}
      "${PROJECT_SOURCE_DIR}/(bench|engine|filter|print|printer_app|tools|tests)/.*"
    VERBATIM USES_TERMINAL)
endif()
