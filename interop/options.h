/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of uetinterop run and list. */
#ifndef UET_INTEROP_OPTIONS_H
#define UET_INTEROP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "interop/matrix.h"

struct options {
    bool large, json, resume, keep;
    struct matrix_choice choice;
    const char *out, *implementations, *cases;
    const char *with; /* a folder of more implementations; NULL: none */
    uint32_t seed, jobs;
    double slow;
};

/* argv[0] is the command. -1 to go on, or an exit status. */
int options_read(struct options *options, bool list, int argc, char **argv);

#endif
