/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An upper tester (docs/upper-tester.md) tried by itself, verb by verb, before any packet of its
 * FEP is judged: what works, what it refuses, what it answers otherwise than the page says. No
 * packet is looked at here; a second upper tester, of another FEP on the same link, shows that
 * bytes arrive.
 */
#ifndef UET_CONFORMANCE_ADAPTER_H
#define UET_CONFORMANCE_ADAPTER_H

#include <signal.h>

#include "ut/verbs.h"

enum uet_adapter_how {
    UET_ADAPTER_WORKS,
    UET_ADAPTER_REFUSED,   /* it says that it cannot: tests that need it are skipped */
    UET_ADAPTER_ABSENT,    /* the verb is not among those that `hello` lists */
    UET_ADAPTER_WRONG,     /* it answers otherwise than the page says */
    UET_ADAPTER_NOT_TRIED, /* what it rests on did not work, or there is no second FEP */
    UET_ADAPTER_HOWS
};

/* "works", "refused", ... */
extern const char *const uet_adapter_hows[UET_ADAPTER_HOWS];

struct uet_adapter_result {
    const char *verb, *what; /* "send", "of several packets, on ROD" */
    const char *asks;        /* what it tries beyond the usual, "header=small" or "generation" (any
                                value); NULL: nothing */
    uint8_t how;             /* enum uet_adapter_how */
    char text[400];          /* one sentence of what came, or "" */
};

struct uet_adapter {
    struct uet_ut *ut;
    struct uet_ut *peer;         /* of a second FEP, to which this one can send; NULL: none */
    const char *verb;            /* only the checks of that verb; NULL: all */
    unsigned wait_ms;            /* how long an operation may take, 1 and up */
    volatile sig_atomic_t *stop; /* set: no more is tried; may be NULL */
    bool tells_codes;            /* set when a completion of the first FEP has a return code */
    /* Called with each result as it comes; it is the caller's to copy. */
    void (*done)(void *ctx, const struct uet_adapter_result *result);
    void *ctx;
};

/*
 * Tries all there is, in the order of the page, and resets the FEPs on the way. 0; -EINTR when it
 * was stopped; -EPIPE when an upper tester went away (the last result tells in which check).
 */
int uet_adapter_check(struct uet_adapter *adapter);

#endif
