# What every target of the project shares: include root, warnings, floating-point rules, sanitizers.
include(GNUInstallDirs)

# Headers lie flat in their folders and are spelled <crosshead/FOLDER/NAME.hpp>, here and installed.
foreach(folder graphs exact numeric proofs_check trainer)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/include/crosshead)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${folder}
       ${CMAKE_CURRENT_BINARY_DIR}/include/crosshead/${folder} SYMBOLIC)
endforeach()
set(CROSSHEAD_INCLUDE_ROOT ${CMAKE_CURRENT_BINARY_DIR}/include)

# The error bounds of numeric/ assume one rounding per written operation: no contraction into
# fused multiply-adds behind our back, and never -ffast-math.
function(crosshead_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -ffp-contract=off $<$<BOOL:${CROSSHEAD_WERROR}>:-Werror>)
  if(CROSSHEAD_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CROSSHEAD_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${CROSSHEAD_SANITIZE})
  endif()
endfunction()

# g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()

# crosshead_library(graphs SOURCES a.cpp b.cpp LINKS x y): the library crosshead::graphs.
function(crosshead_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(crosshead_${name} STATIC ${arg_SOURCES})
  add_library(crosshead::${name} ALIAS crosshead_${name})
  set_target_properties(crosshead_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(crosshead_${name} PUBLIC cxx_std_20)
  target_include_directories(crosshead_${name} PUBLIC
    $<BUILD_INTERFACE:${CROSSHEAD_INCLUDE_ROOT}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(crosshead_${name} PUBLIC ${arg_LINKS})
  crosshead_options(crosshead_${name})
endfunction()
