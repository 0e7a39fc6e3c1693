// MLPAC_CLONES compiles a function once per instruction set; the program chooses when it starts.
#pragma once

// GCC 12 knows the levels of x86-64. AddressSanitizer is not ready yet when the choice is made.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#if __GNUC__ >= 12
#define MLPAC_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
#endif
#ifndef MLPAC_CLONES
#define MLPAC_CLONES
#endif
