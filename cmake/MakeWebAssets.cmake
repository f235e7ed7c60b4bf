# Run by the build (cmake -P) to make OUT/page.js, OUT/page.css and OUT/web_assets.cpp from SOURCE.
# Arguments: NODE, NPM, BUNDLE, SOURCE, CACHE, OUT, WITH_TEST_TOOLS; see NwWeb.cmake.
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY ${OUT})
set(esbuild ${CACHE}/node_modules/esbuild/bin/esbuild)
set(script "")

# Installs the packages of the lockfile into CACHE unless they are there; sets `problem` on failure.
function(install_packages)
  file(SHA256 ${SOURCE}/package-lock.json lock_hash)
  set(wanted "${lock_hash}")
  set(omit --omit=dev)
  if(WITH_TEST_TOOLS)
    string(APPEND wanted " with test tools")
    set(omit)
  endif()
  file(MAKE_DIRECTORY ${CACHE})
  file(LOCK ${CACHE}/lock GUARD FUNCTION TIMEOUT 600)
  if(EXISTS ${CACHE}/installed.txt)
    file(READ ${CACHE}/installed.txt installed)
    if(installed STREQUAL wanted OR installed STREQUAL "${lock_hash} with test tools")
      return()
    endif()
  endif()
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc
       DESTINATION ${CACHE})
  execute_process(
    COMMAND ${NPM} ci ${omit} --prefer-offline --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY ${CACHE} RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log
    TIMEOUT 300)
  if(result EQUAL 0)
    file(WRITE ${CACHE}/installed.txt "${wanted}")
  else()
    file(WRITE ${OUT}/npm.log "${log}")
    set(problem "npm ci failed, see ${OUT}/npm.log" PARENT_SCOPE)
  endif()
endfunction()

function(run_esbuild)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${CACHE}/node_modules ${NODE} ${esbuild} ${ARGN}
            --minify --log-level=warning
    RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT result EQUAL 0)
    # Unlike a missing network this is a mistake in web/, so the build stops.
    message(FATAL_ERROR "nw page: esbuild failed\n${log}")
  endif()
endfunction()

set(problem "")
set(style "")
foreach(part colours page charts tables narrow print)  # later ones override earlier ones
  file(READ ${SOURCE}/style/${part}.css text)
  string(APPEND style "${text}")
endforeach()
if(BUNDLE)
  file(READ ${BUNDLE} script)
elseif(NODE AND NPM)
  install_packages()
  if(NOT problem)
    file(READ ${SOURCE}/notice.txt notice)  # the licences of what is bundled travel with every page
    run_esbuild(${SOURCE}/src/main.js "--banner:js=${notice}" --bundle --format=iife
                --target=es2021 --charset=ascii --legal-comments=none --outfile=${OUT}/page.js)
    file(WRITE ${OUT}/source.css "${style}")
    run_esbuild(${OUT}/source.css --outfile=${OUT}/page.css)
    file(READ ${OUT}/page.js script)
    file(READ ${OUT}/page.css style)
  endif()
else()
  set(problem "node and npm were not found")
endif()

if(problem)
  message("nw page: the interactive charts could not be bundled (${problem}). Pages will hold "
          "fixed charts. Run cmake again to retry, or give a bundle with -DNW_WEB_BUNDLE=.../page.js")
  file(WRITE ${OUT}/failed.txt "${problem}\n")
else()
  file(REMOVE ${OUT}/failed.txt)
endif()

file(WRITE ${OUT}/web_assets.cpp "// Made by cmake/MakeWebAssets.cmake from web/.
#include \"report/web_assets.hpp\"

namespace nw::report {

std::string_view page_script() noexcept {
  return R\"nw_page(${script})nw_page\";
}

std::string_view page_style() noexcept {
  return R\"nw_page(${style})nw_page\";
}

}  // namespace nw::report
")
