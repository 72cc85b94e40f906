/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2: what a FEP sends in each form that it has: header, operation, delivery mode. */
#include <string.h>

#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/atomics.h"
#include "conformance/tests/rudi.h"

#define BYTES 16u
#define TAG   0x8123456789abcdefu

/* A way to send, and what it needs the FEP to claim. */
struct way {
    const char *name, *verb;
    int (*start)(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
    uint8_t opcode; /* what must stand in the Request */
    uint8_t mode, header;
    uint8_t claims[3];
    size_t n_claims;
};

#define WAY(words, verb_of, op, on, form, ...)                                                     \
    {                                                                                              \
        .name = (words), .verb = #verb_of, .start = uet_ut_##verb_of, .opcode = UET_OP_##op,       \
        .mode = UET_UT_MODE_##on, .header = UET_UT_HEADER_##form, .claims = {__VA_ARGS__},         \
        .n_claims = sizeof((const uint8_t[]){__VA_ARGS__})                                         \
    }

#define SMALL  UET_PICS_SMALL_HEADER
#define MEDIUM UET_PICS_MEDIUM_HEADER

static const struct way ways[] = {
    WAY("WRITE on ROD", write, WRITE, ROD, STD, UET_PICS_WRITE, UET_PICS_ROD),
    WAY("medium WRITE", write, WRITE, RUD, MEDIUM, UET_PICS_WRITE, MEDIUM),
    WAY("small WRITE", write, WRITE, RUD, SMALL, UET_PICS_WRITE, SMALL),
    WAY("WRITE over RUDI", write, WRITE, RUDI, STD, UET_PICS_WRITE, UET_PICS_RUDI),
    WAY("medium WRITE over RUDI", write, WRITE, RUDI, MEDIUM, UET_PICS_RUDI, MEDIUM),
    WAY("small WRITE over RUDI", write, WRITE, RUDI, SMALL, UET_PICS_RUDI, SMALL),
    WAY("SEND", send, SEND, RUD, STD, UET_PICS_SEND),
    WAY("SEND on ROD", send, SEND, ROD, STD, UET_PICS_SEND, UET_PICS_ROD),
    WAY("medium SEND", send, SEND, RUD, MEDIUM, UET_PICS_SEND, MEDIUM),
    WAY("small SEND", send, SEND, RUD, SMALL, UET_PICS_SEND, SMALL),
    WAY("medium SEND on ROD", send, SEND, ROD, MEDIUM, UET_PICS_SEND, MEDIUM, UET_PICS_ROD),
    WAY("tagged SEND", tagged_send, TAGGED_SEND, RUD, STD, UET_PICS_TAGGED),
    WAY("tagged SEND on ROD", tagged_send, TAGGED_SEND, ROD, STD, UET_PICS_TAGGED, UET_PICS_ROD),
    WAY("medium tagged SEND", tagged_send, TAGGED_SEND, RUD, MEDIUM, UET_PICS_TAGGED, MEDIUM),
    WAY("deferrable SEND", deferrable_send, DEFERRABLE_SEND, RUD, STD, UET_PICS_DEFERRAL),
    WAY("deferrable tagged SEND", deferrable_tagged_send, DEFERRABLE_TSEND, RUD, STD,
        UET_PICS_DEFERRAL, UET_PICS_TAGGED),
    WAY("datagram", send, DATAGRAM_SEND, UUD, STD, UET_PICS_UUD),
    WAY("medium datagram", send, DATAGRAM_SEND, UUD, MEDIUM, UET_PICS_UUD, MEDIUM),
    WAY("small datagram", send, DATAGRAM_SEND, UUD, SMALL, UET_PICS_UUD, SMALL),
};

static bool is_tagged(const struct way *w)
{
    return w->opcode == UET_OP_TAGGED_SEND || w->opcode == UET_OP_DEFERRABLE_TSEND;
}

static bool is_claimed(struct uet_tc *tc, const struct way *w)
{
    for (size_t i = 0; i < w->n_claims; i++) {
        if (!uet_tc_dut(tc)->claims[w->claims[i]])
            return false;
    }
    return true;
}

/* Does hello tell the verb? One that tells nothing is asked, which ends the test as error. */
static bool is_known(struct uet_tc *tc, const char *verb)
{
    return uet_ut_has_verb(uet_tc_ut(tc), verb) != 0;
}

static bool can_be_asked(struct uet_tc *tc, const struct way *w)
{
    const bool told = w->mode == UET_UT_MODE_RUD || uet_ut_has_mode(uet_tc_ut(tc), w->mode) != 0;

    return told && is_known(tc, w->verb);
}

static struct uet_ut_operation op_of(struct uet_tc *tc, const struct way *w, uint32_t length)
{
    struct uet_ut_operation op = uet_op(tc, length);

