# scholar_test(NAME USES LAYER... SOURCES FILE... [LIBRARIES LIB...] [KERNELS])
#
# makes one GoogleTest program over the layers and tells ctest about each of its tests. Includes are "layer/…" for
# the layers and "support/…" for what the tests share (tests/support). LIBRARIES may name rapidcheck. With KERNELS
# the tests are run on every instruction set that the build chooses from (tests/support/kernel_targets.cpp).
#
# Tests are found when ctest runs, not when the program is linked: a build stays a build.

include(GoogleTest)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(hwy REQUIRED)

# Seconds a single test may take before ctest ends it: a guard against one that hangs, never a measure of speed.
set(SCHOLAR_TEST_TIMEOUT 300)

add_library(test_support OBJECT ${CMAKE_SOURCE_DIR}/tests/support/source_dir.cpp)
target_include_directories(test_support PRIVATE ${CMAKE_SOURCE_DIR}/tests)
target_compile_definitions(test_support PRIVATE SCHOLAR_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_link_libraries(test_support PRIVATE scholar_options)

function(scholar_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "KERNELS" "" "USES;SOURCES;LIBRARIES")
  if(ARG_KERNELS)
    list(APPEND ARG_SOURCES ${CMAKE_SOURCE_DIR}/tests/support/kernel_targets.cpp)
    scholar_kernels(${CMAKE_SOURCE_DIR}/tests/support/kernel_targets.cpp)
    list(APPEND ARG_LIBRARIES hwy::hwy)
  endif()
  scholar_program(${name}
    USES ${ARG_USES}
    SOURCES ${ARG_SOURCES}
    LIBRARIES $<IF:$<BOOL:${ARG_KERNELS}>,GTest::gtest,GTest::gtest_main> GTest::gmock ${ARG_LIBRARIES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE test_support)
  if(SCHOLAR_SANITIZE)
    target_compile_definitions(${name} PRIVATE SCHOLAR_SANITIZED)
  endif()
  # What is tested is compiled as ever; the tests themselves need no optimiser, which takes longer than they run.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  # Its headers are read once, by the tests of the lowest layer, not again by each of a hundred files.
  if(name STREQUAL base_test)
    target_precompile_headers(base_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  else()
    target_precompile_headers(${name} REUSE_FROM base_test)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name}
    TEST_PREFIX ${name}/
    NO_PRETTY_VALUES
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT ${SCHOLAR_TEST_TIMEOUT} LABELS ${name})
endfunction()
