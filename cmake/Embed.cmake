# Files that are part of the program.
#
#   scholar_embed(LAYER FUNCTION FILE)
#
# defines `std::string_view scholar::LAYER::FUNCTION()`, the content of FILE as it is, which a header of the layer
# declares. The assembler puts it into read-only data, at a multiple of 64 bytes.

set(SCHOLAR_EMBED_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/embedded.cpp.in)

function(scholar_embed layer function file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  set(symbol scholar_${layer}_${function})
  # A compiler's cache knows the source alone: it has to be another one when the file is.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(SHA256 ${path} sha256)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.embedded.cpp)
  configure_file(${SCHOLAR_EMBED_TEMPLATE} ${source} @ONLY)
  # By itself: compiled as one with others it would not be made anew when the file changes.
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${path} SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${layer} PRIVATE ${source})
endfunction()
