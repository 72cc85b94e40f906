/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Violators: packets of a conforming FEP altered on their way out, so that a test of the broken
 * requirement must fail. One line of violators.def each; what is state and not a packet is broken
 * inside the bent reference FEP instead (refimpl/faults/).
 */
#ifndef UET_CONFORMANCE_MUTATE_H
#define UET_CONFORMANCE_MUTATE_H

#include <stddef.h>

#include "wire/impair.h"

struct uet_violator {
    const char *requirement;
    struct uet_impairment impair;
    const char *what; /* what the FEP then does wrong, one line */
};

/* How many violators there are, and the i-th of them; NULL after the last. */
size_t uet_n_violators(void);
const struct uet_violator *uet_violator(size_t i);

/* Why a mutant of the sweep may go unnoticed (permitted.def); NULL when nothing excuses it. */
const char *uet_permitted(const char *header, const char *what);

#endif
