/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "refimpl/tests/shared/fixture.h"

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    uet_fep_receive(((struct fixture *)ctx)->fep[host], frame, len, now_ns);
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    return uet_fep_transmit(((struct fixture *)ctx)->fep[host], buffer, cap, now_ns);
}

static uint64_t advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct uet_fep *fep = ((struct fixture *)ctx)->fep[host];
    uet_fep_advance(fep, now_ns);
    assert_true(uet_fep_deadline(fep) > now_ns);
    return uet_fep_deadline(fep);
}

void fixture_init(struct fixture *w, uint64_t seed, int ip_version,
                  void (*change)(struct uet_fep_config *))
{
    static const char *const text[2][2] = {{"192.0.2.1", "192.0.2.2"},
                                           {"2001:db8::1", "2001:db8::2"}};
    const struct uet_fabric_cable cable = {0, 1, {.latency_ns = 1000}};
    const struct uet_fabric_config config = {.seed = seed,
                                             .n_hosts = 2,
                                             .cables = &cable,
                                             .n_cables = 1,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .ctx = w,
                                             .deliver = deliver,
                                             .pull = pull,
                                             .advance = advance};
    *w = (struct fixture){.now = FIXTURE_START_NS};
    assert_int_equal(uet_fabric_new(&w->fabric, &config, w->now), 0);
    for (int i = 0; i < 2; i++) {
        struct uet_fep_config c;
        uet_fep_config_default(&c);
        c.seed = seed + (uint64_t)i;
        assert_int_equal(uet_ip_parse(&c.address, text[ip_version == 6][i]), 0);
        if (change)
            change(&c);
        w->ip[i] = c.address;
        size_t size = uet_fep_size(&c);
        assert_true(size > 0);
        w->memory[i] = malloc(size);
        w->fep[i] = uet_fep_init(w->memory[i], size, &c, w->now);
        assert_non_null(w->fep[i]);
    }
}

void fixture_wire(struct fixture *w, uint32_t loss, uint32_t dup, uint64_t jitter_ns)
{
    const struct uet_fabric_faults faults = {
        .lose = loss * 1000, .duplicate = dup * 1000, .delay = 1000000, .delay_ns = jitter_ns};
    for (int back = 0; back < 2; back++)
        uet_fabric_set_faults(w->fabric, 0, back, &faults);
}

void fixture_free(struct fixture *w)
{
    uet_fabric_free(w->fabric);
    free(w->memory[0]);
    free(w->memory[1]);
}

bool fixture_run(struct fixture *w, uint64_t until)
{
    uint64_t next;
    for (uint16_t i = 0; i < 2; i++)
        uet_fabric_wake(w->fabric, i, w->now); /* the test has called it */
    while ((next = uet_fabric_deadline(w->fabric)) <= until && next != UET_FABRIC_NEVER)
        uet_fabric_advance(w->fabric, next);
    w->now = uet_fabric_now(w->fabric);
    return next == UET_FABRIC_NEVER;
}
