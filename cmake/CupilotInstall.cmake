# SPDX-License-Identifier: Apache-2.0
# Install rules and the package config, and the same facts for a build that has cupilot as a subdirectory.

include(CMakePackageConfigHelpers)

set_property(GLOBAL PROPERTY CUPILOT_PROGRAMS "${PROJECT_BINARY_DIR}/bin")
set_property(GLOBAL PROPERTY CUPILOT_SUPPORT "${PROJECT_SOURCE_DIR}/driver/launcher/include")

# what sources that use CUPILOT_PRAGMA link
add_library(cupilot_headers INTERFACE)
add_library(cupilot::headers ALIAS cupilot_headers)
set_target_properties(cupilot_headers PROPERTIES EXPORT_NAME headers)
target_include_directories(cupilot_headers SYSTEM INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/driver/launcher/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

# Component `launcher` is all a build of the users' project needs; `tools` are the programs people type.
install(TARGETS cupilot_headers EXPORT cupilot)
foreach(program cupilot cupilot-annotate cupilot-worker cupilot-emulate cupilot-launches)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
  endif()
endforeach()
if(TARGET cupilot-cc)
  install(TARGETS cupilot-cc RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT launcher)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/driver/launcher/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT launcher)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/cupilot")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/CupilotConfig.cmake.in" "${PROJECT_BINARY_DIR}/cupilotConfig.cmake"
  INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cupilotConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT cupilot NAMESPACE cupilot:: DESTINATION "${package}" FILE cupilotTargets.cmake COMPONENT launcher)
install(FILES "${PROJECT_BINARY_DIR}/cupilotConfig.cmake" "${PROJECT_BINARY_DIR}/cupilotConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/Cupilot.cmake" DESTINATION "${package}" COMPONENT launcher)
