# LibTorch, wrapped once into the interface target nw_libtorch. The only caller of
# find_package(Torch). Debian's libtorch-dev is found by itself; any other one by
# CMAKE_PREFIX_PATH (a pip-installed PyTorch: python -c 'import torch;
# print(torch.utils.cmake_prefix_path)').
set(nw_torch_choices AUTO ON OFF)
if(NOT NW_WITH_TORCH IN_LIST nw_torch_choices)
  message(FATAL_ERROR "NW_WITH_TORCH must be AUTO, ON or OFF, got '${NW_WITH_TORCH}'")
endif()

set(NW_HAVE_TORCH FALSE)
if(NW_SANITIZE AND NW_WITH_TORCH STREQUAL AUTO)
  message(STATUS "nw::torch: left out under sanitizers")
elseif(NOT NW_WITH_TORCH STREQUAL OFF)
  # No version: Debian's 1.13.1 calls itself 1.13.0.
  find_package(Torch QUIET)
  if(Torch_FOUND)
    set(NW_HAVE_TORCH TRUE)
  elseif(NW_WITH_TORCH STREQUAL ON)
    message(FATAL_ERROR "NW_WITH_TORCH is ON but LibTorch was not found: install libtorch-dev or "
                        "name a LibTorch with -DCMAKE_PREFIX_PATH=...")
  else()
    message(STATUS "nw::torch: LibTorch not found, building nw::core alone")
  endif()
endif()

if(NW_HAVE_TORCH)
  # Tensor loops of ours run in LibTorch's thread pool, which is OpenMP's.
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  add_library(nw_libtorch INTERFACE)
  target_include_directories(nw_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(nw_libtorch INTERFACE ${TORCH_LIBRARIES} OpenMP::OpenMP_CXX)
  separate_arguments(nw_torch_flags NATIVE_COMMAND "${TORCH_CXX_FLAGS}")  # the libstdc++ ABI
  target_compile_options(nw_libtorch INTERFACE ${nw_torch_flags})
  # Capturing graphs needs the CUDA headers of LibTorch, which a build for the CPU lacks.
  set(NW_TORCH_HAS_CUDA ${TORCH_CUDA_LIBRARIES})
  message(STATUS "nw::torch: LibTorch ${Torch_VERSION}")
endif()
