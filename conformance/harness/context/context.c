/* SPDX-License-Identifier: BSD-2-Clause */
/* What a running test has: memory, the clock and its tolerances, random numbers. */
#include <time.h>

#include "conformance/harness/context/context.h"
#include "wire/splitmix.h"

void *uet_tc_alloc(struct uet_tc *tc, size_t n)
{
    void *p = uet_arena_alloc(&tc->arena, n);

    if (!p)
        uet_error(tc, "the tester has no memory left");
    return p;
}

const uint8_t *uet_tc_bytes(struct uet_tc *tc, size_t n)
{
    uint8_t *bytes = uet_tc_alloc(tc, n ? n : 1);

    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)uet_tc_random(tc);
    return bytes;
}

const struct uet_dut *uet_tc_dut(const struct uet_tc *tc)
{
    return tc->session->dut;
}

/* ---- the point at which the test runs ---- */

const struct uet_place *uet_tc_place(struct uet_tc *tc, enum uet_dimension_id dimension)
{
    /* What a preamble sends is not what the test is about; the PDC that it opens is. */
    if (tc->preamble == 0 || dimension == UET_OVER_PSN || dimension == UET_OVER_COMPANY ||
        dimension == UET_OVER_PAST || dimension == UET_OVER_OWN)
        tc->session->reaches |= 1u << dimension;
    return tc->test->point.place[dimension] ? uet_point_place(&tc->test->point, dimension) : NULL;
}

/* ---- time ---- */

uint64_t uet_wall_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t uet_tc_now(const struct uet_tc *tc)
{
    return uet_port_now(tc->session->port);
}

bool uet_tc_virtual_time(const struct uet_tc *tc)
{
    return tc->session->port->caps & UET_PORT_VIRTUAL_TIME;
}

uint64_t uet_tc_scale(const struct uet_tc *tc, uint64_t ns)
{
    return (uint64_t)((double)ns * tc->session->time_scale);
}

uint64_t uet_tc_patience(const struct uet_tc *tc)
{
    double slow = uet_tc_virtual_time(tc) ? 1 : tc->session->slow;

    return (uint64_t)((double)tc->session->dut->response_time_ns * tc->session->time_scale * slow);
}

uint64_t uet_tc_tolerance(const struct uet_tc *tc, uint64_t duration_ns)
{
    uint64_t percent = duration_ns / 8, least = 4 * UET_MS;

    if (uet_tc_virtual_time(tc))
        return 0;
    return (uint64_t)((double)(percent > least ? percent : least) * tc->session->slow);
}

uint64_t uet_tc_latest(const struct uet_tc *tc, uint64_t duration_ns)
{
    return duration_ns + uet_tc_tolerance(tc, duration_ns) + UET_MS;
}

bool uet_tc_request_came(const struct uet_tc *tc)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (uet_is_request(&in->packet))
            return true;
    return false;
}

/* ---- random numbers, addresses ---- */

uint64_t uet_tc_random(struct uet_tc *tc)
{
    return uet_splitmix64(&tc->rng);
}

uint64_t uet_tc_random_amid(struct uet_tc *tc)
{
    return uet_splitmix64(&tc->rng_amid);
}

struct uet_ip uet_tc_second_address(struct uet_tc *tc)
{
    const struct uet_ip *ip = &tc->session->dut->tester[1];

    if (ip->version == 0 || !(tc->session->port->caps & UET_PORT_SOURCE))
        uet_skip_for(tc, UET_SKIP_PORT, "the tester has no second address (fep.yaml: tester)");
    return *ip;
}

/* ---- preamble ---- */

void uet_preamble_begin(struct uet_tc *tc)
{
    tc->preamble++;
}

void uet_preamble_end(struct uet_tc *tc)
{
    tc->preamble--;
}
