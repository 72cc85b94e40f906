# SPDX-License-Identifier: BSD-2-Clause
# cmake -DSOURCE=DIR -DOUT=FILE -P commit.cmake: writes the commit of the source tree as a C header,
# and only when it is another one, so that nothing else is built again. "unknown" where the tree is
# not the top of a git repository, as one from a tarball.
set(commit unknown)
set(top "")
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel
                OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE rc)
file(REAL_PATH "${SOURCE}" source)
if(rc EQUAL 0 AND top STREQUAL source)
  execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --dirty --exclude=*
                  OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE rc)
  if(rc EQUAL 0 AND told MATCHES "^[0-9a-f]+(-dirty)?$")
    set(commit ${told})
  endif()
endif()
set(text "/* Made by cmake/commit.cmake. */\n#define UETKIT_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
