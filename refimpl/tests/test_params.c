/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every parameter of Table 3-28 has an effect: the same little story is told to two FEPs that
 * differ in it alone, and ends in a number that the parameter's meaning gives (3.5.5). Times are in
 * nanoseconds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"
#include "uet_spec.h"

#define MTU      4096u
#define S0       0x10000u
#define REQ(...) request(t, &(struct req){__VA_ARGS__})
#define ACK(...) ack(t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK

/* ---- stories ---- */

/* The first frame of a write of ten bytes, not looked at. */
static size_t raw_frame(struct peer *t)
{
    fep_writes(t, 10);
    size_t n = uet_fep_transmit(t->fep, t->bytes, sizeof t->bytes, t->now);
    assert_true(n > 0);
    return n;
}

/* Ethernet 14, IPv4 20: its protocol in byte 23, the UDP destination port in 36 and 37. */
static uint64_t protocol(struct peer *t)
{
    raw_frame(t);
    return t->bytes[23];
}

static uint64_t port(struct peer *t)
{
    raw_frame(t);
    return (uint64_t)t->bytes[36] << 8 | t->bytes[37];
}

static uint64_t frame_length(struct peer *t)
{
    return raw_frame(t);
}

static uint64_t n_requests(struct peer *t)
{
    uint64_t n = 0;
    while (uet_fep_transmit(t->fep, t->bytes, sizeof t->bytes, t->now))
        n++;
    return n;
}

static void write_much(struct peer *t)
{
    for (int i = 0; i < 8; i++)
        fep_writes(t, 40 * MTU);
}

static uint64_t window(struct peer *t)
{
    write_much(t);
    return n_requests(t);
}

static uint64_t window_of_mpr_0(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    ACK(.cack = t->start_psn, .psn = t->start_psn, OK_RSP, .cc = true, .sack_base = t->start_psn);
    write_much(t);
    return n_requests(t);
}

static uint64_t acked(struct peer *t)
{
    return uet_fep_transmit(t->fep, t->bytes, sizeof t->bytes, t->now) > 0;
}

static uint64_t ack_of_ce(struct peer *t)
{
    open_pdc(t, S0);
    REQ(.psn = S0 + 1, .no_syn = true, .opcode = UET_OP_NO_OP, .ce = true);
    return acked(t);
}

static uint64_t ar_of_first(struct peer *t)
{
    fep_writes(t, 2 * MTU);
    return uet_rud_rod_req_ar(first(t));
}

/* Packets without ar until one is acknowledged. */
static uint64_t until_ack(struct peer *t, uint32_t bytes)
{
    open_pdc(t, S0);
    for (uint32_t n = 1; n < 100; n++) {
        REQ(.psn = S0 + n, .no_syn = true, .opcode = UET_OP_WRITE, .message_id = (uint16_t)(n + 1),
            .length = bytes, .payload = bytes);
        if (acked(t))
            return n;
    }
    return 100;
}

static uint64_t large_until_ack(struct peer *t)
{
    return until_ack(t, MTU);
}

static uint64_t small_until_ack(struct peer *t)
{
    return until_ack(t, 8);
}

static uint64_t wait_of(struct peer *t)
{
    uint64_t at = uet_fep_deadline(t->fep);
    return at == UET_FEP_NEVER ? at : at - t->now;
}

static uint64_t first_timeout(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    return wait_of(t);
}

static void sleep_until_due(struct peer *t)
{
    advance(t, wait_of(t));
}

static uint64_t resends(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    uint64_t n = 0;
    for (; wait_of(t) != UET_FEP_NEVER; n++) {
        sleep_until_due(t);
        if (!acked(t))
            break;
    }
    assert_int_equal(completion(t).status, UET_STATUS_PDS_ERROR);
    return n;
}

static uint64_t nack_delay(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    nack(t, 0x07, t->start_psn, t->spdcid);
    return wait_of(t);
}

