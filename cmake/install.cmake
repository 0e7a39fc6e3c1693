include(CMakePackageConfigHelpers)
install(TARGETS mlpac mlpac_core mlpac_torch EXPORT mlpacTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS mlpac_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/mlpac)
install(DIRECTORY include/mlpac DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT mlpacTargets NAMESPACE mlpac:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mlpac)
configure_package_config_file(cmake/mlpacConfig.cmake.in ${CMAKE_BINARY_DIR}/mlpacConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mlpac)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/mlpacConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/mlpacConfig.cmake ${CMAKE_BINARY_DIR}/mlpacConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mlpac)
# Man page and completion come from the program itself, so they cannot disagree with it.
install(CODE "
  file(MAKE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\" \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\")
  execute_process(COMMAND \"$<TARGET_FILE:mlpac_cli>\" docs man OUTPUT_FILE \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/mlpac.1\" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND \"$<TARGET_FILE:mlpac_cli>\" docs completion OUTPUT_FILE \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/mlpac\" COMMAND_ERROR_IS_FATAL ANY)
")
