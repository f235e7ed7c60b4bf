# nw_add_test(<file> [LABELS label...] [LIBRARIES target...] [SOURCES file...] [TIMEOUT seconds])
# One GoogleTest file becomes one executable and one ctest entry of the same name.
find_package(GTest REQUIRED)

function(nw_add_test file)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;LIBRARIES;SOURCES" ${ARGN})
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE nw_compile nw_core GTest::gtest GTest::gmock
                                        GTest::gtest_main ${arg_LIBRARIES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  # Exit code 77 of a script, or a test that skips all, is shown as skipped rather than passed.
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
                                          SKIP_RETURN_CODE 77)
endfunction()
