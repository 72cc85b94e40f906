/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2.4, Figure 3-15: rendezvous sends of the FEP, of which the tester reads the rest. */
#include "conformance/harness/steps/acks.h"
#include <errno.h>
#include <string.h>

#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/rendezvous.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

#define NEEDS "rendezvous read upper-tester"

UET_TEST(offers, .id = "ses.3.4.2.4.offers-the-rest", .requirements = "SES-155 SES-023",
         .role = UET_ROLE_INITIATOR, .needs = NEEDS,
         .purpose = "A rendezvous send brings its eager part and tells where the rest may be read.",
         .preamble = "None.",
         .stimulus =
             "The FEP sends 1500 bytes, of which 1000 are eager; later the tester reads the "
             "others at the address of the extension.",
         .expected = "One packet of 1000 bytes with that eager_length and request_length 1500; the "
                     "bytes that the tester reads are those of the message; the operation ends "
                     "then, and not before. A read_offset that skips the eager part is a finding.")
{
    struct fep_rendezvous r = fep_offers(tc, 1500, 1000);
    field(tc, "SES-155", r.first, UET_F_SES_OPCODE, UET_OP_RENDEZVOUS_SEND);
    field(tc, "SES-155", r.first, UET_F_SES_REQUEST_LENGTH, r.n);
    field(tc, "SES-155", r.first, UET_F_SES_EOM, 1);
    payload_bytes(tc, "SES-155", r.first, r.eager);
    uet_check_eq(tc, "SES-155", "eager_length",
                 uet_ses_ext_rendezvous_eager_length(uet_ses_ext(&r.first->packet)), r.eager);
    stays_open(tc, "SES-155", r.handle, 10 * UET_MS);
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, r.eager);
    completes(tc, "SES-155", r.handle, UET_UT_OK);
}

UET_TEST(all_is_eager, .id = "ses.3.4.2.4.all-is-eager", .requirements = "SES-023 SES-155",
         .role = UET_ROLE_INITIATOR, .needs = NEEDS,
         .purpose = "A rendezvous send whose eager part is all of it has its extension, too.",
         .preamble = "None.",
         .stimulus = "The FEP sends 1000 bytes by rendezvous, all of them eager.",
         .expected = "One packet of 1000 bytes with that eager_length; the operation ends.")
{
    struct fep_rendezvous r = fep_offers(tc, 1000, 1000);
    field(tc, "SES-155", r.first, UET_F_SES_OPCODE, UET_OP_RENDEZVOUS_SEND);
    payload_bytes(tc, "SES-155", r.first, 1000);
    uet_check_eq(tc, "SES-155", "eager_length",
                 uet_ses_ext_rendezvous_eager_length(uet_ses_ext(&r.first->packet)), 1000);
    completes(tc, "SES-155", r.handle, UET_UT_OK);
}

UET_TEST(offers_by_tag, .id = "ses.3.4.2.4.offers-the-rest-by-tag",
         .requirements = "SES-023 SES-155 SES-104 SES-095", .role = UET_ROLE_INITIATOR,
         .needs = "tagged " NEEDS, .not_over = "all",
         .purpose = "A tagged rendezvous send has its tag and initiator, and the extension, too.",
         .preamble = "None.",
         .stimulus =
             "The FEP sends 1500 bytes with the tag 0x8123456789abcdef, as the initiator "
             "0xfedc0001, of which 1000 are eager; the tester reads the others at the address of "
             "the extension.",
         .expected = "UET_RENDEZVOUS_TSEND with these, 1000 bytes, that eager_length and "
                     "request_length 1500; the bytes that the tester reads are those of the "
                     "message; the operation ends then.")
{
    const uint64_t tag = 0x8123456789abcdef;
    struct fep_rendezvous r = fep_offers_by_tag(tc, tag, 1500, 1000);
    field(tc, "SES-155", r.first, UET_F_SES_OPCODE, UET_OP_RENDEZVOUS_TSEND);
    field(tc, "SES-155", r.first, UET_F_SES_REQUEST_LENGTH, r.n);
    uet_check_eq(tc, "SES-155", "match_bits",
                 uet_ses_req_match_bits_or_memory_key(uet_ses(&r.first->packet)), tag);
    check_initiator(tc, "SES-095", r.first);
    field(tc, "SES-104", r.first, UET_F_SES_RI_GENERATION, 0);
    payload_bytes(tc, "SES-155", r.first, r.eager);
    uet_check_eq(tc, "SES-155", "eager_length",
                 uet_ses_ext_rendezvous_eager_length(uet_ses_ext(&r.first->packet)), r.eager);
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, r.eager);
    completes(tc, "SES-155", r.handle, UET_UT_OK);
}

