# Every option of the build. Developer extras are off when nw is a subproject.
option(NW_BUILD_CLI "Build the nw command" ${PROJECT_IS_TOP_LEVEL})
option(NW_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(NW_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(NW_BUILD_BENCH "Build the micro-benchmarks" OFF)
option(NW_BUILD_FUZZ "Build the fuzz targets" OFF)
option(NW_INSTALL "Generate the install rules" ${PROJECT_IS_TOP_LEVEL})
option(NW_WERROR "Turn warnings into errors" OFF)
option(NW_USE_CCACHE "Compile through ccache when it is there" ON)
option(NW_USE_PCH "Precompile the headers that the tests share" ON)
set(NW_WITH_TORCH AUTO CACHE STRING
    "Build nw::torch: ON, OFF, or AUTO for where LibTorch is found and no sanitizer is on")
set_property(CACHE NW_WITH_TORCH PROPERTY STRINGS AUTO ON OFF)
set(NW_SANITIZE "" CACHE STRING "Sanitizers to compile with, such as address,undefined")
