# The layers of docs/architecture.md.
#
#   scholar_layer(NAME USES LAYER... SOURCES FILE... [LIBRARIES LIB...] [PUBLIC_LIBRARIES LIB...] [COLD])
#
# makes the static library NAME from src/NAME/. Each layer's headers are reachable only as
# "NAME/header.hpp", and only by the layers that use it, directly or through another: each layer has
# an include root of its own, which holds nothing but a link to its folder. An include in the other
# direction does not compile (tests/layering proves it). Layers are linked privately; what they
# reach is worked out here, once.
#
# LIBRARIES are private to the layer; PUBLIC_LIBRARIES are those whose headers its own headers include. A layer is COLD where
# time is spent in what it calls (a search, an engine, libtorch, a disk), not in its own sources: with SCHOLAR_UNITY, these are
# compiled with less optimisation, which takes a third less time, and without the undefined-behaviour sanitizer, as little is worked
# out there. Its kernels are not.

set(SCHOLAR_INCLUDE_ROOT ${CMAKE_BINARY_DIR}/layers)

# The include root of the folder src/NAME: as "NAME/header.hpp" and nothing else.
function(scholar_include_root name)
  file(MAKE_DIRECTORY ${SCHOLAR_INCLUDE_ROOT}/${name})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${name} ${SCHOLAR_INCLUDE_ROOT}/${name}/${name} SYMBOLIC)
endfunction()

function(scholar_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "COLD" "" "USES;SOURCES;LIBRARIES;PUBLIC_LIBRARIES")
  scholar_include_root(${name})

  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(scholar::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME scholar_${name})

  set(closure ${ARG_USES})
  foreach(used IN LISTS ARG_USES)
    get_property(below GLOBAL PROPERTY SCHOLAR_CLOSURE_${used})
    list(APPEND closure ${below})
  endforeach()
  list(REMOVE_DUPLICATES closure)
  set_property(GLOBAL PROPERTY SCHOLAR_CLOSURE_${name} "${closure}")
  set_property(GLOBAL APPEND PROPERTY SCHOLAR_LAYERS ${name})

  target_include_directories(${name} PUBLIC ${SCHOLAR_INCLUDE_ROOT}/${name})
  target_link_libraries(${name}
    PRIVATE scholar_options ${closure} ${ARG_LIBRARIES}
    PUBLIC ${ARG_PUBLIC_LIBRARIES})
  if(ARG_COLD AND SCHOLAR_UNITY)
    target_link_libraries(${name} PRIVATE scholar_cold_options)
  endif()
endfunction()

# scholar_program(NAME USES LAYER... SOURCES FILE... [LIBRARIES LIB...]): an executable over the layers.
function(scholar_program name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "USES;SOURCES;LIBRARIES")
  add_executable(${name} ${ARG_SOURCES})
  set(closure ${ARG_USES})
  foreach(used IN LISTS ARG_USES)
    get_property(below GLOBAL PROPERTY SCHOLAR_CLOSURE_${used})
    list(APPEND closure ${below})
  endforeach()
  list(REMOVE_DUPLICATES closure)
  set_property(GLOBAL PROPERTY SCHOLAR_CLOSURE_${name} "${closure}")
  target_link_libraries(${name} PRIVATE scholar_options ${closure} ${ARG_LIBRARIES} scholar_program_options)
endfunction()