UET_TEST(in_every_packet, .id = "ses.3.4.2.4.extension-in-every-packet",
         .requirements = "SES-171 SES-155", .role = UET_ROLE_INITIATOR,
         .needs = "multi-packet-send " NEEDS,
         .purpose = "The extension stands in every packet of the eager part.", .preamble = "None.",
         .stimulus = "The FEP sends three packets' worth and 500 bytes more, by rendezvous.",
         .expected = "Three packets, each with the same extension, som and eom in their places; "
                     "eager_length is what they bring.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, eager = 2 * mtu + 100;
    struct fep_rendezvous r = fep_offers(tc, eager + 500, eager);
    const uint8_t *first = uet_ses_ext(&r.first->packet);
    uet_check_eq(tc, "SES-155", "eager_length", uet_ses_ext_rendezvous_eager_length(first), eager);
    for (unsigned i = 1; i < 3; i++) {
        const struct uet_in *in = hear(tc, "SES-171", REQUEST_ON(NULL));
        uint32_t place = uet_ses_message_offset(&in->packet) / mtu;
        if (!uet_check(tc, "SES-171", in->packet.ext == UET_H_SES_EXT_RENDEZVOUS,
                       "a packet without the rendezvous extension"))
            return;
        const uint8_t *e = uet_ses_ext(&in->packet);
        uet_check(tc, "SES-171", memcmp(e, first, UET_SES_EXT_RENDEZVOUS_BYTES) == 0,
                  "the extension of a later packet is another one");
        field(tc, "SES-155", in, UET_F_SES_EOM, place == 2);
        payload_bytes(tc, "SES-155", in, place == 2 ? 100 : mtu);
    }
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, eager);
    completes(tc, "SES-155", r.handle, UET_UT_OK);
}

UET_TEST(long_eager_part, .id = "ses.3.4.2.4.eager-part-of-more-than-16-bits-count",
         .requirements = "SES-155", .role = UET_ROLE_INITIATOR, .needs = "multi-packet-send " NEEDS,
         .not_over = "all", /* long */
         .purpose = "eager_length is not cut to 16 bits.", .preamble = "None.",
         .stimulus = "The FEP sends 64 KiB and 600 bytes by rendezvous, 64 KiB and 100 of them "
                     "eager; the tester reads the others.",
         .expected = "eager_length is that; the bytes that are read are behind it; the operation "
                     "ends then.")
{
    const uint32_t eager = 65536 + 100;
    struct fep_rendezvous r = fep_offers(tc, eager + 500, eager);
    uet_check_eq(tc, "SES-155", "eager_length",
                 uet_ses_ext_rendezvous_eager_length(uet_ses_ext(&r.first->packet)), eager);
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, eager);
    completes(tc, "SES-155", r.handle, UET_UT_OK);
}

UET_TEST(
    read_before, .id = "ses.3.4.2.4.read-before-it-is-offered", .requirements = "SES-155 ROB-044",
    .role = UET_ROLE_INITIATOR, .needs = NEEDS, .not_over = "all",
    .purpose = "A rendezvous send ends when it has been read, whatever became of READs before.",
    .preamble = "A region; a PDC on which its first byte was read, and nothing is cleared.",
    .stimulus =
        "The FEP sends 1500 bytes of that region, of which 1000 are eager; the tester reads "
        "the others on another PDC.",
    .expected = "The operation ends then, though the response to the first READ is still stored.")
{
    need_pdcs(tc, 3); /* one of them is its own */
    struct source s = need_source(tc, 1500);
    struct uet_pdc *before = uet_pdc_open(tc);
    before->auto_clear = false;
    struct uet_out o = uet_read(before, &s.m, 0, 1);
    say(tc, &o);
    check_data(tc, "SES-155", hear(tc, "SES-155", DATA_OF(&o)), &s, 0, 1);
    struct fep_rendezvous r = fep_offers_of(tc, s, UET_UT_MODE_RUD, 1500, 1000);
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, 1000);
    completes(tc, "ROB-044", r.handle, UET_UT_OK);
}

