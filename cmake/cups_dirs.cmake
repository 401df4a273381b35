# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where CUPS looks for filters and drivers: CUPS' folders, whatever our prefix
# is; DESTDIR stages them.
find_program(HALFTONED_CUPS_CONFIG cups-config)

function(halftoned_cups_dir variable option default what)
  if(HALFTONED_CUPS_CONFIG)
    execute_process(COMMAND ${HALFTONED_CUPS_CONFIG} ${option}
                    OUTPUT_VARIABLE default OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  set(${variable} ${default} CACHE PATH "${what}")
endfunction()

halftoned_cups_dir(HALFTONED_CUPS_SERVERBIN --serverbin /usr/lib/cups
                   "CUPS' folder of programs")
halftoned_cups_dir(HALFTONED_CUPS_DATADIR --datadir /usr/share/cups
                   "CUPS' data folder")
