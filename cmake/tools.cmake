# Compiler cache and fast linker where they are there, one set of warnings, and LibTorch as one clean target.
find_program(MLPAC_CCACHE ccache)
if(MLPAC_CCACHE)
  # The two "sloppy" settings let ccache work with the precompiled header; the base lets clones share what it keeps.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${MLPAC_CCACHE})
endif()
find_program(MLPAC_MOLD mold)
if(MLPAC_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()

function(mlpac_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                                           $<$<BOOL:${MLPAC_WERROR}>:-Werror> $<$<BOOL:${MLPAC_CCACHE}>:-fpch-preprocess>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)  # false alarms on std::string at -O3 (GCC bug 105651)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)  # false alarms on vectors at -O3
  endif()
  if(MLPAC_FUZZ)
    target_compile_options(${target} PUBLIC -fsanitize=fuzzer-no-link)
  endif()
  if(MLPAC_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# Torch's own CMake package sets global flags and old-style variables; this keeps its headers from giving warnings.
function(mlpac_wrap_torch)
  add_library(mlpac_torch INTERFACE)
  # libstdc++ first: the LibTorch of PyTorch's wheels exports parts of std::filesystem that crash when they are called.
  target_link_libraries(mlpac_torch INTERFACE stdc++ ${TORCH_LIBRARIES})
  target_include_directories(mlpac_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  separate_arguments(flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(mlpac_torch INTERFACE ${flags})
endfunction()
