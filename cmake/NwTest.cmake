# How tests are declared.
#
# nw_add_test(<file> [LABELS label...] [LIBRARIES target...] [SOURCES file...] [TIMEOUT seconds])
#   One GoogleTest file becomes one executable and one ctest entry of the same name. Label
#   `sanitize` makes it part of what runs under the sanitizers: target nw_sanitized_tests.
# nw_add_test_program(<name> SOURCES file... [PRECOMPILE header...] [LABELS ...] [LIBRARIES ...]
#                     [TIMEOUT ...])
#   The same for several files that share one program, with a precompiled header of their own.
# nw_add_script_test(<file> [ARGUMENTS argument...] [LABELS label...] [TIMEOUT seconds])
#   One Python file becomes one ctest entry of the same name; exit code 77 means skipped.
find_package(GTest REQUIRED)

# Debian's interpreter, the one that sees the Python packages scripts/setup.sh installs.
set(NW_PYTHON /usr/bin/python3 CACHE FILEPATH "Python with numpy and POT, for tests")

add_custom_target(nw_sanitized_tests)

# GoogleTest's headers cost more than most tests: compile them once.
if(NW_USE_PCH)
  add_executable(nw_test_pch ${CMAKE_CURRENT_LIST_DIR}/test_pch.cpp)
  target_link_libraries(nw_test_pch PRIVATE nw_compile nw_core GTest::gtest GTest::gmock)
  set_target_properties(nw_test_pch PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_precompile_headers(nw_test_pch PRIVATE <gtest/gtest.h> <gmock/gmock.h> <vector> <string>)
endif()

function(nw_set_test_properties name labels timeout)
  if(NOT timeout)
    set(timeout 120)
  endif()
  # Exit code 77 of a script, or a test that skips all, is shown as skipped rather than passed.
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout}
                                          SKIP_RETURN_CODE 77)
endfunction()

function(nw_add_test_program name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;LIBRARIES;SOURCES;PRECOMPILE" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE nw_compile nw_core GTest::gtest GTest::gmock
                                        GTest::gtest_main ${arg_LIBRARIES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NW_USE_PCH AND arg_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${arg_PRECOMPILE})
  elseif(NW_USE_PCH)
    target_precompile_headers(${name} REUSE_FROM nw_test_pch)
  endif()
  if(sanitize IN_LIST arg_LABELS)
    add_dependencies(nw_sanitized_tests ${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  nw_set_test_properties(${name} "${arg_LABELS}" "${arg_TIMEOUT}")
endfunction()

function(nw_add_test file)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;LIBRARIES;SOURCES" ${ARGN})
  get_filename_component(name ${file} NAME_WE)
  nw_add_test_program(${name} SOURCES ${file} ${arg_SOURCES} LABELS ${arg_LABELS}
                      LIBRARIES ${arg_LIBRARIES} TIMEOUT ${arg_TIMEOUT})
endfunction()

function(nw_add_script_test file)
  cmake_parse_arguments(arg "" "TIMEOUT" "ARGUMENTS;LABELS" ${ARGN})
  get_filename_component(name ${file} NAME_WE)
  # -B: the source tree stays free of byte code.
  add_test(NAME ${name}
           COMMAND ${NW_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${arg_ARGUMENTS})
  nw_set_test_properties(${name} "${arg_LABELS}" "${arg_TIMEOUT}")
endfunction()
