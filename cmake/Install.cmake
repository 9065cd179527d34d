# cmake --install BUILD [--prefix FOLDER], and cpack --config BUILD/CPackConfig.cmake, which makes Debian packages: `scholar`, and
# `scholar-train` for what needs libtorch. Man pages and completion are made from what the programs say of themselves.
include(GNUInstallDirs)

install(TARGETS scholar RUNTIME COMPONENT engine)
if(TARGET scholar-train)
  set(SCHOLAR_TRAINER_COMPONENT trainer)
  install(TARGETS scholar-train RUNTIME COMPONENT trainer)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/scholar-train RENAME copyright COMPONENT trainer)
endif()
set(SCHOLAR_MANUAL ${CMAKE_BINARY_DIR}/manual)
install(CODE "execute_process(
  COMMAND \"${CMAKE_SOURCE_DIR}/tools/manual.sh\" \"$<TARGET_FILE:scholar>\" \"${SCHOLAR_MANUAL}\" ${PROJECT_VERSION} COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT engine)
install(DIRECTORY ${SCHOLAR_MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT engine)
install(DIRECTORY ${SCHOLAR_MANUAL}/completion/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT engine)
# As they lie in the sources, so that their links hold.
install(DIRECTORY docs examples games ladder openings recipes suites DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT engine)
install(FILES README.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT engine)
install(FILES nets/LEDGER.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/nets COMPONENT engine)
foreach(tables gaviota syzygy)
  install(FILES tests/data/${tables}/SOURCE.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests/data/${tables} COMPONENT engine)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT engine)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scholar)
set(CPACK_PACKAGE_CONTACT "The authors of Scholar")
set(CPACK_PACKAGE_FILE_NAME scholar-${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_COMPONENTS_ALL engine ${SCHOLAR_TRAINER_COMPONENT})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENGINE_PACKAGE_NAME scholar)
set(CPACK_DEBIAN_TRAINER_PACKAGE_NAME scholar-train)
set(CPACK_COMPONENT_ENGINE_DESCRIPTION
  "Plays by UCI and the xboard protocol with networks that taught themselves, analyses,\nkeeps games, runs matches and rates players.")
set(CPACK_COMPONENT_TRAINER_DESCRIPTION
  "The trainers, for scholar's commands learn, train and reproduce: networks learn from\nnothing, from games, and as published systems did.")
# OpenBLAS by name: training is some ten times slower with the reference BLAS.
set(CPACK_DEBIAN_TRAINER_PACKAGE_DEPENDS "scholar (= ${PROJECT_VERSION}), libopenblas0-openmp | libopenblas0")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/PackageTools.cmake)
include(CPack)
