# The scripts and styles of the page that `nw report` writes, compiled into nw_core.
#
# Scripts are bundled at build time from web/ with npm and esbuild. Where npm is missing or nothing
# can be downloaded the build goes on and pages hold fixed charts; NW_WEB_BUNDLE then lets a bundle
# made elsewhere (<build>/web/page.js) be used.
set(NW_WEB_BUNDLE "" CACHE FILEPATH "A page.js made by another build; empty: make it with npm")
if(PROJECT_IS_TOP_LEVEL)
  set(nw_web_default_cache ${PROJECT_SOURCE_DIR}/.cache/web)  # shared by all build folders
else()
  set(nw_web_default_cache ${CMAKE_BINARY_DIR}/web/cache)
endif()
set(NW_WEB_CACHE ${nw_web_default_cache} CACHE PATH "Where the page's npm packages are kept")
mark_as_advanced(NW_WEB_CACHE)

find_program(NW_NODE node)
find_program(NW_NPM npm)
if(NW_WEB_BUNDLE)
  if(NOT EXISTS ${NW_WEB_BUNDLE})
    message(FATAL_ERROR "NW_WEB_BUNDLE: there is no file ${NW_WEB_BUNDLE}")
  endif()
  message(STATUS "nw page: scripts from ${NW_WEB_BUNDLE}")
elseif(NOT NW_NODE OR NOT NW_NPM)
  message(STATUS "nw page: node and npm not found, pages will hold fixed charts "
                 "(or give a bundle with -DNW_WEB_BUNDLE=.../page.js)")
endif()

# A bundle that could not be made is tried again after the next run of cmake.
set(nw_web_folder ${CMAKE_BINARY_DIR}/web)
set(nw_web_assets ${nw_web_folder}/web_assets.cpp)
if(EXISTS ${nw_web_folder}/failed.txt)
  file(REMOVE ${nw_web_folder}/failed.txt ${nw_web_assets})
endif()

file(GLOB_RECURSE nw_web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*.js
     ${PROJECT_SOURCE_DIR}/web/style/*.css)
add_custom_command(
  OUTPUT ${nw_web_assets}
  COMMAND ${CMAKE_COMMAND} -D NODE=${NW_NODE} -D NPM=${NW_NPM} -D BUNDLE=${NW_WEB_BUNDLE}
          -D SOURCE=${PROJECT_SOURCE_DIR}/web -D CACHE=${NW_WEB_CACHE} -D OUT=${nw_web_folder}
          -D WITH_TEST_TOOLS=${NW_BUILD_TESTS}
          -P ${PROJECT_SOURCE_DIR}/cmake/MakeWebAssets.cmake
  DEPENDS ${nw_web_sources} ${PROJECT_SOURCE_DIR}/web/notice.txt
          ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/package-lock.json
          ${PROJECT_SOURCE_DIR}/cmake/MakeWebAssets.cmake ${NW_WEB_BUNDLE}
  COMMENT "Bundling the page of nw report"
  VERBATIM)
