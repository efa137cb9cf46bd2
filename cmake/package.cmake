# `cpack -G DEB`: sigstab_<version>_<architecture>.deb, by the rules of Debian's policy as lintian has them.

# Whoever builds the package answers for it.
set(SIGSTAB_MAINTAINER "The sigstab authors <sigstab@localhost>" CACHE STRING "name <address> in the package")
string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # or of SOURCE_DATE_EPOCH
file(READ LICENSE licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n(.)" "\n \\1" licence "${licence}")
configure_file(cmake/package_copyright.in ${made}/copyright @ONLY)
configure_file(cmake/package_changelog.in ${made}/changelog @ONLY)
add_custom_command(OUTPUT ${made}/changelog.gz ${made}/CHANGELOG.md.gz
                   COMMAND sh -c "gzip -9nc '${made}/changelog' > '${made}/changelog.gz'"
                   COMMAND sh -c "gzip -9nc '${PROJECT_SOURCE_DIR}/CHANGELOG.md' > '${made}/CHANGELOG.md.gz'"
                   DEPENDS ${made}/changelog CHANGELOG.md VERBATIM)
add_custom_target(package_documents ALL DEPENDS ${made}/changelog.gz ${made}/CHANGELOG.md.gz)
install(FILES ${made}/copyright ${made}/changelog.gz ${made}/CHANGELOG.md.gz DESTINATION ${doc})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sigstab)
set(CPACK_PACKAGE_CONTACT "${SIGSTAB_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "signal and gradient sizes in deep networks, layer by layer")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Runs forward and backward passes of deep stacks of random layers, described by
a small JSON file, and prints how large the signal and the gradient are at
every layer, with theory beside them. Weights are drawn as NumPy or PyTorch
would draw them.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# What is linked is found by dpkg-shlibdeps; OpenBLAS is loaded at run time as libopenblas.so.0.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenblas0-pthread | libopenblas0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS gnuplot)
include(CPack)
