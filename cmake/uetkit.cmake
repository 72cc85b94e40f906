# SPDX-License-Identifier: BSD-2-Clause
# What every target shares: warnings, sanitizers, and two helpers.

# The libraries below are linked into a shared object too: the Wireshark plugin.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(uetkit_flags INTERFACE)
target_compile_options(uetkit_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror
                                              -fno-strict-aliasing)
target_include_directories(uetkit_flags INTERFACE ${CMAKE_SOURCE_DIR} ${UETKIT_GEN})
if(UETKIT_SANITIZE)
  target_compile_options(uetkit_flags INTERFACE -fsanitize=address,undefined
                                                -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(uetkit_flags INTERFACE -fsanitize=address,undefined)
endif()
if(UETKIT_FUZZ)
  target_compile_options(uetkit_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# uet_library(NAME SOURCES... [DEPS ...]): a static library of one floor.
function(uet_library name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_link_libraries(${name} PUBLIC uetkit_flags ${A_DEPS})
endfunction()

# uet_quick_to_compile(TARGET...): with sanitizers, code that runs for less time than it takes to optimize it. What
# may be uninitialized gcc does not know then; the release build says it.
set(uet_not_optimized)
if(UETKIT_SANITIZE AND NOT UETKIT_FUZZ)
  set(uet_not_optimized -O0 -Wno-maybe-uninitialized)
endif()
function(uet_quick_to_compile)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${uet_not_optimized})
  endforeach()
endfunction()

# Some 200 programs are linked with sanitizers: gold, where Debian's binutils has it, takes half the time.
if(UETKIT_SANITIZE AND NOT UETKIT_FUZZ)
  include(CheckLinkerFlag)
  check_linker_flag(C -fuse-ld=gold UETKIT_GOLD)
  if(UETKIT_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

# uet_test(NAME SOURCES... [DEPS ...]): a cmocka program run by ctest.
function(uet_test name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE uetkit_flags ${A_DEPS} cmocka)
  target_compile_definitions(${name} PRIVATE UETKIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  uet_quick_to_compile(${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# uet_whole_suites(TEST...): each runs the whole suite, or a simulator, many times. The release build has them; with
# sanitizers ./dev test leaves them out (label `whole`): other tests there go through the same code once.
function(uet_whole_suites)
  foreach(name ${ARGN})
    set_property(TEST ${name} APPEND PROPERTY LABELS release whole)
  endforeach()
endfunction()

# uet_soak(TEST...): too long for every day. ./dev test leaves them out, ./dev soak has them (label `soak`).
function(uet_soak)
  foreach(name ${ARGN})
    set_property(TEST ${name} APPEND PROPERTY LABELS soak)
  endforeach()
endfunction()

# uet_every_day(BUILD TEST...): ./dev test has these in one build, which is `release` for what is about verdicts and
# words, and `sanitizers` for what handles bytes and memory. In the other one they are for ./dev soak.
function(uet_every_day build)
  foreach(name ${ARGN})
    get_property(labels TEST ${name} PROPERTY LABELS)
    if(NOT "release" IN_LIST labels)
      set_property(TEST ${name} APPEND PROPERTY LABELS release)
    endif()
    if((build STREQUAL "release" AND UETKIT_SANITIZE) OR (build STREQUAL "sanitizers" AND NOT UETKIT_SANITIZE))
      uet_soak(${name})
    endif()
  endforeach()
endfunction()

# uet_left_out(PART PACKAGE): this build goes without PART, for which Debian has PACKAGE. The file
# left-out in the build folder has a line for each; ./dev tells them, and ./dev test fails on them.
function(uet_left_out part package)
  message(STATUS "left out: ${part} (Debian: ${package})")
  file(APPEND ${CMAKE_BINARY_DIR}/left-out "${part}: ${package}\n")
endfunction()
