# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The engine as a library: find_package(halftoned), then link
# halftoned::halftone. Programs install themselves from their own folders.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/halftoned)
install(DIRECTORY engine/base engine/halftone
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halftoned
  COMPONENT development FILES_MATCHING
  PATTERN "base/json.h" EXCLUDE PATTERN "*.h")
install(EXPORT halftoned NAMESPACE halftoned::
  DESTINATION ${package_folder} COMPONENT development)
file(WRITE ${PROJECT_BINARY_DIR}/halftonedConfig.cmake
  "include(CMakeFindDependencyMacro)\n"
  "find_dependency(Threads)\n"
  "include(\${CMAKE_CURRENT_LIST_DIR}/halftoned.cmake)\n")
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/halftonedConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/halftonedConfig.cmake
  ${PROJECT_BINARY_DIR}/halftonedConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT development)
