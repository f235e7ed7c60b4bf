# Compiler settings that every target of the project shares, in one interface target.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NW_USE_CCACHE)
  find_program(NW_CCACHE ccache)
  if(NW_CCACHE)
    # The sloppiness is what ccache asks for before it caches anything that uses a precompiled
    # header. Paths below the project count as relative, so that clones and work trees of one user
    # share what is compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        ${NW_CCACHE})
    if(NW_USE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      add_compile_options(-fpch-preprocess)
    endif()
  endif()
endif()

add_library(nw_compile INTERFACE)
target_compile_features(nw_compile INTERFACE cxx_std_20)
# Floating-point results must not depend on contraction choices of the compiler: the certificates
# compare sums computed in different translation units.
target_compile_options(nw_compile INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                            -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of g++ 12 on std::string concatenation (GCC bug 105651).
  target_compile_options(nw_compile INTERFACE -Wno-restrict)
endif()
if(NW_WERROR)
  target_compile_options(nw_compile INTERFACE -Werror)
endif()
if(NW_SANITIZE)
  # A target with the property NW_NOT_SANITIZED is linked with the sanitizers, but not compiled so.
  set(nw_sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:NW_NOT_SANITIZED>>>)
  target_compile_options(nw_compile INTERFACE
    "$<${nw_sanitized}:-fsanitize=${NW_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  target_link_options(nw_compile INTERFACE -fsanitize=${NW_SANITIZE})
  # Eigen allocates in another way in files compiled with the sanitizer. A matrix may be made in one
  # file and freed in another, so all take malloc's pointers, which are aligned with it too.
  target_compile_definitions(nw_compile INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
endif()
