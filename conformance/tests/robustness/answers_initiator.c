/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers that a target should not give, and what an initiator should not make of them. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

UET_TEST(short_data, .id = "rob.3.4.4.2.short-data", .requirements = "ROB-020",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "A read does not succeed in full length when its data was shorter.",
         .stimulus = "The FEP reads 256 bytes; its data comes with 128 bytes, and "
                     "payload_length says so.",
         .expected = "No completion that tells 256 bytes as a success.",
         .once = "its READ stays open")
{
    struct uet_ut_completion c = {0};
    struct fep_read r = fep_reads(tc, 256);
    struct uet_out data = part_of(&r, 0);
    data.payload_len = 128;
    uet_ses_rsp_data_payload_length_set(data.ses, 128);
    say(tc, &data);
    if (uet_completion(tc, r.handle, uet_tc_latest(tc, UET_MS), &c))
        uet_check(tc, "ROB-020", c.status != UET_UT_OK || c.length < 256,
                  "the read told %u bytes as a success; 128 came", c.length);
    serve_rest(tc, &r, 0);
}

UET_TEST(data_length_lies, .id = "rob.3.4.4.2.data-length-lies", .requirements = "ROB-020",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "A read does not succeed with bytes that its data says and does not have.",
         .stimulus = "The FEP reads 256 bytes; its data says 256 in payload_length, and has 128.",
         .expected = "No completion that tells 256 bytes as a success.",
         .once = "its READ stays open")
{
    struct uet_ut_completion c = {0};
    tolerate(tc, REFUSAL_ON(NULL));
    struct fep_read r = fep_reads(tc, 256);
    struct uet_out data = part_of(&r, 0);
    data.payload_len = 128;
    say(tc, &data);
    if (uet_completion(tc, r.handle, uet_tc_latest(tc, UET_MS), &c))
        uet_check(tc, "ROB-020", c.status != UET_UT_OK || c.length < 256,
                  "the read told %u bytes as a success; 128 came", c.length);
    serve_rest(tc, &r, 0);
}

/*
 * Serves the first of two parts, then `wrong`. False: the FEP has ended the read for it, as it may,
 * but not as a success.
 */
static bool goes_on_after(struct uet_tc *tc, const char *requirement, struct fep_read *r,
                          const struct uet_out *first, const struct uet_out *wrong)
{
    struct uet_ut_completion c = {0};

    say(tc, first);
    hear(tc, requirement, COVERED(first));
    say(tc, wrong);
    bool ended = uet_completion(tc, r->handle, uet_tc_latest(tc, UET_MS), &c);
    uet_check(tc, requirement, !ended || c.status != UET_UT_OK,
              "the read succeeded before its last part came");
    return !ended;
}

/* What a read that has completed wrote begins with its data as it came first. */
static void holds_first_part(struct uet_tc *tc, const char *requirement, const struct fep_read *r,
                             uint32_t n)
{
    const struct uet_memory m = {.handle = r->handle};
    uint8_t *got = (uint8_t *)uet_tc_bytes(tc, n);

    uet_read_back(tc, &m, 0, got, n);
    uet_check(tc, requirement, memcmp(got, r->bytes, n) == 0,
              "the bytes of the first part are not those that came first");
}

