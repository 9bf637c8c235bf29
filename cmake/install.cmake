# SPDX-License-Identifier: Apache-2.0
# What an installation holds: the program finds its data relative to itself, so a prefix may move.
# Firmware images are installed where they are built, in firmware/.
install(DIRECTORY corpus configs DESTINATION ${CMAKE_INSTALL_DATADIR}/tpuvp)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tpuvp/schemas
        FILES_MATCHING PATTERN "*.schema.json")
install(FILES test/data/rtl_calibration.json DESTINATION ${CMAKE_INSTALL_DATADIR}/tpuvp/calibration)
install(DIRECTORY isa DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tpuvp FILES_MATCHING PATTERN "*.h")
install(DIRECTORY platform/hw DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tpuvp/platform
        FILES_MATCHING PATTERN "*.h")
install(FILES judge/tpu_submission.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tpuvp)
install(FILES firmware/tpu_driver.h firmware/trap.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tpuvp/firmware)
install(FILES LICENSE README.md docs/architecture.md docs/counters.md docs/firmware.md
              docs/memory-map.md docs/programs.md docs/registers.md docs/submissions.md docs/sweeping.md
              docs/verdicts.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

# In a build tree the same data lie next to the program.
foreach(data corpus configs)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${data} ${CMAKE_BINARY_DIR}/${data} SYMBOLIC)
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/calibration)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/test/data/rtl_calibration.json
     ${CMAKE_BINARY_DIR}/calibration/rtl_calibration.json SYMBOLIC)