static uint64_t resends_by_nack(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    for (uint64_t n = 0;; n++) {
        nack(t, 0x07, t->start_psn, 0);
        if (counter(t->fep, "nack_exhausted"))
            return n;
        sleep_until_due(t);
        expect_request(t, t->start_psn, true);
    }
}

static bool from_5000(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                      uint32_t *wanted)
{
    (void)fep;
    (void)tss;
    *wanted = 5000;
    return start_psn == 5000;
}

static uint64_t pending_time(struct peer *t)
{
    t->fep->law.tss.start_ok = from_5000;
    t->start_psn = 100;
    REQ(.psn = 100, .opcode = UET_OP_NO_OP);
    take(t);
    return wait_of(t);
}

/* Of five PDCs that stay PENDING too long, those that are called suspect. */
static uint64_t suspects(struct peer *t)
{
    for (int i = 0; i < 5; i++) {
        pending_time(t);
        sleep_until_due(t);
        t->spdcid++;
    }
    return counter(t->fep, "pdc_pending_suspect");
}

static uint64_t clear_delay(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    ACK(.cack = t->start_psn - 1, .psn = t->start_psn, .opcode = UET_RSP_RESPONSE,
        .code = UET_RC_BAD_MKEY, .req = UET_ACK_REQ_CLEAR);
    uint64_t wait = 0;
    if (!acked(t)) {
        wait = wait_of(t);
        sleep_until_due(t);
        assert_true(acked(t));
    }
    assert_int_equal(counter(t->fep, "tx_clear_command"), 1);
    return wait;
}

static uint64_t close_request_time(struct peer *t)
{
    open_pdc(t, S0);
    uet_fep_close_request(t->fep, NULL, t->now);
    take(t);
    ACK(.cack = S0, .psn = S0, .none = true);
    return wait_of(t);
}

/* Resends of the last packet that come before its first RTO would. */
static uint64_t tail_resends(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    uint64_t n = 0;
    for (; wait_of(t) < 5 * MS; n++) {
        sleep_until_due(t);
        expect_request(t, t->start_psn, true);
    }
    return n;
}

static uint64_t close_delay(struct peer *t)
{
    fep_writes(t, 10);
    first(t);
    sleep_until_due(t);
    expect_request(t, t->start_psn, true);
    ACK(.cack = t->start_psn, .psn = t->start_psn, OK_RSP);
    uet_fep_close(t->fep, NULL, t->now);
    uint64_t wait = acked(t) ? 0 : wait_of(t);
    advance(t, wait);
    if (wait)
        assert_true(acked(t));
    assert_int_equal(counter(t->fep, "tx_close_command"), 1);
    return wait;
}

/* Is the PDC closed once its PSNs come near Start_PSN + 2^31? */
static uint64_t closes_far_out(struct peer *t)
{
    establish(t, 1);
    struct pdc *pdc = pdc_at(t->fep, t->dpdcid);
    pdc->start_psn -= INT32_MAX;
    fep_writes(t, 10);
    take(t);
    return pdc->state != PDC_ESTABLISHED;
}

/* ---- parameters ---- */

struct effect {
    const char *name;
    uint64_t (*story)(struct peer *);
    struct {
        uint64_t value, end;
    } at[2];
    const char *beside; /* another parameter that the story needs, or NULL */
    uint64_t value;
};

