/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/tests/shared/counter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

uint64_t counter(const struct uet_fep *fep, const char *name)
{
    for (size_t i = 0; i < uet_fep_n_counters(); i++) {
        if (!strcmp(uet_fep_counter_name(i), name))
            return uet_fep_counter(fep, i);
    }
    fail_msg("no counter %s", name);
    return 0;
}
