# What `cmake --install` and `cpack -G DEB` put where: the program, its man page and completions, which it
# writes itself, documents, examples and the schema.

include(GNUInstallDirs)
set(made ${CMAKE_CURRENT_BINARY_DIR}/made)
set(made_files)

# A text that the program writes, piped through what follows.
function(sigstab_made file)
  cmake_parse_arguments(PARSE_ARGV 1 made "" "" "FROM;THROUGH")
  list(JOIN made_FROM " " from)
  set(pipe)
  if(made_THROUGH)
    list(JOIN made_THROUGH " " through)
    set(pipe " | ${through}")
  endif()
  add_custom_command(OUTPUT ${made}/${file}
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
                     COMMAND sh -c "'$<TARGET_FILE:sigstab>' ${from}${pipe} > '${made}/${file}'"
                     DEPENDS sigstab VERBATIM)
  set(made_files ${made_files} ${made}/${file} PARENT_SCOPE)
endfunction()

sigstab_made(sigstab.1.gz FROM man THROUGH gzip -9n)
sigstab_made(sigstab FROM completion bash)
sigstab_made(_sigstab FROM completion zsh)
sigstab_made(sigstab.fish FROM completion fish)
add_custom_target(made_files ALL DEPENDS ${made_files})

install(TARGETS sigstab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${made}/sigstab.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/sigstab DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/sigstab.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# zsh looks into one folder below /usr and into another below all else.
install(CODE "
  set(zsh_folder site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr/?$\")
    set(zsh_folder vendor-completions)
  endif()
  file(INSTALL \"${made}/_sigstab\"
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_folder}\")")
install(FILES configs/sigstab.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/sigstab)

set(doc ${CMAKE_INSTALL_DATADIR}/doc/sigstab)
install(FILES README.md DESTINATION ${doc})
install(DIRECTORY docs DESTINATION ${doc} FILES_MATCHING PATTERN "*.md" PATTERN benchmarks EXCLUDE)
install(DIRECTORY configs/examples/ DESTINATION ${doc}/examples FILES_MATCHING PATTERN "*.json")
install(DIRECTORY configs/article DESTINATION ${doc}/examples FILES_MATCHING PATTERN "*.json")
