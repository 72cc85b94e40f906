/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What fep.yaml says stands ready at a FEP without upper tester: memory regions and receive
 * buffers. What a file says may be wrong, so that each entry is tried before tests build on it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/context/tc_internal.h"
#include "conformance/harness/run/runner.h"

#define TRIAL_BYTES 64 /* of the region's end: they are in it if its length is right */
#define TRIES       3  /* a packet may be lost */
#define SENDS       2  /* a buffer is posted anew when it was used */

static struct uet_memory as_memory(const struct uet_dut_memory *d)
{
    return (struct uet_memory){.job_id = d->job_id,
                               .pid_on_fep = d->pid_on_fep,
                               .resource_index = d->resource_index,
                               .ri_generation = d->ri_generation,
                               .relative = d->relative,
                               .key = d->key,
                               .length = d->length};
}

static struct uet_memory as_receive(const struct uet_dut_receive *d)
{
    return (struct uet_memory){.job_id = d->job_id,
                               .pid_on_fep = d->pid_on_fep,
                               .resource_index = d->resource_index,
                               .ri_generation = d->ri_generation,
                               .relative = d->relative,
                               .length = d->length};
}

/* ---- use ---- */

static _Noreturn void none_works(struct uet_tc *tc, const char *kind, unsigned line,
                                 const struct uet_entry *entry)
{
    uet_inconc(tc, "%s:%u: this entry of '%s' did not stand its own test: %s",
               tc->session->dut->path, line, kind, entry->wrong);
}

struct uet_memory uet_declared_memory(struct uet_tc *tc, uint32_t length)
{
    const struct uet_dut *dut = tc->session->dut;
    size_t bad = dut->n_memory;

    for (size_t i = 0; i < dut->n_memory; i++) {
        const struct uet_dut_memory *d = &dut->memory[i];

        if (d->no_write || d->length < length)
            continue;
        if (!tc->session->memory[i].wrong[0])
            return as_memory(d);
        bad = i;
    }
    if (bad < dut->n_memory)
        none_works(tc, "memory", dut->memory[bad].line, &tc->session->memory[bad]);
    uet_skip_for(tc, UET_SKIP_PARAMETER, "no writable memory of %u bytes (fep.yaml: memory)",
                 length);
}

struct uet_memory uet_declared_receive(struct uet_tc *tc, uint32_t length)
{
    const struct uet_dut *dut = tc->session->dut;
    size_t bad = dut->n_receives;

    for (size_t i = 0; i < dut->n_receives; i++) {
        const struct uet_dut_receive *d = &dut->receives[i];

        if (d->length < length)
            continue;
        if (!tc->session->receives[i].wrong[0])
            return as_receive(d);
        bad = i;
    }
    if (bad < dut->n_receives)
        none_works(tc, "receives", dut->receives[bad].line, &tc->session->receives[bad]);
    uet_skip_for(tc, UET_SKIP_PARAMETER, "no receive buffers of %u bytes (fep.yaml: receives)",
                 length);
}

/* ---- trial ---- */

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
    struct uet_memory m = as_memory(d);
    uint32_t n = m.length < TRIAL_BYTES ? m.length : TRIAL_BYTES;
    bool write = dut->claims[UET_PICS_WRITE] && !d->no_write;

    if (!write && !dut->claims[UET_PICS_READ])
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "the FEP claims nothing that could use %s:%u",
                     dut->path, d->line);
    *entry = (struct uet_entry){0};
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
    struct uet_memory m = as_receive(d);
    uint32_t n = m.length < dut->payload_mtu ? m.length : dut->payload_mtu;
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

/* ---- a test for each entry ---- */

static size_t entries_of(const struct uet_test *test, const struct uet_session *session)
{
    if (session->ut)
        return 0; /* they are not used */
    return test->by_entry == UET_ENTRY_MEMORY     ? session->dut->n_memory
           : test->by_entry == UET_ENTRY_RECEIVES ? session->dut->n_receives
                                                  : 0;
}

/* The copies stand behind the pointers, their names behind them: one block, one free. */
const struct uet_test **uet_each_entry(const struct uet_test **tests, size_t *n,
                                       const struct uet_session *session,
                                       const struct uet_selection *selection)
{
    size_t copies = 0, count = 0;
    struct one {
        struct uet_test test;
        char id[UET_TEST_ID];
    } * copy;

    for (size_t i = 0; i < *n; i++)
        copies += entries_of(tests[i], session);
    if (copies == 0)
        return tests;
    const struct uet_test **all = malloc((*n + copies) * sizeof(*all) + copies * sizeof(*copy));
    copy = (struct one *)(void *)(all + (all ? *n + copies : 0));
    for (size_t i = 0; all && i < *n; i++) {
        size_t entries = entries_of(tests[i], session);

        if (entries == 0)
            all[count++] = tests[i];
        for (size_t k = 0; k < entries; k++) {
            snprintf(copy->id, sizeof(copy->id), "%s.%zu", tests[i]->id, k + 1);
            if (!uet_selection_calls(selection, tests[i]->id) &&
                !uet_selection_calls(selection, copy->id))
                continue;
            copy->test = *tests[i];
            copy->test.id = copy->id;
            copy->test.entry = (uint8_t)k;
            all[count++] = &copy++->test;
        }
    }
    free(tests);
    *n = count;
    return all;
}
