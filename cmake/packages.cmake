# Finds every dependency, or stops with the name of the Debian package that brings it.

function(sigstab_missing what package)
  message(FATAL_ERROR "${what} was not found.\n"
                      "  fix: apt-get install ${package}   (or run scripts/install_packages.sh)")
endfunction()

macro(sigstab_find name package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    sigstab_missing("${name}" "${package}")
  endif()
endmacro()

sigstab_find(Threads libc6-dev)
sigstab_find(CLI11 libcli11-dev CONFIG)
sigstab_find(fmt libfmt-dev CONFIG)
sigstab_find(nlohmann_json nlohmann-json3-dev CONFIG)
sigstab_find(hwy libhwy-dev CONFIG)
sigstab_find(OpenBLAS libopenblas-dev CONFIG)
if(SIGSTAB_TESTS)
  sigstab_find(GTest libgtest-dev)
endif()
if(SIGSTAB_BENCH)
  sigstab_find(benchmark libbenchmark-dev CONFIG)
endif()

# Debian's OpenBLASConfig.cmake names paths but defines no target.
if(NOT TARGET sigstab::openblas)
  add_library(sigstab::openblas INTERFACE IMPORTED)
  target_include_directories(sigstab::openblas SYSTEM INTERFACE ${OpenBLAS_INCLUDE_DIRS})
  # Loaded at run time (src/math/blas.cpp): by its name, or from where it was found here.
  list(GET OpenBLAS_LIBRARIES 0 openblas_library)
  target_compile_definitions(sigstab::openblas INTERFACE SIGSTAB_OPENBLAS="${openblas_library}")
endif()