    op.mode = w->mode;
    op.header = w->header;
    if (is_tagged(w))
        op.key = TAG;
    else if (w->header == UET_UT_HEADER_SMALL)
        op.key = 1ull << 62 | op.resource_index; /* optimized (Table 2-13) */
    if (w->mode == UET_UT_MODE_RUDI)
        op.key |= 1ull << 63; /* idempotent_safe */
    return op;
}

/* Its first packet, NULL: it is refused, as what is asked for may be. */
static const struct uet_in *starts(struct uet_tc *tc, const char *requirement, const struct way *w,
                                   const struct uet_ut_operation *op)
{
    uint64_t handle;

    if (!uet_tries(tc, op, w->verb, w->start, &handle))
        return NULL;
    uet_for(tc, requirement);
    if (w->mode == UET_UT_MODE_UUD)
        return hear(tc, requirement, DATAGRAM);
    if (w->mode != UET_UT_MODE_RUDI)
        return hear(tc, requirement, REQUEST_ON(NULL));
    const struct uet_in *in = rudi_request(tc);
    answer_rudi(tc, in);
    return in;
}

/* Has it seen what it is for? */
typedef bool check_function(struct uet_tc *tc, const struct way *w, struct uet_ut_operation *op);

/* Is the check of this one? */
typedef bool pick_function(const struct way *w);

static bool any_way(const struct way *w)
{
    (void)w;
    return true;
}

/* Each that is picked, that the FEP claims and its upper tester can be asked for. */
static void in_each_way(struct uet_tc *tc, pick_function *pick, check_function *check)
{
    unsigned claimed = 0, seen = 0;

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!pick(&ways[i]) || !is_claimed(tc, &ways[i]))
            continue;
        struct uet_ut_operation op = op_of(tc, &ways[i], BYTES);
        claimed++;
        seen += can_be_asked(tc, &ways[i]) && check(tc, &ways[i], &op);
    }
    if (claimed == 0)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "none of these forms is claimed");
    if (seen == 0)
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester takes none of these forms");
}

/* The header that next_hdr names is there, behind it all bytes; and what stands in it. */
static bool is_well_formed(struct uet_tc *tc, const struct way *w, struct uet_ut_operation *op)
{
    const struct uet_in *in = starts(tc, "SES-005", w, op);

    if (!in)
        return false;
    field(tc, w->mode == UET_UT_MODE_UUD ? "SES-038" : "SES-005", in, UET_F_SES_OPCODE, w->opcode);
    field(tc, "SES-005", in, UET_F_SES_REQUEST_LENGTH, BYTES);
    uet_check_eq(tc, "SES-005", "bytes behind the header that next_hdr names",
                 in->packet.payload_len, BYTES);
    field(tc, "SES-001", in, UET_F_SES_VERSION, 0);
    field(tc, "SES-104", in, UET_F_SES_RI_GENERATION, 0);
    if (is_tagged(w))
        check_initiator(tc, "SES-095", in);
    return true;
}

UET_TEST(each_form_sent, .id = "ses.3.4.2.6.each-form-that-is-sent",
         .requirements = "SES-005 SES-001 SES-104 SES-095 SES-038", .role = UET_ROLE_INITIATOR,
         .purpose = "next_hdr names the header that follows, in whatever form a FEP sends.",
         .preamble = "None.",
         .stimulus = "The FEP sends 16 bytes in each form that it claims: WRITEs on ROD and over "
                     "RUDI, sends, tagged and deferrable sends, datagrams; with the small and the "
                     "medium header. No generation is given.",
         .expected = "The opcode, request_length 16, and 16 bytes behind the header; version 0, "
                     "ri_generation 0; the initiator ID in tagged ones. A refusal is as good.")
{
    in_each_way(tc, any_way, is_well_formed);
}

