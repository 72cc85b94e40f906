/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/writes.h"

#include <string.h>

#include "conformance/harness/context/context.h"

static bool is_part_of(const struct uet_in *in, const struct uet_ut_operation *op)
{
    const struct uet_packet *p = &in->packet;

    return !in->lost && p->error == UET_PARSE_OK && uet_is_ses_request(p) && uet_is_ses_std(p) &&
           uet_ses_req_opcode(uet_ses(p)) == UET_OP_WRITE &&
           uet_ses_req_match_bits_or_memory_key(uet_ses(p)) == op->key;
}

/* Notes in `have` which bytes of the message this packet brings. */
static void take_part(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                      const uint8_t *bytes, uint8_t *have, uint32_t length)
{
    const struct uet_packet *p = &in->packet;
    uint32_t at = uet_ses_req_som(uet_ses(p)) ? 0 : uet_ses_req_std_message_offset(uet_ses(p));
    uint32_t n = p->payload_len;
    bool right = at <= length && n <= length - at &&
                 memcmp(p->frame + p->payload_offset, bytes + at, n) == 0;

    uet_look_at(tc, in);
    uet_check(tc, requirement, right, "%u bytes at offset %u are not those of the message", n, at);
    if (right)
        memset(have + at, 1, n);
}

void bytes_came(struct uet_tc *tc, const char *requirement, const struct uet_ut_operation *op)
{
    uint8_t *have = uet_tc_alloc(tc, op->length), *bytes = uet_tc_alloc(tc, op->length);
    uint32_t missing = 0;

    uet_ut_pattern(bytes, op->length, 0, op->seed);
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (is_part_of(in, op))
            take_part(tc, requirement, in, bytes, have, op->length);
    for (uint32_t i = 0; i < op->length; i++)
        missing += !have[i];
    uet_look_at(tc, NULL);
    uet_check(tc, requirement, missing == 0, "the WRITE completed, and %u of its bytes never came",
              missing);
}
