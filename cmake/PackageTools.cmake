# Before cpack packs: without these it would make packages that depend on nothing, and do not start.
foreach(tool file dpkg-shlibdeps)
  find_program(found_${tool} ${tool})
  if(NOT found_${tool})
    message(FATAL_ERROR "${tool} is not there: install the packages file and dpkg-dev")
  endif()
endforeach()
