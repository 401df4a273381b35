# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs while installing: makes HALFTONED_FOLDER, below the prefix or absolute,
# and what is missing above it. The umask of whoever installs would decide about
# folders that file(INSTALL) makes, and shut out the users that cupsd gives its
# filters.
get_filename_component(folder "${HALFTONED_FOLDER}" ABSOLUTE
                       BASE_DIR "${CMAKE_INSTALL_PREFIX}")
set(folder "$ENV{DESTDIR}${folder}")
set(missing)
while(NOT EXISTS "${folder}")
  list(PREPEND missing "${folder}")
  get_filename_component(folder "${folder}" DIRECTORY)
endwhile()
foreach(folder IN LISTS missing)
  file(MAKE_DIRECTORY "${folder}")
  file(CHMOD "${folder}" PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