/* What goes with it, as far as its form has a place for that: the watch over operations judges. */
static bool carries_options(struct uet_tc *tc, const struct way *w, struct uet_ut_operation *op)
{
    const bool data = w->header != UET_UT_HEADER_SMALL && w->mode != UET_UT_MODE_RUDI;

    op->pid_on_fep = 0xa51;
    op->delivery_complete = w->mode != UET_UT_MODE_UUD;
    op->has_header_data = data;
    op->header_data = data ? 0xfedcba9876543210 : 0;
    op->offset = data ? 0 : op->offset; /* a medium header has one place for both */
    return starts(tc, "ROB-042", w, op);
}

UET_TEST(each_form_with_options, .id = "rob.3.4.1.3.each-form-carries-what-was-asked",
         .requirements = "ROB-042 SES-067 SES-069", .role = UET_ROLE_INITIATOR,
         .purpose = "Each form that a FEP sends has the address and the options asked for.",
         .preamble = "None.",
         .stimulus = "The FEP sends 16 bytes in each form that it claims, with dc=1 (not over UUD) "
                     "and header data (not with the small header, nor over RUDI).",
         .expected = "PIDonFEP and the other numbers as asked for, dc=1, hd=1 and all 64 bits of "
                     "the header data. A refusal is as good.")
{
    in_each_way(tc, any_way, carries_options);
}

/* A datagram has but one packet (SES-036). */
static bool is_short_message(const struct way *w)
{
    return w->header != UET_UT_HEADER_STD && w->mode != UET_UT_MODE_UUD;
}

/* More than a packet: refused, or under a standard header. */
static bool is_not_longer(struct uet_tc *tc, const struct way *w, struct uet_ut_operation *op)
{
    op->length = uet_tc_dut(tc)->payload_mtu + 1u;
    const struct uet_in *in = starts(tc, "SES-016", w, op);
    if (!in)
        return true;
    if (!uet_check(tc, "SES-016", uet_is_ses_std(&in->packet),
                   "%s: a short header for more than a Payload MTU", w->name))
        return true;
    if (w->mode == UET_UT_MODE_RUDI)
        answer_rudi(tc, rudi_request(tc));
    else if (in->packet.ext == UET_H_SES_EXT_RENDEZVOUS) /* its peer may read the rest */
        (void)maybe(tc, REQUEST_ON(in->pdc));
    else
        hear(tc, "SES-009", REQUEST_ON(in->pdc));
    return true;
}

UET_TEST(no_short_form_longer, .id = "ses.3.4.2.2.short-headers-of-more-than-a-payload-mtu",
         .requirements = "SES-016", .role = UET_ROLE_INITIATOR,
         .purpose = "No short header carries more than a Payload MTU, whatever the operation.",
         .preamble = "None.",
         .stimulus = "The FEP is asked to send one Payload MTU and a byte with the small and the "
                     "medium header: SENDs (also on ROD), tagged sends, WRITEs over RUDI.",
         .expected = "A refusal, or a standard header.")
{
    in_each_way(tc, is_short_message, is_not_longer);
}

/* The two packets of a READ, of which a FEP may keep one outstanding. */
static void serve_both(struct uet_tc *tc, const struct uet_in *in, uint64_t handle, uint32_t n)
{
    const uint8_t *bytes = uet_tc_bytes(tc, n);
    struct uet_ut_completion done;
    struct uet_out first = uet_return_data(in->pdc, in, bytes);
    say(tc, &first);
    in = hear(tc, "SES-071", REQUEST_ON(NULL));
    struct uet_out second = uet_return_data(in->pdc, in, bytes);
    say(tc, &second);
    (void)uet_completion(tc, handle, uet_tc_latest(tc, UET_MS), &done);
}

/* The header of a READ says how much is asked for; its data is that of the tester's. */
static void reads_more(struct uet_tc *tc, uint8_t header)
{
    struct uet_ut_operation op = uet_op(tc, uet_tc_dut(tc)->payload_mtu + 1u);
    uint64_t handle;

    op.header = header;
    if (header == UET_UT_HEADER_SMALL)
        op.key = 1ull << 62 | op.resource_index;
    if (!uet_tries(tc, &op, "read", uet_ut_read, &handle))
        return;
    const struct uet_in *in = hear(tc, "SES-016", REQUEST_ON(NULL));
    if (uet_check(tc, "SES-016", uet_is_ses_std(&in->packet),
                  "a short header asks for more than a Payload MTU"))
        serve_both(tc, in, handle, op.length);
    else
        in->pdc->auto_close = false; /* its READ is not served */
}

