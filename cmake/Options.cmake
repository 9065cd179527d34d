# What every target of our own is compiled with, gathered in one interface target.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # What ccache's manual asks for where headers are precompiled. And what one clone has compiled need not be compiled in another.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE_PROGRAM})
endif()

# Most of what a source takes to compile are the headers and templates that its neighbours need too: 46 sources as one take half
# the time that they take as four. So a layer's files may not share the names in their unnamed namespaces.
if(SCHOLAR_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 64)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
  # Such a source may take two gigabytes to compile: no more of them at once than there is memory for (Ninja alone heeds it).
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT compilers QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR that_fit "${megabytes} / 2000")
  if(that_fit LESS compilers)
    set(compilers ${that_fit})
  endif()
  if(compilers LESS 1)
    set(compilers 1)
  endif()
  set_property(GLOBAL PROPERTY JOB_POOLS compilers=${compilers})
  set(CMAKE_JOB_POOL_COMPILE compilers)
endif()

add_library(scholar_options INTERFACE)
target_compile_options(scholar_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual
  -Wformat=2 -Wimplicit-fallthrough -Wundef -Werror
  # No program tells where it was built.
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on std::string concatenation (GCC bug 105651).
  target_compile_options(scholar_options INTERFACE -Wno-restrict)
  # Where GCC 12.2 turns a branch over several assignments into conditional moves (ifcvt.cc, noce_convert_multiple_sets),
  # it may take the wrong value, depending on the processor it tunes for: OnePly's scores with -march=cascadelake. With 1,
  # only single assignments are turned.
  target_compile_options(scholar_options INTERFACE --param=max-rtl-if-conversion-insns=1)
endif()
if(SCHOLAR_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Where there is memory for it: the compiler's collector takes 7 % of its time, and finds next to nothing.
  math(EXPR megabytes_each "${megabytes} / ${compilers}")
  if(megabytes_each GREATER 3000)
    target_compile_options(scholar_options INTERFACE --param=ggc-min-heapsize=1500000)
  endif()
endif()
if(SCHOLAR_UNITY)
  # Where a source's own names meet those of its neighbours; the other builds keep them.
  target_compile_options(scholar_options INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # What GCC 12's std::stable_sort uses of its own library, reported where we call it.
  target_compile_options(scholar_options INTERFACE -Wno-deprecated-declarations)
endif()

if(SCHOLAR_PORTABLE)
  target_compile_options(scholar_options INTERFACE -march=x86-64-v2 -mtune=generic)
else()
  target_compile_options(scholar_options INTERFACE -march=native)
endif()

# scholar_kernels(FILE...): sources of SIMD kernels, which read themselves once for each instruction set that they are compiled for:
# in a portable build and with SCHOLAR_DISPATCH for all, of which one is chosen at run time, otherwise for that of this machine.
function(scholar_kernels)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  if(SCHOLAR_UNITY)
    # After those of their layer, or of the tests.
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<IF:$<CONFIG:Release>,-O3,-O1>)
  endif()
  if(SCHOLAR_PORTABLE)
    return()
  elseif(SCHOLAR_DISPATCH)
    # An instruction set below that of the file is none that could be chosen.
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -march=x86-64-v2 -mtune=generic)
  else()
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS HWY_COMPILE_ONLY_STATIC)
  endif()
endfunction()

if(SCHOLAR_SANITIZE)
  target_compile_options(scholar_options INTERFACE
    -fsanitize=${SCHOLAR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # GCC's manual: sanitizers make this warning see what is not there; the other builds keep it.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(SCHOLAR_SANITIZE STREQUAL "thread")
    # Boost.Asio has fences, which the thread sanitizer does not see; each of its contexts has one thread here.
    target_compile_options(scholar_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
  target_link_options(scholar_options INTERFACE -fsanitize=${SCHOLAR_SANITIZE})
endif()

# For programs over the layers, whose own code is mostly other libraries' templates. To be linked after scholar_options.
add_library(scholar_program_options INTERFACE)
if(SCHOLAR_SANITIZE)
  # The optimiser takes longer over such code than it runs.
  target_compile_options(scholar_program_options INTERFACE -O0)
elseif(SCHOLAR_UNITY)
  target_compile_options(scholar_program_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endif()
if(SCHOLAR_SANITIZE MATCHES "undefined")
  # Each check of a single access through a pointer takes a fifth of the time to compile. What null and object-size would find, the
  # address sanitizer does too; nothing here is cast to what it may not be (vptr). Alignment matters where there are kernels.
  target_compile_options(scholar_options INTERFACE -fno-sanitize=vptr,null,object-size)
  target_compile_options(scholar_program_options INTERFACE -fno-sanitize=alignment)
endif()
# For layers that wait for others. To be linked after scholar_options.
add_library(scholar_cold_options INTERFACE)
target_compile_options(scholar_cold_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O1>)
if(SCHOLAR_SANITIZE MATCHES "undefined")
  target_compile_options(scholar_cold_options INTERFACE -fno-sanitize=undefined)
endif()

# Lets ccache see what comes from a precompiled header.
target_compile_options(scholar_program_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)

if(SCHOLAR_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SCHOLAR_FUZZERS needs Clang, whose libFuzzer drives them; this is ${CMAKE_CXX_COMPILER_ID}")
  endif()
  # The layers report where they have been; only the fuzzers themselves get libFuzzer's main().
  target_compile_options(scholar_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(SCHOLAR_TUNING)
  target_compile_definitions(scholar_options INTERFACE SCHOLAR_TUNING=1)
endif()
