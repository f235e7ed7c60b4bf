# nw::torch: networks, training and what learns with them.
file(GLOB NW_TORCH_SOURCES CONFIGURE_DEPENDS bridge/*.cpp nn/*.cpp nn/kernels/*.cpp train/*.cpp gan/*.cpp
     adapt/*.cpp app/learning/*.cpp app/clustering/adversarial/*.cpp app/adaptation/*.cpp
     app/generation/*.cpp app/denoising/*.cpp)
# One of the two: a LibTorch without CUDA has no headers to capture graphs with.
if(NW_TORCH_HAS_CUDA)
  list(FILTER NW_TORCH_SOURCES EXCLUDE REGEX "/device_graph_none\\.cpp$")
else()
  list(FILTER NW_TORCH_SOURCES EXCLUDE REGEX "/device_graph_cuda\\.cpp$")
endif()
# Kernels of our own need the CUDA compiler besides.
if(NW_TORCH_HAS_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES native)
    endif()
    enable_language(CUDA)
  endif()
endif()
if(CMAKE_CUDA_COMPILER)
  list(FILTER NW_TORCH_SOURCES EXCLUDE REGEX "_not_fused\\.cpp$")
  # Apart from LibTorch, whose compile flags nvcc does not know.
  add_library(nw_kernels OBJECT nn/kernels/mlp_kernels.cu
    nn/kernels/lenet_stage_kernels.cu train/optimizer_kernels.cu
    adapt/window_kernels.cu)
  set_target_properties(nw_kernels PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON
    POSITION_INDEPENDENT_CODE ON)
  target_include_directories(nw_kernels PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  list(APPEND NW_TORCH_SOURCES $<TARGET_OBJECTS:nw_kernels>)
else()
  list(FILTER NW_TORCH_SOURCES EXCLUDE REGEX "_fused\\.cpp$")
  list(APPEND NW_TORCH_SOURCES nn/kernels/mlp_pass_not_fused.cpp
    nn/kernels/lenet_stage_not_fused.cpp train/optimizer_not_fused.cpp
    adapt/image_windows_not_fused.cpp)
endif()
add_library(nw_torch ${NW_TORCH_SOURCES})
add_library(nw::torch ALIAS nw_torch)
set_target_properties(nw_torch PROPERTIES EXPORT_NAME torch)
target_include_directories(nw_torch PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
# Whoever links the installed library finds LibTorch again by nwConfig.cmake.
target_link_libraries(nw_torch PUBLIC nw_core $<BUILD_INTERFACE:nw_libtorch>
  $<INSTALL_INTERFACE:nw::libtorch>
  PRIVATE $<BUILD_INTERFACE:nw_compile> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
# The light half of LibTorch: tensors and gradients without torch::nn, optim and serialize.
set(NW_LIGHT_TORCH_HEADERS <torch/types.h> <torch/csrc/autograd/autograd.h>
    <algorithm> <functional> <memory> <optional> <string> <vector>
    CACHE INTERNAL "what files that learn precompile")
if(NW_USE_PCH)
  target_precompile_headers(nw_torch PRIVATE ${NW_LIGHT_TORCH_HEADERS})
endif()

# Loops of our own are compiled once per instruction set and chosen at run time.
set(nw_loop_flags -O3 -fno-math-errno -fno-trapping-math)
set(nw_loop_flags_baseline "")
set(nw_loop_flags_avx2 -mavx2 -mfma)
set(nw_loop_flags_avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma
    -mprefer-vector-width=512)
foreach(loops mlp_loops lenet_stage_loops)
  foreach(set baseline avx2 avx512)
    if(set STREQUAL "baseline" OR CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      set_source_files_properties(nn/kernels/${loops}_${set}.cpp PROPERTIES
        COMPILE_OPTIONS "${nw_loop_flags};${nw_loop_flags_${set}}" SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endforeach()