UET_TEST(short_read_longer, .id = "ses.3.4.2.2.short-read-of-more-than-a-payload-mtu",
         .requirements = "SES-016", .role = UET_ROLE_INITIATOR, .needs = "read",
         .purpose = "No short header asks for more than a Payload MTU.", .preamble = "None.",
         .stimulus = "The FEP is asked to read one Payload MTU and a byte with the small and the "
                     "medium header, as far as it claims them.",
         .expected = "A refusal, or a standard header.")
{
    const bool *claims = uet_tc_dut(tc)->claims;
    if (!claims[SMALL] && !claims[MEDIUM])
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "no short header is claimed");
    if (claims[SMALL])
        reads_more(tc, UET_UT_HEADER_SMALL);
    if (claims[MEDIUM])
        reads_more(tc, UET_UT_HEADER_MEDIUM);
}

UET_TEST(small_read_for_who_knows_it, .id = "ses.3.4.2.2.small-read-for-who-knows-it",
         .requirements = "SES-017", .role = UET_ROLE_INITIATOR, .needs = "read small-header",
         .purpose = "No small READ goes to a FEP whose capability bit 7 is 0.", .preamble = "None.",
         .stimulus = "The FEP is asked to read 16 bytes with the small header from a peer whose "
                     "address says HPC alone.",
         .expected = "Another header, or a refusal.",
         .once = "a READ that goes under another header is not served")
{
    struct uet_ut_operation op = uet_op(tc, BYTES);
    uint64_t handle;
    op.header = UET_UT_HEADER_SMALL;
    op.key = 1ull << 62 | op.resource_index;
    op.peer_flags = UET_FI_ADDR_FEP_CAP_V;
    op.peer_capabilities = UET_FEP_CAP_HPC;
    if (!uet_tries(tc, &op, "read", uet_ut_read, &handle))
        return;
    const struct uet_in *in = hear(tc, "SES-017", REQUEST_ON(NULL));
    uet_check(tc, "SES-017", in->packet.ses != UET_H_SES_REQ_SMALL,
              "a small header to a FEP that does not know it");
    in->pdc->auto_close = false;
}

static bool is_small(const struct way *w)
{
    return w->header == UET_UT_HEADER_SMALL;
}

static bool is_known_to_the_peer(struct uet_tc *tc, const struct way *w,
                                 struct uet_ut_operation *op)
{
    op->peer_flags = UET_FI_ADDR_FEP_CAP_V;
    op->peer_capabilities = UET_FEP_CAP_HPC;
    const struct uet_in *in = starts(tc, "SES-017", w, op);
    uet_check(tc, "SES-017", !in || in->packet.ses != UET_H_SES_REQ_SMALL,
              "%s: a small header to a FEP that does not know it", w->name);
    return true;
}

UET_TEST(
    small_in_no_way, .id = "ses.3.4.2.2.no-small-header-for-who-does-not-know-it",
    .requirements = "SES-017 SES-067 ROB-042", .role = UET_ROLE_INITIATOR, .needs = "small-header",
    .purpose = "No small header goes to a FEP whose capability bit 7 is 0, whatever it is for.",
    .preamble = "None.",
    .stimulus = "The FEP sends, writes (also over RUDI) and sends a datagram with the small header "
                "to a peer whose address says HPC alone.",
    .expected = "Another header with the same address and key, or a refusal.")
{
    in_each_way(tc, is_small, is_known_to_the_peer);
}

/* ---- atomics ---- */

