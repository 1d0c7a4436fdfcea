// Functions compiled for several processors, of which one is chosen when the program starts: wider
// registers change the speed and nothing else, because no operation is fused or reordered.
//
// SFUMATO_CLONES: before such a function. SFUMATO_IN_CLONE: before what it calls.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(SFUMATO_ASSERT)
#define SFUMATO_CLONES __attribute__((target_clones("avx2", "default")))
#define SFUMATO_IN_CLONE __attribute__((always_inline)) inline
#else
#define SFUMATO_CLONES
#define SFUMATO_IN_CLONE inline
#endif