/* The FEP is asked to send of that region once more; the first packet of it. */
static const struct uet_in *offered_again(struct uet_tc *tc, const struct source *s,
                                          uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 1500);

    op.region = s->m.handle;
    op.eager = 1000;
    uet_check(tc, "ROB-040", uet_tries(tc, &op, "rendezvous_send", uet_ut_rendezvous_send, handle),
              "a rendezvous send of a region of which another has ended is refused");
    return maybe(tc, REQUEST_ON(NULL));
}

UET_TEST(
    of_a_region_again, .id = "rob.3.4.8.3.rendezvous-of-a-region-again", .requirements = "ROB-040",
    .role = UET_ROLE_INITIATOR, .needs = NEEDS,
    .purpose = "A region of which a rendezvous send has ended, well or not, is free for others.",
    .preamble = "None.",
    .stimulus = "The FEP sends 1500 bytes of a region by rendezvous, and the tester reads the "
                "rest; the same again, which is refused with RC_BAD_INDEX; and once more.",
    .expected = "A success, an error, and the first packet of the third.",
    .once = "its last rendezvous is not read")
{
    uint64_t handle;
    struct source s = need_source(tc, 1500);
    struct fep_rendezvous r = fep_offers_of(tc, s, UET_UT_MODE_RUD, 1500, 1000);
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, 1000);
    completes(tc, "ROB-040", r.handle, UET_UT_OK);
    uet_auto_ack(tc, false);
    const struct uet_in *in = offered_again(tc, &s, &handle);
    if (!in)
        return;
    struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_INDEX);
    say(tc, &ack);
    ends_in_error(tc, "ROB-040", handle);
    uet_auto_ack(tc, true);
    in = offered_again(tc, &s, &handle);
    uet_check(tc, "ROB-040", in != NULL, "nothing comes of the third rendezvous send");
}

UET_TEST(held_by_target, .id = "ses.3.4.2.4.waits-for-the-reads", .requirements = "SES-155 ROB-032",
         .role = UET_ROLE_INITIATOR, .needs = NEEDS,
         .purpose = "A rendezvous send that the target has no receive for stays readable.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP sends 1500 bytes, of which 200 are eager; the answer is RC_OK with "
                     "list OVERFLOW and modified_length 0; later the tester reads all of it.",
         .expected = "No end before; all bytes can be read; then the operation ends.")
{
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct fep_rendezvous r = fep_offers(tc, 1500, 200);
    struct uet_out ack = deferring_ack(r.first, 0);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    stays_open(tc, "ROB-032", r.handle, 20 * UET_MS);
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, 0);
    completes(tc, "ROB-032", r.handle, UET_UT_OK);
}

/* The FEP is to send from memory that nobody may read; false: it refuses. */
static bool begins_unreadable(struct uet_tc *tc, struct uet_memory *m)
{
    *m = region(tc, .job_id = UET_TC_JOB, .pid_on_fep = UET_TC_PID, .resource_index = SOURCE_RI,
                .key = 0xb10000000000u, .length = 1500, .no_read = true);
    struct uet_ut_operation op = uet_op(tc, 1500);
    op.region = m->handle;
    op.eager = 1000;
    uint64_t handle;
    int rc = uet_ut_rendezvous_send(uet_tc_ut(tc), &op, &handle);
    if (rc && rc != -EPROTO)
        uet_did(tc, rc, "rendezvous_send"); /* nobody has answered */
    return rc == 0;
}

UET_TEST(unreadable, .id = "ses.3.4.2.4.offers-only-what-may-be-read", .requirements = "SES-155",
         .role = UET_ROLE_INITIATOR, .needs = NEEDS, .not_over = "all",
         .purpose = "What a rendezvous send offers may be read.",
         .preamble = "A region without the right to read.",
         .stimulus = "The FEP is to send 1500 bytes of it by rendezvous, of which 1000 are eager; "
                     "where it does, the tester reads the others at the address of the extension.",
         .expected = "It refuses to, or the READ brings data.")
{
    struct uet_memory where;
    if (!begins_unreadable(tc, &where))
        return;
    const struct uet_in *first = hear(tc, "SES-155", REQUEST_ON(NULL));
    if (!uet_check(tc, "SES-155", first->packet.ext == UET_H_SES_EXT_RENDEZVOUS,
                   "it has no rendezvous extension"))
        return;
    const uint8_t *e = uet_ses_ext(&first->packet);
    const uint64_t offset = uet_ses_ext_rendezvous_read_offset(e);
    where.pid_on_fep = uet_ses_ext_rendezvous_read_pid_on_fep(e);
    where.resource_index = uet_ses_ext_rendezvous_read_resource_index(e);
    where.key = uet_ses_ext_rendezvous_read_memory_key(e);
    struct uet_out o = uet_read(uet_pdc_open(tc), &where, offset ? offset : 1000, 500);
    say(tc, &o);
    hear(tc, "SES-155", DATA_OF(&o));
}

