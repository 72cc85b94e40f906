/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "refimpl/host/tests/pair.h"

struct uet_fabric *fabric;
struct end ends[2];
struct end *const a = &ends[0], *const b = &ends[1];

static struct pair_config pair;

static uint64_t pair_now(void *ctx)
{
    (void)ctx;
    return uet_fabric_now(fabric);
}

static int pair_emit(void *ctx, const uint8_t *frame, uint32_t len)
{
    if (pair.sent)
        pair.sent(ctx, frame, len);
    return uet_fabric_send(fabric, ctx == b, frame, len, NULL, NULL);
}

static void deliver(void *ctx, uint16_t i, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    (void)ctx;
    ends[i].device.frame(ends[i].device.ctx, frame, len, now_ns);
}

static uint64_t advance(void *ctx, uint16_t i, uint64_t now_ns)
{
    (void)ctx;
    return ends[i].device.advance(ends[i].device.ctx, now_ns);
}

void pass(uint64_t ns)
{
    for (uint16_t i = 0; i < 2; i++)
        uet_fabric_wake(fabric, i, uet_fabric_now(fabric));
    uet_fabric_advance(fabric, uet_fabric_now(fabric) + ns);
}

void open_end(struct end *end)
{
    const struct uet_host_io io = {.ctx = end, .now = pair_now, .emit = pair_emit};
    struct uet_host_config config;

    uet_host_config_default(&config);
    assert_int_equal(uet_ip_parse(&config.fep.address, end == a ? "192.0.2.1" : "192.0.2.2"), 0);
    config.fep.seed = 7;
    config.fep.payload_mtu = 1024;
    config.fep.params.RTO_Init_Time = 5 * PAIR_MS;
    if (pair.host)
        pair.host(&config, end);
    end->address = config.fep.address;
    assert_int_equal(uet_host_new(&end->host, &config), 0);
    uet_host_set_io(end->host, &io);
    end->device = uet_host_device(end->host);
    end->ut = uet_host_ut(end->host);
    assert_non_null(end->ut);
}

void close_end(struct end *end)
{
    uet_ut_close(end->ut);
    uet_host_free(end->host);
}

void pair_open(const struct pair_config *config)
{
    const struct uet_fabric_config two = {.n_hosts = 2,
                                          .cables = &config->cable,
                                          .n_cables = 1,
                                          .trim_keep = UET_FABRIC_TRIM_KEEP,
                                          .deliver = deliver,
                                          .advance = advance};

    pair = *config;
    assert_int_equal(uet_fabric_new(&fabric, &two, 5000000000), 0);
    open_end(a);
    open_end(b);
}

void pair_close(void)
{
    close_end(a);
    close_end(b);
    uet_fabric_free(fabric);
}

uint64_t counter(struct end *end, const char *name)
{
    uint64_t value = 0;

    if (uet_ut_counter(end->ut, name, &value))
        fail_msg("%s: %s", name, end->ut->error);
    return value;
}
