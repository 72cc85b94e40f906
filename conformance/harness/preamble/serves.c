/* SPDX-License-Identifier: BSD-2-Clause */
/* Does the FEP serve as on its first day? What it is short of for a moment, it gets time for. */
#include <stdio.h>

#include "conformance/harness/preamble/preamble.h"

#define PACKETS 4 /* of the largest operation */
#define TRIES   4 /* of a packet that is refused for want of room, or lost */

/* How the check looks at the FEP, and says what it finds. */
struct look {
    struct uet_tc *tc;
    const char *requirement;
    enum uet_verdict worst; /* UET_FAIL: whatever the requirement's level */
    const struct uet_memory *region;
};

static void __attribute__((format(printf, 2, 3)))
lacks(const struct look *l, const char *format, ...)
{
    char why[200];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    if (l->worst == UET_FAIL) {
        uet_tc_worsen(l->tc, UET_FAIL, l->requirement, l->tc->current,
                      "%s: the FEP serves no longer as before: %s", l->requirement, why);
        uet_tc_leave(l->tc);
    }
    uet_check(l->tc, l->requirement, false, "the FEP serves no longer as before: %s", why);
}

#define MOST_RETRIES 10 /* 15 has no end (Table 3-28) */

/* How long a FEP asks a peer that is silent: its RTO, doubled with each resend (3.5.15). */
static uint64_t until_given_up(struct uet_tc *tc)
{
    uint64_t held = tc->session->held_rto_ns, rto, retries;

    if (!uet_tc_told(tc, "RTO_Init_Time", &rto) || !uet_tc_told(tc, "Max_RTO_Retx_Cnt", &retries) ||
        retries > MOST_RETRIES)
        return 0;
    return uet_tc_latest(tc, (held > rto ? held : rto) * ((2ull << retries) - 1));
}

/* By these a FEP lets go by itself of what is over. */
uint64_t uet_linger(struct uet_tc *tc)
{
    static const char *const timers[] = {"Close_REQ_Time", "Syn_Retx_Safety_Time", "New_PDC_Time"};
    uint64_t most = uet_tc_quiet(tc), told = until_given_up(tc), bound = 1000 * UET_MS;

    most = told > most ? told : most;

    for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++)
        if (uet_tc_told(tc, timers[i], &told) && uet_tc_latest(tc, told) > most)
            most = uet_tc_latest(tc, told);
    bool patient = uet_tc_virtual_time(tc) || tc->session->held_rto_ns;
    return most < bound || patient ? most : bound;
}

bool uet_short_of_room(const struct uet_in *in)
{
    static const uint8_t codes[] = {UET_NACK_NO_PDC_AVAIL,     UET_NACK_NO_CCC_AVAIL,
                                    UET_NACK_NO_BITMAP,        UET_NACK_NO_PKT_BUFFER,
                                    UET_NACK_NO_GTD_DEL_AVAIL, UET_NACK_NO_SES_MSG_AVAIL,
                                    UET_NACK_NO_RESOURCE};

    return uet_want_matches(
        &(struct uet_want){.kind = UET_WANT_NACK, .codes = codes, .n_codes = sizeof(codes)}, in);
}

/* An ACK that names or covers the packet, a NACK that names it. */
static bool answers(const struct uet_in *in, const void *ctx)
{
    const struct uet_out *o = ctx;
    const struct uet_packet *p = &in->packet;

    if (uet_packet_psn(p) == o->psn)
        return true;
    return uet_is_ack(p) && !uet_ack_p(uet_pds(p)) &&
           uet_psn_diff(uet_ack_cack_psn(uet_pds(p)), o->psn) >= 0;
}

const struct uet_in *uet_answered(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want want = {.kind = UET_WANT_ANSWER,
                                  .pdc = o->pdc,
                                  .also = answers,
                                  .ctx = o,
                                  .named = "an answer to that packet"};
    const struct uet_in *in;

    uet_send(tc, o);
    for (int i = 1; (!(in = uet_maybe(tc, &want, 0)) || uet_short_of_room(in)) && i < TRIES; i++) {
        uet_wait(tc, uet_linger(tc) << i);
        uet_resend(tc, o);
    }
    return in;
}

/* It was acknowledged and, where it says so, with success. */
static bool went_well(const struct look *l, const struct uet_out *o, const char *what)
{
    const struct uet_in *in = uet_answered(l->tc, o);

    if (!in)
        lacks(l, "no answer to %s", what);
    else if (uet_is_nack(&in->packet))
        lacks(l, "%s is refused with %s", what,
              uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(&in->packet))));
    else if (uet_is_ses_response(&in->packet) &&
             uet_ses_rsp_return_code(uet_ses(&in->packet)) > UET_RC_OK)
        lacks(
            l, "%s is answered with %s", what,
            uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(uet_ses(&in->packet))));
    else
        return true;
    return false;
}

static bool close_again(const struct look *l, struct uet_pdc *p)
{
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);

    return went_well(l, &close, "a Close Command");
}

