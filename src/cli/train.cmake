# The one program that links libtorch; `scholar train` starts it.
find_package(CLI11 REQUIRED)
scholar_program(scholar-train
  USES learning protocols
  SOURCES
    arguments.cpp
    ics_settings.cpp
    output.cpp
    train_main.cpp
    trainer_giraffe.cpp
    trainer_knightcap.cpp
    trainer_learn.cpp
    trainer_reproduce.cpp
    trainer_train.cpp
  LIBRARIES CLI11::CLI11)
target_include_directories(scholar-train PRIVATE ${SCHOLAR_INCLUDE_ROOT}/cli)
target_compile_definitions(scholar-train PRIVATE SCHOLAR_VERSION="${PROJECT_VERSION}")
set_target_properties(scholar-train PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
