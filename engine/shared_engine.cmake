# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# libhalftoned-engine, what the installed programs have in common, vector cores above
# all: it is on the disk and in memory once. It is private, and every version has its
# own: while programs are upgraded, those of before find theirs.
#
# halftoned_shares_engine(program folder): the program, which is installed in this
# folder, takes from there what it has. To be called before its other libraries are
# named. Packages are built so; without HALFTONED_SHARED_ENGINE, and for tests, which copy
# programs to where other users can run them, each program has all that it needs.
set(symbols ${CMAKE_CURRENT_SOURCE_DIR}/shared_engine.map)
set(parts halftoned_base halftoned_halftone halftoned_wire halftoned_config)
find_package(Threads REQUIRED)
if(HALFTONED_SHARED_ENGINE AND TARGET halftoned_config)
  get_target_property(cores halftoned_halftone SOURCES)
  list(FILTER cores INCLUDE REGEX
    "TARGET_OBJECTS|\\${CMAKE_CXX_OUTPUT_EXTENSION}$")
  list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>"
    OUTPUT_VARIABLE objects)
  add_library(halftoned_engine SHARED ${objects} ${cores})
  target_link_libraries(halftoned_engine PRIVATE Threads::Threads)
  target_link_options(halftoned_engine PRIVATE
    LINKER:--version-script=${symbols} LINKER:--no-undefined
    LINKER:-Bsymbolic-functions LINKER:-z,now)
  set_target_properties(halftoned_engine PROPERTIES
    OUTPUT_NAME halftoned-engine LINKER_LANGUAGE CXX LINK_DEPENDS ${symbols}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION})
  # Each of the components that have programs is whole without the others.
  foreach(component IN ITEMS filter daemon Unspecified)
    halftoned_install_folder(${component} ${CMAKE_INSTALL_LIBDIR}/halftoned)
    install(TARGETS halftoned_engine LIBRARY NAMELINK_SKIP
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/halftoned COMPONENT ${component})
  endforeach()
endif()

function(halftoned_shares_engine program folder)
  if(TARGET halftoned_engine)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX})
    set(place ${CMAKE_INSTALL_FULL_LIBDIR}/halftoned)
    file(RELATIVE_PATH way ${folder} ${place})
    target_link_libraries(${program} PRIVATE halftoned_engine)
    # The first is for a stage; it needs /proc, which the second does not.
    set_target_properties(${program} PROPERTIES
      INSTALL_RPATH "$ORIGIN/${way}:${place}")
  endif()
endfunction()
