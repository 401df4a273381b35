# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where our configuration lies: the system's folder, whatever our prefix is;
# DESTDIR stages it.
set(HALFTONED_CONF_DIR /etc/halftoned CACHE PATH "Folder of halftoned.conf")
