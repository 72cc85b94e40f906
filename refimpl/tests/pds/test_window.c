/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiving half by itself: which PSNs it says have come (3.5.11.14, PDS-114). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"

#define S0   0x10010u /* 16 into a word of the ring */
#define NOOP .opcode = UET_OP_NO_OP, .message_id = 1

static struct pdc *opened(struct peer *t, uint32_t start_psn)
{
    peer_init(t, NULL);
    t->start_psn = start_psn;
    request(t, &(struct req){.psn = start_psn, NOOP});
    return pdc_at(t->fep, 1);
}

static void test_gaps(void **state)
{
    struct peer t;
    (void)state;
    struct pdc *pdc = opened(&t, S0);
    assert_int_equal(pdc->rx.cack_psn, S0);
    uet_sink_receive(t.fep, pdc, S0 + 2);
    uet_sink_receive(t.fep, pdc, S0 + 64);
    uet_sink_receive(t.fep, pdc, S0 + 65);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 + 1), 1ull << 1 | 1ull << 63);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 + 2), 1ull | 1ull << 62 | 1ull << 63);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 + 48), 1ull << 16 | 1ull << 17);
    /* All up to CACK, but nothing before Start_PSN. */
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0), 1ull | 1ull << 2);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 - 10), 1ull << 10 | 1ull << 12);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 - 63), 1ull << 63);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 - 64), 0);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 - 1000), 0);
    peer_free(&t);
}

/* The ring of 1024 PSNs comes round; what lies beyond the window is not in it. */
static void test_beyond(void **state)
{
    struct peer t;
    (void)state;
    struct pdc *pdc = opened(&t, S0);
    assert_int_equal(t.fep->window_psns, 1024);
    uet_sink_receive(t.fep, pdc, S0 + 2);
    uet_sink_receive(t.fep, pdc, S0 + 1024);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 + 1024), 1);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 + 1020), 1ull << 4);
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 + 1025), 0); /* S0 + 2 is 1026 - 1024 */
    assert_int_equal(uet_sink_bits(t.fep, pdc, S0 + 2000), 0);
    peer_free(&t);
}

/* CACK far from Start_PSN: all before it has come; PSNs go round. */
static void test_far(void **state)
{
    struct peer t;
    (void)state;
    struct pdc *pdc = opened(&t, 0xfffffff0u);
    for (uint32_t i = 1; i <= 100; i++)
        uet_sink_receive(t.fep, pdc, 0xfffffff0u + i);
    assert_int_equal(pdc->rx.cack_psn, 84);
    assert_int_equal(uet_sink_bits(t.fep, pdc, 85), 0);
    assert_int_equal(uet_sink_bits(t.fep, pdc, 80), 0x1f);
    assert_true(uet_sink_bits(t.fep, pdc, 84 - 63) == UINT64_MAX);
    assert_true(uet_sink_bits(t.fep, pdc, 0) == UINT64_MAX);
    assert_true(uet_sink_bits(t.fep, pdc, 0xffffffecu) == UINT64_MAX << 4);
    pdc->rx.long_lived = true;
    assert_true(uet_sink_bits(t.fep, pdc, 0xffffffecu) == UINT64_MAX);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