static const struct effect effects[] = {
    {"UET_Over_UDP", protocol, {{1, 17}, {0, 253}}, NULL, 0},
    {"UDP_Dest_Port", port, {{4793, 4793}, {5000, 5000}}, NULL, 0},
    {"IP_Proto_Nxt_Hdr", protocol, {{253, 253}, {254, 254}}, "UET_Over_UDP", 0},
    /* Ethernet 14, IPv4 20, UDP 8, PDS 12, SES 44, 10 bytes; CRC 4. */
    {"UET_Data_Protect", frame_length, {{0, 108}, {1, 112}}, NULL, 0},
    {"Limit_PSN_Range", closes_far_out, {{0, 0}, {1, 1}}, NULL, 0},
    {"Default_MPR", window, {{1, 128}, {2, 256}}, NULL, 0},
    {"Override_MPR_Zero_Value", window_of_mpr_0, {{0, 128}, {20, 20}}, NULL, 0},
    {"ACK_On_ECN", ack_of_ce, {{0, 0}, {1, 1}}, NULL, 0},
    {"Enb_ACK_Per_Pkt", ar_of_first, {{0, 0}, {1, 1}}, NULL, 0},
    {"ACK_Gen_Trigger", large_until_ack, {{8192, 2}, {16384, 4}}, NULL, 0},
    {"ACK_Gen_Min_Pkt_Add", small_until_ack, {{1024, 16}, {2048, 8}}, NULL, 0},
    {"RTO_Init_Time", first_timeout, {{5 * MS, 5 * MS}, {7 * MS, 7 * MS}}, NULL, 0},
    {"Max_RTO_Retx_Cnt", resends, {{0, 0}, {3, 3}}, NULL, 0},
    {"NACK_Retx_Time", nack_delay, {{1 * MS, 1 * MS}, {3 * MS, 3 * MS}}, NULL, 0},
    {"Max_NACK_Retx_Cnt", resends_by_nack, {{0, 0}, {2, 2}}, NULL, 0},
    {"New_PDC_Timeout_Thresh", suspects, {{0, 5}, {3, 2}}, NULL, 0},
    {"New_PDC_Time", pending_time, {{5 * MS, 5 * MS}, {50 * MS, 50 * MS}}, NULL, 0},
    {"PDS_Clear_Time", clear_delay, {{0, 0}, {3 * MS, 3 * MS}}, NULL, 0},
    {"Close_REQ_Time", close_request_time, {{0, UET_FEP_NEVER}, {20 * MS, 20 * MS}}, NULL, 0},
    {"Tail_Loss_Time", first_timeout, {{0, 5 * MS}, {2 * MS, 2 * MS}}, NULL, 0},
    {"Max_Tail_Loss_Retx", tail_resends, {{0, 0}, {3, 3}}, "Tail_Loss_Time", 1 * MS},
    {"Syn_Retx_Safety_Time", close_delay, {{0, 0}, {20 * MS, 20 * MS}}, NULL, 0},
};

static const struct effect *told;
static unsigned which;

static void configure(struct uet_fep_config *c)
{
    assert_int_equal(uet_fep_config_set(c, told->name, told->at[which].value), 0);
    if (told->beside)
        assert_int_equal(uet_fep_config_set(c, told->beside, told->value), 0);
}

static void test_effects(void **state)
{
    struct peer t;
    (void)state;
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        for (which = 0; which < 2; which++) {
            told = &effects[i];
            peer_init(&t, configure);
            uint64_t end = told->story(&t);
            if (end != told->at[which].end)
                fail_msg("%s = %llu: %llu instead of %llu", told->name,
                         (unsigned long long)told->at[which].value, (unsigned long long)end,
                         (unsigned long long)told->at[which].end);
            peer_free(&t);
        }
    }
}

/* Of the parameters that a FEP has by the table, none is missing above. */
static void test_all_there(void **state)
{
    /* Sizes of ACKs with read data, which come with the reads' own tests. */
    static const char *const elsewhere[] = {"Max_ACK_Data_Size", "Trimmable_ACK_Size"};
    struct uet_fep_param_info info;
    (void)state;
    for (size_t i = 0; uet_fep_param_info(i, &info); i++) {
        bool found = info.local;
        for (size_t j = 0; j < sizeof effects / sizeof *effects; j++)
            found |= !strcmp(effects[j].name, info.name);
        for (size_t j = 0; j < sizeof elsewhere / sizeof *elsewhere; j++)
            found |= !strcmp(elsewhere[j], info.name);
        if (!found)
            fail_msg("no test shows what %s does", info.name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_all_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
