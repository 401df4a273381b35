# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where our configuration lies: the system's folder, whatever our prefix is;
# DESTDIR stages it.
set(HALFTONED_CONF_DIR /etc/halftoned CACHE PATH "Folder of halftoned.conf")

# For the folder of our configuration, which filters read as another user: the
# umask of whoever installs must not shut them out. CUPS' folders are there.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