UET_TEST(read_slowly, .id = "ses.3.4.2.4.read-slowly", .requirements = "ROB-044",
         .role = UET_ROLE_INITIATOR, .needs = NEEDS, .not_over = "all",
         .purpose = "A rendezvous send does not fail while its target goes on to read it.",
         .preamble = "A PDC that the FEP opened; Deferral_Time and Rendezvous_Time are 400 ms and "
                     "five times the time that fep.yaml gives an answer.",
         .stimulus =
             "The FEP sends 1500 bytes, none eager; the answer is RC_OK with list OVERFLOW "
             "and modified_length 0; the tester reads 500 bytes on a new PDC three times, each "
             "250 ms and twice that time after the data before.",
         .expected = "It is open until the last of them; then it ends well.")
{
    need_pdcs(tc, 4); /* one of them is its own */
    const uint64_t answer = uet_tc_dut(tc)->response_time_ns;
    uet_set_param(tc, "Deferral_Time", 400 * UET_MS + 5 * answer);
    uet_set_param(tc, "Rendezvous_Time", 400 * UET_MS + 5 * answer);
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct fep_rendezvous r = fep_offers(tc, 1500, 0);
    struct uet_out ack = deferring_ack(r.first, 0);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    for (uint32_t at = 0; at < r.n; at += 500) {
        stays_open(tc, "ROB-044", r.handle, 250 * UET_MS + 2 * answer);
        struct uet_out o = uet_read(uet_pdc_open(tc), &r.where, r.read_offset + at, 500);
        say(tc, &o);
        check_data(tc, "ROB-044", hear(tc, "ROB-044", DATA_OF(&o)), &r.s, at, 500);
    }
    completes(tc, "ROB-044", r.handle, UET_UT_OK);
}

/* The tester reads all of it, in two packets, and takes the data of the first alone. */
static void begin_to_read(struct uet_tc *tc, struct uet_pdc *p, const struct fep_rendezvous *r,
                          uint16_t id, struct uet_out o[2])
{
    uet_message(p, UET_OP_READ, &r->where, r->read_offset, NULL, r->n, o, 2);
    for (int i = 0; i < 2; i++)
        uet_ses_req_std_message_id_set(o[i].ses, id);
    say(tc, &o[0]);
    check_data(tc, "ROB-044", hear(tc, "ROB-044", DATA_OF(&o[0])), &r->s, 0,
               uet_tc_dut(tc)->payload_mtu);
}

UET_TEST(
    read_anew, .id = "ses.3.4.2.4.read-anew", .requirements = "ROB-044", .role = UET_ROLE_INITIATOR,
    .needs = NEEDS,
    .purpose = "A rendezvous send whose READ is given up and tried again ends with the second.",
    .preamble = "None.",
    .stimulus =
        "The FEP sends a payload MTU and 800 bytes by rendezvous, nothing of it eager. The "
        "tester sends the first of the two packets of a READ and takes the data. On another "
        "PDC it does the same, with that message_id, for a second READ of all; later it sends the "
        "other packet.",
    .expected = "The operation is open until the data of that came; then it ends.")
{
    need_pdcs(tc, 3); /* one of them is its own */
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct fep_rendezvous r = fep_offers(tc, mtu + 800, 0);
    struct uet_out o[2];
    begin_to_read(tc, uet_pdc_open(tc), &r, 0x5a5a, o);
    begin_to_read(tc, uet_pdc_open(tc), &r, 0x5a5a, o);
    stays_open(tc, "ROB-044", r.handle, 10 * UET_MS);
    say(tc, &o[1]);
    check_data(tc, "ROB-044", hear(tc, "ROB-044", DATA_OF(&o[1])), &r.s, mtu, 800);
    completes(tc, "ROB-044", r.handle, UET_UT_OK);
}