UET_TEST(data_of_a_part_that_came, .id = "rob.3.4.4.2.part-again", .requirements = "ROB-021",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "Read data for a part that has come does not replace it.",
         .stimulus =
             "The FEP reads two payload MTUs; the first part comes, then other bytes for it "
             "under the next PSN, then the second part.",
         .expected = "The read completes with the bytes that came first; or, if the FEP ends it "
                     "for the wrong part, not as a success.",
         .once = "its READ stays open")
{
    struct uet_ut_completion c = {0};
    tolerate(tc, REFUSAL_ON(NULL));
    struct fep_read r = fep_reads(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out first = part_of(&r, 0), wrong = part_of(&r, 0);
    wrong.payload = uet_tc_bytes(tc, wrong.payload_len);
    r.pdc->auto_close = false;
    if (!goes_on_after(tc, "ROB-021", &r, &first, &wrong))
        return;
    struct uet_out second = part_of(&r, 1);
    say(tc, &second);
    if (uet_completion(tc, r.handle, 0, &c) && c.status == UET_UT_OK)
        holds_first_part(tc, "ROB-021", &r, first.payload_len);
}

UET_TEST(data_of_another_place, .id = "rob.3.4.4.2.another-place", .requirements = "ROB-022",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "Read data for another place than its Request asked for is not written there.",
         .stimulus = "The FEP reads a payload MTU and 64 bytes; the first part comes; the 64 bytes "
                     "of the second come with message_offset 0.",
         .expected = "The read does not complete as a success.", .once = "its READ stays open")
{
    tolerate(tc, REFUSAL_ON(NULL));
    struct fep_read r = fep_reads(tc, uet_tc_dut(tc)->payload_mtu + 64u);
    struct uet_out first = part_of(&r, 0), wrong = part_of(&r, 1);
    uet_ses_rsp_data_message_offset_set(wrong.ses, 0);
    goes_on_after(tc, "ROB-022", &r, &first, &wrong);
    serve_rest(tc, &r, 1);
}

UET_TEST(data_inside, .id = "rob.3.4.4.2.another-place-inside", .requirements = "ROB-022",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "Read data is not written to a place that no Request of the READ asked for.",
         .stimulus =
             "The FEP reads two payload MTUs; the first part comes; the second comes with a "
             "message_offset of 64 less.",
         .expected = "The read does not complete as a success.", .once = "its READ stays open")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    tolerate(tc, REFUSAL_ON(NULL));
    struct fep_read r = fep_reads(tc, 2 * mtu);
    struct uet_out first = part_of(&r, 0), wrong = part_of(&r, 1);
    uet_ses_rsp_data_message_offset_set(wrong.ses, mtu - 64);
    goes_on_after(tc, "ROB-022", &r, &first, &wrong);
    serve_rest(tc, &r, 1);
}

UET_TEST(data_of_another_job, .id = "rob.3.4.2.5.data-of-another-job", .requirements = "ROB-048",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "Read data that names another JobID than the READ is not taken.",
         .stimulus = "The FEP reads 256 bytes; other bytes come for it with another job_id; then "
                     "the right ones.",
         .expected = "The read does not complete with the bytes that were wrong.",
         .once = "its READ may stay open")
{
    struct uet_ut_completion c;
    tolerate(tc, REFUSAL_ON(NULL));
    struct fep_read r = fep_reads(tc, 256);
    struct uet_out wrong = part_of(&r, 0), right = part_of(&r, 0);
    wrong.payload = uet_tc_bytes(tc, 256);
    uet_ses_rsp_job_id_set(wrong.ses, uet_ses_rsp_job_id(wrong.ses) ^ 0x800000);
    r.pdc->auto_close = false;
    say(tc, &wrong);
    if (uet_completion(tc, r.handle, uet_tc_latest(tc, UET_MS), &c)) {
        uet_check(tc, "ROB-048", c.status != UET_UT_OK, "the read is done with what was wrong");
        return;
    }
    say(tc, &right);
    if (!uet_completion(tc, r.handle, uet_tc_latest(tc, UET_MS), &c) || c.status != UET_UT_OK)
        return;
    const struct uet_memory into = {.handle = r.handle};
    memory_holds(tc, "ROB-048", &into, 0, r.bytes, r.n);
}

UET_TEST(reserved_return_code, .id = "rob.3.4.6.3.reserved-return-code", .requirements = "ROB-031",
         .role = UET_ROLE_INITIATOR, .preamble = "A PDC that the FEP opened; RTO long.",
         .purpose = "An answer with a reserved return code does not make an operation a success.",
         .stimulus = "The FEP writes 16 bytes; the ACK carries UET_RESPONSE with return code 0x2F.",
         .expected = "A completion that is no success, or none.")
{
    uint64_t handle;
    hold_rto(tc);
    struct uet_pdc *p = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &p, 16, &handle);
    struct uet_out ack = uet_ack_with(p, in, UET_RSP_RESPONSE, 0, 0x2f);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    must_not_succeed(tc, "ROB-031", handle);
    p->auto_close = false; /* the FEP may wait for another answer */
}

UET_TEST(data_in_error, .id = "rob.3.4.4.2.data-in-error", .requirements = "ROB-050",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "A read does not succeed with data that its return code calls an error.",
         .stimulus = "The FEP reads 256 bytes; they come, with return_code RC_BAD_ADDR.",
         .expected = "A completion that is no success, or none.", .once = "its READ may stay open")
{
    tolerate(tc, REFUSAL_ON(NULL));
    struct fep_read r = fep_reads(tc, 256);
    struct uet_out data = part_of(&r, 0);
    uet_ses_rsp_return_code_set(data.ses, UET_RC_BAD_ADDR);
    say(tc, &data);
    must_not_succeed(tc, "ROB-050", r.handle);
    serve_rest(tc, &r, 0);
}

