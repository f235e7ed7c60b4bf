# What `cmake --install` puts in place: headers, the static library, the command, and a package that
# find_package(nw) reads. Targets are exported with the namespace nw::.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(NW_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/nw)

install(TARGETS nw_core EXPORT nwTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/nw DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT dev FILES_MATCHING PATTERN "*.hpp")
if(NW_BUILD_CLI)
  install(TARGETS nw RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR}
          COMPONENT tools OPTIONAL)
  if(NW_HAVE_TORCH)
    install(TARGETS nw-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT learn)
  endif()
endif()
# Modules that the command loads in jobs of several processes, where it looks for them.
if(TARGET nw_mpi)
  install(TARGETS nw_mpi LIBRARY DESTINATION lib/nw COMPONENT mpi)
endif()
if(TARGET nw_c10d)
  install(TARGETS nw_c10d LIBRARY DESTINATION lib/nw COMPONENT learn)
endif()
if(NW_HAVE_TORCH)
  # In a file of its own: who asks for nw::core alone needs no LibTorch.
  install(TARGETS nw_torch EXPORT nwTorchTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT torch
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT torch)
  install(EXPORT nwTorchTargets NAMESPACE nw:: DESTINATION ${NW_PACKAGE_DIR} COMPONENT torch)
endif()
install(EXPORT nwTargets NAMESPACE nw:: DESTINATION ${NW_PACKAGE_DIR} COMPONENT dev)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/nwConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/nwConfig.cmake
                              INSTALL_DESTINATION ${NW_PACKAGE_DIR})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nwConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nwConfig.cmake ${PROJECT_BINARY_DIR}/nwConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindZSTD.cmake ${CMAKE_CURRENT_LIST_DIR}/FindLZ4.cmake
        DESTINATION ${NW_PACKAGE_DIR} COMPONENT dev)
include(NwPackages)