/* A SUM of UINT64 under that header: what names it fits, and behind it stands all of it. */
static bool adds_under(struct uet_tc *tc, uint8_t header, bool plain)
{
    struct uet_ut_operation op = uet_op(tc, 8);
    const char *verb = plain ? "atomic" : "fetching_atomic";
    uint64_t handle;

    op.header = header;
    if (header == UET_UT_HEADER_SMALL)
        op.key = 1ull << 62 | op.resource_index;
    op.amo = UET_AMO_SUM;
    op.datatype = UET_TYPE_UINT64;
    op.data = in_memory(tc, op.datatype, on_the_wire(tc, 5), op.length);
    uet_auto_ack(tc, false);
    if (!is_known(tc, verb) ||
        !uet_tries(tc, &op, verb, plain ? uet_ut_atomic : uet_ut_fetching_atomic, &handle))
        return false;
    const struct uet_in *in = hear(tc, "SES-005", REQUEST_ON(NULL));
    field(tc, "SES-005", in, UET_F_SES_OPCODE, plain ? UET_OP_ATOMIC : UET_OP_FETCHING_ATOMIC);
    field(tc, "SES-005", in, UET_F_SES_REQUEST_LENGTH, op.length);
    uet_check(tc, "SES-005", in->packet.ext == UET_H_SES_EXT_ATOMIC,
              "no extension behind the header that next_hdr names");
    uet_check_eq(tc, "SES-005", "bytes behind header and extension", in->packet.payload_len,
                 op.length);
    struct uet_out ack =
        plain ? uet_ack(in->pdc, in) : uet_ack_data(in->pdc, in, on_the_wire(tc, 7));
    say(tc, &ack);
    completes(tc, "SES-005", handle, UET_UT_OK);
    return true;
}

UET_TEST(short_atomics, .id = "ses.3.4.2.6.atomics-with-short-headers", .requirements = "SES-005",
         .role = UET_ROLE_INITIATOR,
         .purpose = "next_hdr names the header that stands before the extension of an atomic.",
         .preamble = "None.",
         .stimulus = "The FEP adds 5 to a UINT64 with the small and the medium header, fetching "
                     "and not, as far as it claims them.",
         .expected = "The opcode, request_length 8, the extension behind the header, and 8 bytes "
                     "behind that. A refusal is as good.")
{
    const bool *claims = uet_tc_dut(tc)->claims;
    unsigned seen = 0, claimed = 0;

    for (int plain = 0; plain < 2; plain++) {
        for (uint8_t header = UET_UT_HEADER_SMALL; header <= UET_UT_HEADER_MEDIUM; header++) {
            if (!claims[header == UET_UT_HEADER_SMALL ? SMALL : MEDIUM] ||
                !claims_atomic(tc, plain, UET_AMO_SUM, UET_TYPE_UINT64))
                continue;
            claimed++;
            seen += adds_under(tc, header, plain);
        }
    }
    if (claimed == 0)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "none of these forms is claimed");
    if (seen == 0)
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester takes none of these forms");
}

/* ---- UUD ---- */

/* Was it asked for, and refused or sent as it must? */
static bool not_over_uud(struct uet_tc *tc, const char *verb,
                         int (*start)(struct uet_ut *, const struct uet_ut_operation *, uint64_t *))
{
    struct uet_ut_operation op = uet_op(tc, strcmp(verb, "no_op") == 0 ? 0 : BYTES);
    uint64_t handle;

    op.mode = UET_UT_MODE_UUD;
    if (!is_known(tc, verb))
        return false;
    if (!uet_tries(tc, &op, verb, start, &handle))
        return true;
    const struct uet_in *in = maybe(tc, DATAGRAM, .within = uet_tc_latest(tc, UET_MS));
    if (in)
        field(tc, "SES-038", in, UET_F_SES_OPCODE, UET_OP_DATAGRAM_SEND);
    return true;
}

UET_TEST(uud_of_others, .id = "ses.3.4.6.2.nothing-else-sent-over-uud", .requirements = "SES-038",
         .role = UET_ROLE_INITIATOR, .needs = "uud",
         .purpose = "A FEP sends no other opcode than UET_DATAGRAM_SEND over UUD.",
         .preamble = "The FEP has sent a datagram.",
         .stimulus = "The FEP is asked for a WRITE, and for a NO_OP, a READ, tagged and deferrable "
                     "sends where it claims them, over UUD.",
         .expected = "A refusal; a datagram that comes has UET_DATAGRAM_SEND.",
         .once = "an operation that it takes may go on")
{
    const bool *claims = uet_tc_dut(tc)->claims;
    struct uet_ut_operation op = uet_op(tc, BYTES);
    op.mode = UET_UT_MODE_UUD;
    uet_do_send(tc, &op);
    hear(tc, "SES-038", DATAGRAM);
    bool asked = not_over_uud(tc, "write", uet_ut_write);
    if (claims[UET_PICS_NO_OP])
        asked |= not_over_uud(tc, "no_op", uet_ut_no_op);
    if (claims[UET_PICS_READ])
        asked |= not_over_uud(tc, "read", uet_ut_read);
    if (claims[UET_PICS_TAGGED])
        asked |= not_over_uud(tc, "tagged_send", uet_ut_tagged_send);
    if (claims[UET_PICS_DEFERRAL])
        asked |= not_over_uud(tc, "deferrable_send", uet_ut_deferrable_send);
    if (!asked)
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester knows none of these verbs");
}