/* The sanity exchange: open, one Request, close. */
static bool exchanges(const struct look *l)
{
    struct uet_pdc *p = uet_pdc_new(l->tc);
    struct uet_out syn = uet_any_request(p);

    if (!went_well(l, &syn, "a SYN"))
        return false;
    struct uet_out second = uet_any_request(p);
    return went_well(l, &second, "a Request") && close_again(l, p);
}

static bool brings_data(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return uet_is_ses_response_data(&in->packet) && !in->retransmission;
}

const struct uet_in *uet_data_answered(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want data = {.pdc = o->pdc, .also = brings_data, .named = "read data"};
    const struct uet_want nack = {
        .kind = UET_WANT_NACK, .pdc = o->pdc, .with_psn = true, .psn = o->psn};
    const struct uet_in *in;

    uet_send(tc, o);
    for (int i = 1; !(in = uet_maybe(tc, &data, 0)) && i < TRIES; i++) {
        while (uet_maybe(tc, &nack, UET_US))
            ;
        uet_wait(tc, uet_linger(tc) << i);
        uet_resend(tc, o);
    }
    return in;
}

static bool data_came(const struct look *l, const struct uet_out *o)
{
    if (uet_data_answered(l->tc, o))
        return true;
    lacks(l, "no data comes for a READ");
    return false;
}

/* An operation of several packets, one after the other: no more at once than any FEP takes. */
static bool operates(const struct look *l, uint8_t opcode, const struct uet_memory *m, uint32_t n)
{
    struct uet_pdc *p = uet_pdc_new(l->tc);
    struct uet_out syn = uet_any_request(p), o[PACKETS];

    if (!went_well(l, &syn, "a SYN"))
        return false;
    size_t packets = uet_message(
        p, opcode, m, 0, opcode == UET_OP_READ ? NULL : uet_tc_bytes(l->tc, n), n, o, PACKETS);
    for (size_t i = 0; i < packets; i++) {
        uet_rud_rod_req_ar_set(o[i].pds, true);
        if (opcode == UET_OP_READ ? !data_came(l, &o[i])
                                  : !went_well(l, &o[i], "a packet of a long message"))
            return false;
    }
    return close_again(l, p);
}

/* The largest operation: as many packets as there is memory for. */
static uint32_t largest(const struct uet_tc *tc)
{
    const struct uet_dut *dut = tc->session->dut;
    uint32_t n = PACKETS * (uint32_t)dut->payload_mtu, declared = 0;

    if (tc->session->ut)
        return n;
    for (size_t i = 0; i < dut->n_memory; i++)
        if (!dut->memory[i].no_write && dut->memory[i].length > declared)
            declared = dut->memory[i].length;
    return declared < n ? declared : n;
}

static bool claims(const struct look *l, enum uet_pics_item item)
{
    return l->tc->session->dut->claims[item];
}

static bool with_memory(const struct look *l)
{
    struct uet_tc *tc = l->tc;
    uint32_t n = l->region ? l->region->length : largest(tc);

    if (n == 0 || !(claims(l, UET_PICS_WRITE) || claims(l, UET_PICS_READ)))
        return true;
    struct uet_memory m = l->region ? *l->region : uet_need_memory(tc, n);
    n = n < PACKETS * (uint32_t)tc->session->dut->payload_mtu
            ? n
            : PACKETS * (uint32_t)tc->session->dut->payload_mtu;
    return (!claims(l, UET_PICS_WRITE) || operates(l, UET_OP_WRITE, &m, n)) &&
           (!claims(l, UET_PICS_READ) || operates(l, UET_OP_READ, &m, n));
}

/*
 * The FEP as initiator: a WRITE of several packets to the tester. What it puts on a PDC of a test
 * that is over has nobody to answer it, and fails by right: then once more.
 */
static void writes(const struct look *l)
{
    struct uet_tc *tc = l->tc;
    struct uet_ut_operation op = uet_op(tc, PACKETS * (uint32_t)tc->session->dut->payload_mtu);
    struct uet_ut_completion c = {0};
    bool done = false;

    tc->accepting = true;
    for (int i = 0; i < TRIES; i++) {
        uint64_t handle = uet_do_write(tc, &op);

        done = uet_completion(tc, handle, 0, &c) ||
               uet_completion(tc, handle, uet_linger(tc) << i, &c);
        if (done && c.status == UET_UT_OK)
            return;
    }
    if (!done)
        lacks(l, "a WRITE of the FEP's does not complete");
    else
        lacks(l, "WRITEs of the FEP's fail");
}

void uet_serves(struct uet_tc *tc, const char *requirement, enum uet_verdict worst,
                const struct uet_memory *region)
{
    const struct look l = {tc, requirement, worst, region};

    uet_for(tc, requirement);
    uet_auto_ack(tc, true);
    uet_forget_settled(tc);
    if (tc->session->dut->claims[UET_PICS_RUD] && uet_has_any_request(tc->session) &&
        !(exchanges(&l) && with_memory(&l)))
        return;
    if (tc->test->role == UET_ROLE_INITIATOR)
        writes(&l);
}
