/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory before and after. */
#include <string.h>

#include "conformance/harness/context/context.h"
#include "conformance/harness/steps/memory.h"

void need_upper_tester(struct uet_tc *tc, const char *why)
{
    if (!uet_tc_ut(tc))
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "%s", why);
}

/* n bytes of memory as the FEP has them; all zero without an upper tester. */
static void look(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset, uint8_t *out,
                 size_t n)
{
    memset(out, 0, n);
    if (uet_tc_ut(tc))
        uet_read_back(tc, m, offset, out, n);
}

struct kept keep(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset, size_t n)
{
    struct kept k = {.m = *m, .offset = offset, .n = n};

    if (n > sizeof k.bytes)
        uet_error(tc, "%zu bytes are more than a test keeps", n);
    look(tc, m, offset, k.bytes, n);
    return k;
}

/* What is written late is written, too. */
static void wait_for_late_writes(struct uet_tc *tc)
{
    uint64_t most = 10 * UET_MS, quiet = uet_dut_quiet(uet_tc_dut(tc));

    uet_wait(tc, quiet < most ? quiet : most);
}

void unchanged(struct uet_tc *tc, const char *requirement, const struct kept *k)
{
    uint8_t now[KEPT_MOST];

    wait_for_late_writes(tc);
    look(tc, &k->m, k->offset, now, k->n);
    bool same = memcmp(now, k->bytes, k->n) == 0;
    if (same && uet_tc_ut(tc))
        uet_story_tell(tc, "check  ", NULL, "%s: %zu bytes of memory at offset %llu are as before",
                       requirement, k->n, (unsigned long long)k->offset);
    uet_check(tc, requirement, same, "the FEP's memory changed, which must stay as it was");
}

/* The offset of the first block that differs from data; n: none does. */
static size_t first_difference(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset,
                               const void *data, size_t n)
{
    uint8_t now[4096];

    for (size_t at = 0; at < n; at += sizeof now) {
        size_t part = n - at < sizeof now ? n - at : sizeof now;
        uet_read_back(tc, m, offset + at, now, part);
        if (memcmp(now, (const uint8_t *)data + at, part) != 0)
            return at;
    }
    return n;
}

void memory_holds_within(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                         uint64_t offset, const void *data, size_t n, uint64_t patience)
{
    if (!uet_tc_ut(tc)) {
        uet_note(tc, requirement, "memory not looked at: no upper tester");
        return;
    }
    size_t at = first_difference(tc, m, offset, data, n);
    for (uint64_t waited = 0; at < n && waited < patience; waited += UET_MS) {
        uet_wait(tc, UET_MS);
        at = first_difference(tc, m, offset, data, n);
    }
    if (at >= n)
        uet_story_tell(tc, "check  ", NULL, "%s: the memory holds the %zu bytes at offset %llu",
                       requirement, n, (unsigned long long)offset);
    uet_check(tc, requirement, at >= n,
              "the FEP's memory does not hold what was written at offset %llu",
              (unsigned long long)offset + at);
}

void memory_holds(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                  uint64_t offset, const void *data, size_t n)
{
    memory_holds_within(tc, requirement, m, offset, data, n, uet_tc_dut(tc)->response_time_ns);
}

struct uet_ut_completion fills(struct uet_tc *tc, const char *requirement, uint64_t handle,
                               uint32_t bytes)
{
    struct uet_ut_completion c = completes(tc, requirement, handle, UET_UT_OK);

    tells_length(tc, requirement, "length of the receive", &c, bytes);
    return c;
}

void brings_header_data(struct uet_tc *tc, const char *requirement,
                        const struct uet_ut_completion *c, uint64_t value)
{
    uet_check(tc, requirement, c->has_header_data, "the completion has no header_data");
    uet_check_eq(tc, requirement, "header_data", c->header_data, value);
}

void must_not_succeed(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    uint64_t within = uet_tc_latest(tc, UET_MS);
    struct uet_ut_completion c = {0};
    bool ended = uet_tc_ut(tc) && (handle ? uet_completion(tc, handle, within, &c)
                                          : uet_any_completion(tc, within, &c));

    for (; ended; ended = !handle && uet_any_completion(tc, within, &c))
        uet_check(tc, requirement, c.status != UET_UT_OK,
                  "what must fail, or stay open, ended as a success");
}
