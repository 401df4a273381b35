# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# halftoned_install_folder(COMPONENT folder ...)
# Folders that are there for everybody before files are installed into them.
function(halftoned_install_folder component)
  foreach(folder IN LISTS ARGN)
    install(CODE "set(HALFTONED_FOLDER \"${folder}\")" COMPONENT ${component})
    install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/make_folder.cmake
            COMPONENT ${component})
  endforeach()
endfunction()
