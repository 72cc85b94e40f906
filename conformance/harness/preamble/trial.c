/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a file says may be wrong: each memory region and receive buffer that fep.yaml names is tried
 * before tests build on it.
 */
#include <stdio.h>

#include "conformance/harness/preamble/preamble.h"

#define TRIAL_BYTES 64 /* of the region's end: they are in it if its length is right */
#define TRIES       3  /* a packet may be lost */
#define SENDS       2  /* a buffer is posted anew when it was used */

static bool only_arrived(const struct uet_in *in)
{
    return uet_is_ack(&in->packet) && uet_is_ses_response(&in->packet) &&
           uet_ses_rsp_opcode(uet_ses(&in->packet)) == UET_RSP_NO_RESPONSE;
}

/* The NACK, or the ACK that says what became of the packet; else one of its arrival (3.4.3.6.2). */
static const struct uet_in *trial_answer(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want want = {
        .kind = UET_WANT_ANSWER, .pdc = o->pdc, .with_psn = true, .psn = o->psn};
    const struct uet_in *in;

    uet_send(tc, o);
    for (int i = 1; i < TRIES && !(in = uet_maybe(tc, &want, 0)); i++)
        uet_resend(tc, o);
    if (!in)
        in = uet_maybe(tc, &want, 0);
    for (const struct uet_in *next = in; next && only_arrived(next);) {
        next = uet_maybe(tc, &want, 0);
        in = next ? next : in;
    }
    return in;
}

/* Notes in the entry what is wrong with it, if anything is. */
static void try_packet(struct uet_tc *tc, const struct uet_out *o, const char *what,
                       struct uet_entry *entry)
{
    const struct uet_in *in = trial_answer(tc, o);
    const struct uet_packet *p = in ? &in->packet : NULL;
    uint8_t code = p && uet_is_ses_response(p) ? uet_ses_rsp_return_code(uet_ses(p)) : UET_RC_NULL;

    if (!p)
        snprintf(entry->wrong, sizeof(entry->wrong), "%s got no answer", what);
    else if (!uet_is_ack(p))
        snprintf(entry->wrong, sizeof(entry->wrong), "%s got NACK %s", what,
                 uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(p))));
    else if (code != UET_RC_OK && code != UET_RC_NULL)
        snprintf(entry->wrong, sizeof(entry->wrong), "%s was refused with %s", what,
                 uet_enum_name(UET_ENUM_SES_RETURN_CODE, code));
}

static void judge(struct uet_tc *tc, unsigned line, const struct uet_entry *entry)
{
    if (entry->wrong[0])
        uet_inconc(tc, "%s:%u: %s: the file or the FEP is wrong", tc->session->dut->path, line,
                   entry->wrong);
}

static void skip_trial(struct uet_tc *tc, const char *kind, size_t n)
{
    if (tc->session->ut)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED,
                     "the upper tester makes what tests need: '%s' of fep.yaml is not used", kind);
    if (n == 0)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "nothing stands ready (fep.yaml: %s)", kind);
}

void uet_try_declared_memory(struct uet_tc *tc)
{
    static const uint8_t data[TRIAL_BYTES];
    const struct uet_dut *dut = tc->session->dut;
    const struct uet_dut_memory *d = &dut->memory[tc->test->entry];
    struct uet_entry *entry = &tc->session->memory[tc->test->entry];

    skip_trial(tc, "memory", dut->n_memory);
    struct uet_memory m = uet_declared_as_memory(d);
    uint32_t n = m.length < TRIAL_BYTES ? m.length : TRIAL_BYTES;
    bool write = dut->claims[UET_PICS_WRITE] && !d->no_write;

    if (!write && !dut->claims[UET_PICS_READ])
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "the FEP claims nothing that could use %s:%u",
                     dut->path, d->line);
    *entry = (struct uet_entry){0};
    uet_tc_join(tc, d->job_id);
    struct uet_pdc *p = uet_pdc_new(tc);
    /* Read data may come by itself, in a Request of the return direction (3.5.20). */
    if (!write)
        uet_tolerate(tc, &(struct uet_want){.kind = UET_WANT_REQUEST, .pdc = p});
    struct uet_out o =
        write ? uet_write(p, &m, m.length - n, data, n) : uet_read(p, &m, m.length - n, n);
    try_packet(tc, &o, write ? "a WRITE of its last bytes" : "a READ of its last bytes", entry);
    judge(tc, d->line, entry);
}

void uet_try_declared_receives(struct uet_tc *tc)
{
    const struct uet_dut *dut = tc->session->dut;
    const struct uet_dut_receive *d = &dut->receives[tc->test->entry];
    struct uet_entry *entry = &tc->session->receives[tc->test->entry];

    skip_trial(tc, "receives", dut->n_receives);
    struct uet_memory m = uet_declared_as_receive(d);
    uint32_t n = m.length < dut->payload_mtu ? m.length : dut->payload_mtu;
    uet_tc_join(tc, d->job_id);
    struct uet_pdc *p = uet_pdc_new(tc);

    *entry = (struct uet_entry){0};
    for (int i = 0; i < SENDS && !entry->wrong[0]; i++) {
        if (i > 0 && p->fep_pdcid == 0)
            p = uet_pdc_new(tc); /* the FEP took no PDC for the first one */
        struct uet_out o = uet_send_message(p, &m, uet_tc_alloc(tc, n), n);
        try_packet(tc, &o, i == 0 ? "a SEND" : "a second SEND", entry);
    }
    judge(tc, d->line, entry);
}