UET_TEST(no_length_told, .id = "rob.3.4.8.3.no-length-told", .requirements = "ROB-051",
         .role = UET_ROLE_INITIATOR, .needs = "write", .preamble = "A PDC that the FEP opened.",
         .purpose = "A default response tells no length: what it answers has come as a whole.",
         .stimulus = "The FEP writes 16 bytes; the ACK carries UET_DEFAULT_RESPONSE with RC_OK and "
                     "modified_length 0.",
         .expected = "A success of 16 bytes.")
{
    uint64_t handle;
    struct uet_pdc *p = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    struct uet_out ack = naming_ack(in, UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    uet_ses_rsp_modified_length_set(ack.ses, 0);
    say(tc, &ack);
    struct uet_ut_completion c = completes(tc, "ROB-051", handle, UET_UT_OK);
    tells_length(tc, "ROB-051", "length of the completion", &c, 16);
    uet_auto_ack(tc, true);
}

UET_TEST(response_of_another, .id = "rob.3.4.2.5.response-of-another-message",
         .requirements = "ROB-045", .role = UET_ROLE_INITIATOR, .not_over = "all",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .purpose = "A response completes the message whose packet the ACK names, and no other.",
         .stimulus = "The FEP writes twice on one PDC; an ACK of the first packet with RC_OK and "
                     "the message_id of the second; then an ACK of the second.",
         .expected = "The second WRITE is open until its own ACK comes.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t first, second;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &first);
    const struct uet_in *behind = fep_writes_behind(tc, pdc, &second);
    uint16_t id = uet_ses_message_id(&behind->packet);
    if (uet_ses_message_id(&in->packet) == id)
        uet_skip(tc, "the FEP numbers no message of one packet, as it may");
    struct uet_out ack = naming_ack(in, UET_RSP_RESPONSE, UET_RC_OK);
    uet_ses_rsp_message_id_set(ack.ses, id);
    say(tc, &ack);
    stays_open(tc, "ROB-045", second, uet_tc_latest(tc, UET_MS));
    resume_acks(tc, behind);
    completes(tc, "ROB-045", second, UET_UT_OK);
}

UET_TEST(completes_once, .id = "rob.3.4.8.3.completes-once", .requirements = "ROB-032",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "An operation completes once, whatever comes after its completion.",
         .stimulus = "The FEP reads 100 bytes and gets them; then they come again with retx=1, and "
                     "for the READ's PSN NACK UET_NO_RESOURCE and UET_RESPONSE RC_BAD_ADDR.",
         .expected = "One completion, a success.")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out data = part_of(&r, 0);
    struct uet_out nack = uet_nack(r.pdc, psn_of(r.in[0]), UET_NACK_NO_RESOURCE);
    struct uet_out error = uet_ack_with(r.pdc, r.in[0], UET_RSP_RESPONSE, 0, UET_RC_BAD_ADDR);
    say(tc, &data);
    check_read(tc, "ROB-032", &r);
    say_again(tc, &data);
    say(tc, &nack);
    say(tc, &error);
    stays_open(tc, "ROB-032", r.handle, uet_tc_latest(tc, UET_MS)); /* no second completion */
}

UET_TEST(silent_peer_holds_up_nobody, .id = "rob.3.5.15.silent-peer", .requirements = "ROB-033",
         .role = UET_ROLE_INITIATOR, .preamble = "RTO long.",
         .purpose = "A peer that does not answer does not hold up operations to another peer.",
         .stimulus = "The FEP writes to the tester's second address, which stays silent, then to "
                     "its first one, which answers.",
         .expected = "The second operation completes while the first one is open.",
         .once = "the FEP goes on to ask the peer that stays silent")
{
    need_pdcs(tc, 2);
    hold_rto(tc);
    uet_auto_ack(tc, false);
    struct uet_ut_operation silent = uet_op(tc, 16), other = uet_op(tc, 16);
    silent.to = uet_tc_second_address(tc);
    uet_do_write(tc, &silent);
    hear(tc, "ROB-033", REQUEST_ON(NULL))->pdc->auto_close = false;
    uint64_t handle = uet_do_write(tc, &other);
    const struct uet_in *in = hear(tc, "ROB-033", REQUEST_ON(NULL));
    struct uet_out ack = uet_ack(in->pdc, in);
    say(tc, &ack);
    completes(tc, "ROB-033", handle, UET_UT_OK);
    uet_auto_ack(tc, true);
}