/* ---- RUDI in several packets ---- */

#define PARTS 3

/* Which part it is: RUDI has no order (PDS-172), so it tells that itself. */
static uint32_t number_of(struct uet_tc *tc, const struct uet_in *in)
{
    if (value_of(tc, in, UET_F_SES_SOM))
        return 0;
    return (uint32_t)value_of(tc, in, UET_F_SES_MESSAGE_OFFSET) / uet_tc_dut(tc)->payload_mtu;
}

/* One of those that have not come so far. */
static void is_part(struct uet_tc *tc, const struct uet_in *in, const struct uet_ut_operation *op,
                    bool came[PARTS])
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, i = number_of(tc, in);

    field(tc, "SES-012", in, UET_F_SES_BUFFER_OFFSET, op->offset);
    field(tc, "SES-010", in, UET_F_SES_REQUEST_LENGTH, op->length);
    field(tc, "SES-043", in, UET_F_SES_SOM, i == 0);
    field(tc, "SES-043", in, UET_F_SES_EOM, i == PARTS - 1);
    if (i > 0)
        field(tc, "SES-009", in, UET_F_SES_MESSAGE_OFFSET, i * mtu);
    uet_check(tc, "SES-009", i < PARTS && !came[i], "part %u is none, or comes twice", i);
    if (i < PARTS)
        came[i] = true;
}

UET_TEST(rudi_parts, .id = "ses.3.4.2.1.parts-of-a-rudi-write",
         .requirements = "SES-012 SES-009 SES-010 SES-031 SES-043", .role = UET_ROLE_INITIATOR,
         .needs = "rudi write",
         .purpose = "The packets of a WRITE over RUDI belong together as those on a PDC do.",
         .preamble = "None.", .stimulus = "The FEP writes 2.5 MTUs over RUDI at offset 4096.",
         .expected = "One message_id, request_length and buffer_offset; message_offset the bytes "
                     "before; som in the first, eom in the last.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_ut_operation op = uet_op(tc, 2 * mtu + mtu / 2);
    bool came[PARTS] = {false};
    uint64_t id = 0;
    op.mode = UET_UT_MODE_RUDI;
    op.key |= 1ull << 63;
    op.offset = 4096;
    uint64_t handle = uet_do_write(tc, &op);
    for (uint32_t i = 0; i < PARTS; i++) {
        const struct uet_in *in = rudi_request(tc);
        is_part(tc, in, &op, came);
        id = i ? id : value_of(tc, in, UET_F_SES_MESSAGE_ID);
        field(tc, "SES-031", in, UET_F_SES_MESSAGE_ID, id);
        answer_rudi(tc, in);
    }
    completes(tc, "SES-012", handle, UET_UT_OK);
}

UET_TEST(rudi_read_parts, .id = "ses.3.4.4.2.parts-of-a-rudi-read", .requirements = "SES-072",
         .role = UET_ROLE_INITIATOR, .needs = "rudi read",
         .purpose = "The packets of a READ over RUDI belong together as those on a PDC do.",
         .preamble = "None.", .stimulus = "The FEP reads 2.5 MTUs over RUDI at offset 4096.",
         .expected = "One message_id and buffer_offset; no payload; som in the first, eom in the "
                     "last.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + mtu / 2;
    struct uet_ut_operation op = uet_op(tc, n);
    const uint8_t *bytes = uet_tc_bytes(tc, n);
    bool came[PARTS] = {false};
    uint64_t id = 0;
    op.mode = UET_UT_MODE_RUDI;
    op.key |= 1ull << 63;
    op.offset = 4096;
    uint64_t handle = uet_do_read(tc, &op);
    for (uint32_t i = 0; i < PARTS; i++) {
        const struct uet_in *in = rudi_request(tc);
        is_part(tc, in, &op, came);
        payload_bytes(tc, "SES-072", in, 0);
        id = i ? id : value_of(tc, in, UET_F_SES_MESSAGE_ID);
        field(tc, "SES-072", in, UET_F_SES_MESSAGE_ID, id);
        struct uet_out o = uet_rudi_answer_data(tc, in, bytes);
        say(tc, &o);
    }
    completes(tc, "SES-072", handle, UET_UT_OK);
}

