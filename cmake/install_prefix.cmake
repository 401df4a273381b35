# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The prefix is decided when configuring: programs and systemd's units name
# files below it. Only the C library goes anywhere. To be included
# before what installs anything.
if(HALFTONED_FILTER OR HALFTONED_DAEMON OR HALFTONED_TOOLS)
  get_filename_component(prefix "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
  install(CODE "
    if(NOT CMAKE_INSTALL_COMPONENT MATCHES \"^(library|development)$\" AND
       NOT CMAKE_INSTALL_PREFIX STREQUAL \"${prefix}\")
      message(FATAL_ERROR \"this build is configured for the prefix ${prefix}, \"
        \"not \${CMAKE_INSTALL_PREFIX}: configure again with \"
        \"-DCMAKE_INSTALL_PREFIX=\${CMAKE_INSTALL_PREFIX}\")
    endif()" ALL_COMPONENTS)
endif()
