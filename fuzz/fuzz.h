/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzz targets: one function that libFuzzer or replay.c calls with each input. A broken invariant
 * aborts, so that both notice.
 */
#ifndef UET_FUZZ_FUZZ_H
#define UET_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An invariant: stays in every build, unlike assert. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
