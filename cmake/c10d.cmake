# Several processes: LibTorch's c10d, whose headers want those of Gloo, and of NCCL for GPUs.
# Only where LibTorch lies: the headers of another Gloo would not fit it.
find_path(MLPAC_GLOO_HEADERS gloo/algorithm.h PATHS ${TORCH_INCLUDE_DIRS} NO_DEFAULT_PATH)
if(NOT MLPAC_GLOO_HEADERS AND Torch_VERSION VERSION_GREATER_EQUAL 2)
  set(MLPAC_GLOO_NAMES ${CMAKE_BINARY_DIR}/generated/gloo_names)
  foreach(name algorithm.h common/error.h context.h rendezvous/store.h transport/device.h)
    configure_file(src/distributed/gloo_names.h ${MLPAC_GLOO_NAMES}/gloo/${name} COPYONLY)
  endforeach()
endif()
if(MLPAC_GLOO_HEADERS OR MLPAC_GLOO_NAMES)
  set(MLPAC_C10D MLPAC_GLOO USE_C10D_GLOO)
  target_include_directories(mlpac SYSTEM PRIVATE $<IF:$<BOOL:${MLPAC_GLOO_NAMES}>,${MLPAC_GLOO_NAMES},${MLPAC_GLOO_HEADERS}>)
  # The NCCL that LibTorch was built with comes first: the size of c10d's classes depends on its version.
  find_path(MLPAC_NCCL_HEADERS nccl.h HINTS ${TORCH_INSTALL_PREFIX}/../nvidia/nccl/include ${CUDA_TOOLKIT_ROOT_DIR}/include)
  if(TARGET torch_cuda AND MLPAC_NCCL_HEADERS)
    target_include_directories(mlpac SYSTEM PRIVATE ${MLPAC_NCCL_HEADERS})
    list(APPEND MLPAC_C10D MLPAC_NCCL USE_C10D_NCCL)
  endif()
  set_source_files_properties(src/distributed/group.cc src/distributed/rendezvous.cc src/distributed/watch.cc
    PROPERTIES COMPILE_DEFINITIONS "${MLPAC_C10D}" SKIP_PRECOMPILE_HEADERS ON)
else()
  message(STATUS "gloo/algorithm.h was not found: mlpac will train in one process only (scripts/setup installs it)")
endif()