UET_TEST(resent_whole, .id = "ses.3.4.2.4.extension-in-a-resend", .requirements = "SES-171",
         .role = UET_ROLE_INITIATOR, .needs = NEEDS,
         .purpose = "A packet that is sent again has its extension.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP sends 1500 bytes, of which 1000 are eager; the packet is not "
                     "acknowledged.",
         .expected = "It comes again, with the same extension and the same bytes.")
{
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct fep_rendezvous r = fep_offers(tc, 1500, 1000);
    const struct uet_in *resent =
        hear(tc, "SES-171", RESEND_OF(r.first), .within = patience(tc, one_rto(tc)));
    bool same = resent->packet.ext == UET_H_SES_EXT_RENDEZVOUS &&
                memcmp(uet_ses_ext(&resent->packet), uet_ses_ext(&r.first->packet),
                       UET_SES_EXT_RENDEZVOUS_BYTES) == 0;
    uet_check(tc, "SES-171", same, "the resend has another extension, or none");
    payload_bytes(tc, "SES-171", resent, r.eager);
    resume_acks(tc, resent);
    read_rest(tc, "SES-155", uet_pdc_open(tc), &r, r.eager);
    completes(tc, "SES-155", r.handle, UET_UT_OK);
}

UET_TEST(read_on_rud, .id = "ses.3.4.5.1.read-on-rud-of-what-came-on-rod",
         .requirements = "SES-158", .role = UET_ROLE_INITIATOR, .needs = "rod " NEEDS,
         .claim_binds = true, .not_over = "rod",
         .purpose = "The eager part may go on ROD, and the rest be read on RUD.",
         .preamble = "None.",
         .stimulus = "The FEP sends 1500 bytes on ROD, of which 1000 are eager; the tester reads "
                     "the others on RUD.",
         .expected = "The bytes of the message; the operation ends then.")
{
    struct fep_rendezvous r = fep_offers_on(tc, UET_UT_MODE_ROD, 1500, 1000);
    on_mode(tc, "SES-158", r.first, true);
    read_rest(tc, "SES-158", uet_pdc_open(tc), &r, r.eager);
    completes(tc, "SES-158", r.handle, UET_UT_OK);
}

/* The tester reads these bytes of the message by a RUDI READ: what it said. */
static struct uet_out read_by_rudi(struct uet_tc *tc, const struct fep_rendezvous *r, uint32_t from,
                                   uint32_t n)
{
    struct uet_out o = uet_rudi_read(tc, &r->where, r->read_offset + from, n);

    say(tc, &o);
    check_data(tc, "SES-155", hear(tc, "SES-155", RUDI_RESPONSE_TO(&o)), &r->s, from, n);
    return o;
}

UET_TEST(read_over_rudi, .id = "ses.3.4.2.4.read-over-rudi", .requirements = "SES-155 ROB-044",
         .role = UET_ROLE_INITIATOR, .needs = "rudi " NEEDS,
         .purpose = "A rest that lies where RUDI may read is read over RUDI, and then it ends.",
         .preamble = "None.",
         .stimulus = "The FEP sends 1500 bytes, of which 1000 are eager, from a region whose key "
                     "has idempotent_safe; the tester reads the others by two RUDI READs, the "
                     "first of which comes again with retx=1 before the second.",
         .expected = "The bytes of the message; the operation ends then, and not before.")
{
    struct source s = need_source_with_key(tc, 1500, KEY_IDEMPOTENT | 0x77);
    struct fep_rendezvous r = fep_offers_of(tc, s, UET_UT_MODE_RUD, 1500, 1000);
    struct uet_ut_completion c;
    if (!(r.where.key & KEY_IDEMPOTENT))
        uet_skip(tc, "the key that the FEP tells has no idempotent_safe: RUDI may not read there");
    struct uet_out first = read_by_rudi(tc, &r, 1000, 250);
    say_again(tc, &first);
    hear(tc, "SES-155", RUDI_RESPONSE_TO(&first));
    stays_open(tc, "SES-155", r.handle, 10 * UET_MS);
    read_by_rudi(tc, &r, 1250, 250);
    uet_check(tc, "ROB-044", uet_completion(tc, r.handle, 0, &c) && c.status == UET_UT_OK,
              "all has been read, and the operation has not ended with success");
}
