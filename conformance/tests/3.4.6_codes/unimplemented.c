/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.6.2: opcodes that the FEP does not claim, as its profile (3.3.1) may go without them. */
#include <string.h>

#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/rendezvous.h"
#include "conformance/harness/steps/requests.h"

enum kind { PLAIN, READS, ATOMIC, RENDEZVOUS };

/* An opcode: it is claimed with these items, or with pairs of operation and datatype. */
static const struct row {
    uint8_t opcode, kind;
    uint8_t claim, and_claim;
} rows[] = {
    {UET_OP_READ, READS, UET_PICS_READ, UET_PICS_READ},
    {UET_OP_ATOMIC, ATOMIC, UET_PICS_COUNT, UET_PICS_COUNT},
    {UET_OP_FETCHING_ATOMIC, ATOMIC, UET_PICS_COUNT, UET_PICS_COUNT},
    {UET_OP_RENDEZVOUS_SEND, RENDEZVOUS, UET_PICS_RENDEZVOUS, UET_PICS_RENDEZVOUS},
    {UET_OP_DEFERRABLE_RTR, PLAIN, UET_PICS_DEFERRAL, UET_PICS_DEFERRAL},
    {UET_OP_TAGGED_SEND, PLAIN, UET_PICS_TAGGED, UET_PICS_TAGGED},
    {UET_OP_RENDEZVOUS_TSEND, RENDEZVOUS, UET_PICS_RENDEZVOUS, UET_PICS_TAGGED},
    /* without deferral a tagged send like any other (3.4.3.4) */
    {UET_OP_DEFERRABLE_TSEND, PLAIN, UET_PICS_TAGGED, UET_PICS_TAGGED},
    {UET_OP_TSEND_ATOMIC, ATOMIC, UET_PICS_TAGGED_ATOMICS, UET_PICS_TAGGED_ATOMICS},
    {UET_OP_TSEND_FETCH_ATOMIC, ATOMIC, UET_PICS_TAGGED_ATOMICS, UET_PICS_TAGGED_ATOMICS},
};

static bool is_claimed(const struct uet_dut *dut, const struct row *row)
{
    const uint32_t *pairs =
        row->opcode == UET_OP_ATOMIC ? dut->atomics.plain : dut->atomics.fetching;
    bool any = false;

    if (row->claim < UET_PICS_COUNT)
        return dut->claims[row->claim] && dut->claims[row->and_claim];
    for (size_t i = 0; i < UET_ATOMIC_OPS; i++)
        any |= pairs[i];
    return any;
}

/* What the opcode would be addressed to: good, as far as the FEP has such a space of RIs. */
static struct uet_memory address_for(struct uet_tc *tc, uint8_t opcode,
                                     const struct uet_memory *rma)
{
    const bool *claims = uet_tc_dut(tc)->claims;

    switch (opcode) {
    case UET_OP_READ:
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
        return *rma;
    case UET_OP_RENDEZVOUS_SEND:
    case UET_OP_DEFERRABLE_RTR:
        return claims[UET_PICS_SEND] && uet_tc_ut(tc) ? uet_need_receive(tc, 64, 1) : *rma;
    default:
        return claims[UET_PICS_TAGGED] && uet_tc_ut(tc) ? uet_need_tagged(tc) : *rma;
    }
}

static struct uet_out request(struct uet_pdc *p, const struct row *row, const struct uet_memory *m)
{
    const struct uet_atomic sum = {.amo = UET_AMO_SUM,
                                   .datatype = UET_TYPE_UINT64,
                                   .operand = "addition",
                                   .n = 8,
                                   .plain = true};
    struct uet_out o = row->kind == READS    ? uet_read(p, m, 0, 8)
                       : row->kind == ATOMIC ? uet_atomic(p, m, 0, &sum)
                                             : uet_write(p, m, 0, "anything", 8);

    if (row->kind == RENDEZVOUS) { /* all of it is eager */
        memset(o.ses + o.ses_len, 0, UET_SES_EXT_RENDEZVOUS_BYTES);
        uet_ses_ext_rendezvous_eager_length_set(o.ses + o.ses_len, 8);
        o.ses_len += UET_SES_EXT_RENDEZVOUS_BYTES;
    }
    uet_ses_req_opcode_set(o.ses, row->opcode);
    return o;
}

/* Of a FEP that has the opcode, and lacks what this request is about: a receive, a deferred send.
 */
static bool is_of_its_address(uint8_t code)
{
    return code == UET_RC_BAD_INDEX || code == UET_RC_NO_MATCH || code == UET_RC_OP_VIOLATION;
}

/* False: the FEP executes it, and so has it: its claims are wrong, and nothing else need be. */
static bool is_not_done(struct uet_tc *tc, const struct uet_out *o, uint8_t opcode)
{
    const char *name = uet_enum_name(UET_ENUM_SES_REQ_OPCODE, opcode);
    const struct uet_in *in = ask(tc, "SES-025", o);

    if (!is_error_response(in))
        uet_other_reading(tc, "SES-025", "%s is not claimed, and was done", name);
    else if (is_of_its_address(code_told(in))) /* what comes first is not public */
        uet_other_reading(tc, "SES-025", "%s is not claimed: %s", name,
                          uet_enum_name(UET_ENUM_SES_RETURN_CODE, code_told(in)));
    else
        uet_check_return_code(tc, "SES-025", in, UET_RC_UNSUPPORTED_OP);
    return is_error_response(in);
}

UET_TEST(not_implemented, .id = "ses.3.4.6.2.opcodes-not-implemented", .requirements = "SES-025",
         .role = UET_ROLE_TARGET,
         .needs = "write upper-tester", /* what it begins it could not be made to forget */
         .purpose = "An opcode that the FEP does not implement is RC_UNSUPPORTED_OP.",
         .preamble = "PDC open.",
         .stimulus = "Each opcode that fep.yaml does not claim, in a request that is right else: "
                     "READ, atomics, tagged, rendezvous and deferrable tagged sends, "
                     "UET_DEFERRABLE_RTR, tagged atomics.",
         .expected = "UET_RESPONSE with RC_UNSUPPORTED_OP each time, and nothing is written. One "
                     "that is done all the same, or gets RC_BAD_INDEX, RC_NO_MATCH or "
                     "RC_OP_VIOLATION, is a finding.")
{
    struct uet_memory rma = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept k = keep(tc, &rma, 0, 64);
    size_t n = 0;
    bool none_done = true;

    tolerate(tc, REQUEST_ON(NULL)); /* what it fetches, if it does it all the same */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (is_claimed(uet_tc_dut(tc), &rows[i]))
            continue;
        struct uet_memory m = address_for(tc, rows[i].opcode, &rma);
        struct uet_out o = request(p, &rows[i], &m);
        none_done &= is_not_done(tc, &o, rows[i].opcode);
        n++;
    }
    if (!n)
        uet_skip(tc, "the FEP claims every opcode");
    if (none_done)
        unchanged(tc, "SES-025", &k);
}
