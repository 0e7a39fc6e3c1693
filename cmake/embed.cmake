# Files that the program carries with it: pages, styles, scripts.
#
#   mlpac_embed(TARGET report/page.h mlpac::page src/report/page/style.css ...)
#
# makes the header <report/page.h> for the sources of TARGET, with a constant per file, named after it:
# style.css becomes `inline constexpr std::string_view kStyleCss` in the namespace. A changed file makes it anew.
if(CMAKE_SCRIPT_MODE_FILE)  # at build time, called by the rule below
  set(text "// Made by cmake/embed.cmake; change the files it is made of.\n#pragma once\n\n#include <string_view>\n\n")
  string(APPEND text "namespace ${NAMESPACE} {\n")
  separate_arguments(files UNIX_COMMAND "${FILES}")
  foreach(file ${files})
    get_filename_component(name "${file}" NAME)
    string(REGEX REPLACE "[^A-Za-z0-9]+" ";" words "${name}")
    set(constant k)
    foreach(word ${words})
      string(SUBSTRING "${word}" 0 1 first)
      string(SUBSTRING "${word}" 1 -1 rest)
      string(TOUPPER "${first}" first)
      string(APPEND constant "${first}${rest}")
    endforeach()
    file(READ "${file}" content)
    string(FIND "${content}" ")MLPAC\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file}: contains the text that ends a literal, )MLPAC\"")
    endif()
    string(APPEND text "\ninline constexpr std::string_view ${constant} = R\"MLPAC(${content})MLPAC\";\n")
  endforeach()
  string(APPEND text "\n}  // namespace ${NAMESPACE}\n")
  file(WRITE "${HEADER}" "${text}")
  return()
endif()

set(MLPAC_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(mlpac_embed target header namespace)
  set(output ${CMAKE_BINARY_DIR}/generated/${header})
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  list(JOIN files " " joined)
  set(command ${CMAKE_COMMAND} -D HEADER=${output} -D NAMESPACE=${namespace} -D "FILES=${joined}" -P ${MLPAC_EMBED_SCRIPT})
  if(NOT EXISTS ${output})  # already when configuring: clang-tidy reads sources that nobody builds
    execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  add_custom_command(OUTPUT ${output}
    COMMAND ${command}
    DEPENDS ${files} ${MLPAC_EMBED_SCRIPT}
    COMMENT "Embedding ${header}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
