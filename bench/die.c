/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"

_Noreturn void bench_die(const char *what)
{
    fprintf(stderr, "uet-bench: %s\n", what);
    exit(2);
}
