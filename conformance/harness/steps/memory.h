/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP's memory before and after; without an upper tester nobody sees it. */
#ifndef UET_HARNESS_STEPS_MEMORY_H
#define UET_HARNESS_STEPS_MEMORY_H

#include "conformance/harness/steps/steps.h"

/* What only an upper tester sees or makes: without one the test is a skip, for this reason. */
void need_upper_tester(struct uet_tc *tc, const char *why);

/* A region made to measure: designators of a struct uet_ut_memory (.key = ..., .length = ...). */
#define region(tc, ...) uet_need_memory_like(tc, &(const struct uet_ut_memory){__VA_ARGS__})

/* At least so many bytes from the offset on, as they were. */
#define KEPT_MOST 1024
struct kept {
    struct uet_memory m;
    uint64_t offset;
    size_t n;
    uint8_t bytes[KEPT_MOST];
};

/* Looks at n bytes of the memory, at most KEPT_MOST; later they must be the same. */
struct kept keep(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset, size_t n);
void unchanged(struct uet_tc *tc, const char *requirement, const struct kept *k);

/*
 * The memory holds these n bytes. Without dc=1 a response promises no visibility (3.4.8.3): they
 * may come within the FEP's response time; the other one says within what (ns), 0 when dc was set.
 */
void memory_holds(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                  uint64_t offset, const void *data, size_t n);
void memory_holds_within(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                         uint64_t offset, const void *data, size_t n, uint64_t patience);

/* The receive ends as a success with so many bytes. */
struct uet_ut_completion fills(struct uet_tc *tc, const char *requirement, uint64_t handle,
                               uint32_t bytes);

/* Its completion brings that header_data. */
void brings_header_data(struct uet_tc *tc, const char *requirement,
                        const struct uet_ut_completion *c, uint64_t value);

/* It may end meanwhile, but not as a success: a receive or operation; 0: any of them. */
void must_not_succeed(struct uet_tc *tc, const char *requirement, uint64_t handle);

#endif