/* ---- once more ---- */

UET_TEST(options_again, .id = "ses.3.4.1.9.header-data-comes-again", .requirements = "SES-069",
         .role = UET_ROLE_INITIATOR, .needs = "write-immediate", .params = "RTO_Init_Time",
         .purpose = "A packet that is sent again has its header_data again.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes with header_data; the packet is not acknowledged.",
         .expected = "It comes again, with hd=1 and that value.")
{
    struct uet_ut_operation op = uet_op(tc, BYTES);
    uet_need_retries(tc);
    fep_opens(tc);
    op.has_header_data = true;
    op.header_data = 0x1122334455667788;
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    const struct uet_in *in = hear(tc, "SES-069", REQUEST_ON(NULL));
    const struct uet_in *resend =
        hear(tc, "SES-069", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    field(tc, "SES-069", resend, UET_F_SES_HD, 1);
    field(tc, "SES-069", resend, UET_F_SES_HEADER_DATA, op.header_data);
    resume_acks(tc, resend);
    completes(tc, "SES-069", handle, UET_UT_OK);
}

static bool may_be_refused(const struct way *w)
{
    return w->opcode != UET_OP_WRITE && w->mode != UET_UT_MODE_UUD;
}

/* RC_BAD_GENERATION tells another generation: the message again, or NULL. */
static const struct uet_in *after_bad_generation(struct uet_tc *tc, const struct uet_in *in,
                                                 uint8_t told)
{
    struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_GENERATION);

    uet_ses_rsp_ri_generation_set(ack.ses, told);
    say(tc, &ack);
    return maybe(tc, MESSAGE_AGAIN, .within = AGAIN_WITHIN);
}

/* The new try is the message as it was, with the generation that was told. */
static bool comes_with_what_was_told(struct uet_tc *tc, const struct way *w,
                                     struct uet_ut_operation *op)
{
    uint64_t handle;

    op->resource_index ^= 0x80; /* the FEP may remember its generation, for good */
    uet_auto_ack(tc, false);
    if (!uet_tries(tc, op, w->verb, w->start, &handle))
        return false;
    const struct uet_in *in = hear(tc, "SES-108", REQUEST_ON(NULL));
    const uint8_t told = (uint8_t)(value_of(tc, in, UET_F_SES_RI_GENERATION) + 7);
    in = after_bad_generation(tc, in, told);
    if (!in) {
        ends_in_error(tc, "SES-108", handle);
        uet_other_reading(tc, "SES-108", "%s: it was given up, not tried again", w->name);
        return true;
    }
    field(tc, "SES-108", in, UET_F_SES_RI_GENERATION, told);
    field(tc, "SES-108", in, UET_F_SES_OPCODE, w->opcode);
    payload_bytes(tc, "SES-108", in, op->length);
    if (is_tagged(w)) {
        uet_check_eq(tc, "SES-095", "match_bits", uet_ses_match_bits(&in->packet), TAG);
        check_initiator(tc, "SES-095", in);
    }
    resume_acks(tc, in);
    completes(tc, "SES-108", handle, UET_UT_OK);
    uet_wait(tc, UET_MS); /* what the FEP closes now (PDS-214) has its ACK */
    return true;
}

UET_TEST(each_form_again, .id = "ses.3.4.3.6.3.bad-generation-in-each-form",
         .requirements = "SES-108 SES-095", .role = UET_ROLE_INITIATOR,
         .purpose =
             "After RC_BAD_GENERATION a send of whatever form comes with the generation that "
             "was told, and with its tag and initiator.",
         .preamble = "RTO long.",
         .stimulus = "The FEP sends 16 bytes in each form that it claims: SENDs, tagged and "
                     "deferrable sends, also on ROD, and with the small and the medium header; "
                     "RC_BAD_GENERATION with another ri_generation; then RC_OK.",
         .expected = "Each comes again with that ri_generation, a tagged one with its match_bits "
                     "and initiator, and completes; an error in the place of a new try is a "
                     "finding.")
{
    hold_rto(tc);
    in_each_way(tc, may_be_refused, comes_with_what_was_told);
}
