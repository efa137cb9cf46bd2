# Writes generated/build_facts.hpp at build time: version, git revision ("unknown" without git), compiler.

function(sigstab_write_revision target)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/generated/build_facts.hpp)
  add_custom_target(sigstab_revision BYPRODUCTS ${header}
    COMMAND ${CMAKE_COMMAND} -DHEADER=${header} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}
            -DVERSION=${PROJECT_VERSION} -DBUILD_TYPE=$<CONFIG>
            -DCOMPILER=${CMAKE_CXX_COMPILER_ID}\ ${CMAKE_CXX_COMPILER_VERSION}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write_revision.cmake
    VERBATIM)
  add_dependencies(${target} sigstab_revision)
endfunction()
