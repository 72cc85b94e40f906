/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of several packets that do not agree with each other. */
#include "conformance/tests/pds_target.h"
#include "conformance/tests/ses.h"

/* A WRITE of a payload MTU and 64 bytes into a region with room behind it; PDC open. */
struct two {
    struct uet_memory m;
    struct uet_pdc *p;
    uint32_t mtu;
    struct uet_out o[2];
    uint8_t behind[64]; /* the bytes of the region behind the message */
};

static struct two two_packets(struct uet_tc *tc)
{
    struct two t = {.mtu = uet_tc_dut(tc)->payload_mtu};
    uint32_t n = t.mtu + 64;

    t.m = uet_need_memory(tc, n + 64);
    t.p = uet_pdc_open(tc);
    uet_message(t.p, UET_OP_WRITE, &t.m, 0, uet_tc_bytes(tc, n), n, t.o, 2);
    memory_now(tc, &t.m, n, t.behind, sizeof(t.behind));
    say(tc, &t.o[0]);
    return t;
}

/* The second packet goes out; the bytes behind the message stay, whatever the answer is. */
static void behind_stays(struct uet_tc *tc, const char *requirement, struct two *t)
{

    tolerate(tc, ANSWER_ON(t->p));
    say(tc, &t->o[1]);
    memory_unchanged(tc, requirement, &t->m, t->mtu + 64, t->behind, sizeof(t->behind));
}

UET_TEST(more_than_payload_length, .id = "rob.3.4.2.1.more-than-payload-length",
         .requirements = "ROB-013", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .preamble = "A region; PDC open.",
         .purpose = "Bytes behind the payload_length of a later packet are not written.",
         .stimulus = "A WRITE of two packets; the last carries 64 bytes more than its "
                     "payload_length says.",
         .expected = "The memory behind the message is as before, whatever the answer is.")
{
    struct two t = two_packets(tc);
    t.o[1].payload = uet_tc_bytes(tc, 128);
    t.o[1].payload_len = 128;
    behind_stays(tc, "ROB-013", &t);
}

UET_TEST(another_request_length, .id = "rob.3.4.1.7.3.another-request-length",
         .requirements = "ROB-014", .role = UET_ROLE_TARGET, .needs = "write",
         .preamble = "A region; PDC open.",
         .purpose = "A message whose later packet has another request_length does not succeed.",
         .stimulus = "A WRITE of two packets; the second says 64 bytes more.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct two t = two_packets(tc);
    uet_ses_req_std_request_length_set(t.o[1].ses, t.mtu + 128);
    not_executed(tc, "ROB-014", &t.o[1]);
    t.p->auto_close = false; /* the message may be open */
}

UET_TEST(
    another_buffer_offset, .id = "rob.3.4.1.7.3.another-buffer-offset", .requirements = "ROB-015",
    .role = UET_ROLE_TARGET, .needs = "write upper-tester", .preamble = "A region; PDC open.",
    .purpose = "A later packet with another buffer_offset is not written where it says.",
    .stimulus = "A WRITE of two packets; the second names a buffer_offset 64 bytes further on.",
    .expected = "The memory behind the message is as before, whatever the answer is.")
{
    struct two t = two_packets(tc);
    uet_ses_req_buffer_offset_set(t.o[1].ses, uet_ses_req_buffer_offset(t.o[1].ses) + 64);
    behind_stays(tc, "ROB-015", &t);
}

UET_TEST(another_resource_index, .id = "rob.3.4.1.7.3.another-resource-index",
         .requirements = "ROB-016", .role = UET_ROLE_TARGET, .needs = "write",
         .preamble = "A region; PDC open.",
         .purpose = "A later packet that names another Resource Index does not succeed.",
         .stimulus = "A WRITE of two packets; the second names another Resource Index.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct two t = two_packets(tc);
    uint16_t ri = uet_ses_req_resource_index(t.o[1].ses);
    uet_ses_req_resource_index_set(t.o[1].ses, ri ^ 0x555);
    not_executed(tc, "ROB-016", &t.o[1]);
    t.p->auto_close = false;
}

UET_TEST(another_job, .id = "rob.3.4.1.7.3.another-job", .requirements = "ROB-023",
         .role = UET_ROLE_TARGET, .needs = "write", .preamble = "A region; PDC open.",
         .purpose = "A later packet that names another JobID does not succeed.",
         .stimulus = "A WRITE of two packets; the second names another JobID.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct two t = two_packets(tc);
    uet_ses_req_job_id_set(t.o[1].ses, uet_ses_req_job_id(t.o[1].ses) ^ 0x5555);
    not_executed(tc, "ROB-023", &t.o[1]);
    t.p->auto_close = false;
}

UET_TEST(another_job_absolute, .id = "rob.3.4.1.7.3.another-job-in-an-absolute-address",
         .requirements = "ROB-023", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .preamble = "A region of one job; PDC open.",
         .purpose = "A later packet that names another JobID does not succeed, though the JobID "
                    "takes no part in finding the region.",
         .stimulus = "A WRITE rel=0 of two packets; the second names another JobID.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    const struct uet_ut_memory like = {
        .job_id = 0xa31, .pid_on_fep = 3, .resource_index = 41, .key = 0x3003, .length = n};
    struct uet_memory m = uet_need_memory_like(tc, &like);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[2];
    m.relative = false;
    uet_message(p, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, n), n, o, 2);
    uet_ses_req_job_id_set(o[1].ses, m.job_id ^ 0x5555);
    uet_send(tc, &o[0]);
    not_executed(tc, "ROB-023", &o[1]);
    p->auto_close = false;
}

/* No completion of the receive tells a success. */
static void not_received(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                         const char *why)
{
    struct uet_ut_completion c = {0};

    if (uet_completion(tc, m->handle, uet_tc_latest(tc, UET_MS), &c))
        uet_check(tc, requirement, c.status != UET_UT_OK, "the receive completed %s", why);
}

UET_TEST(part_twice_is_not_all, .id = "rob.3.4.1.7.3.part-twice-is-not-all",
         .requirements = "ROB-017", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .preamble = "A receive posted; PDC open.", .over = "order",
         .purpose = "A part that comes twice under two PSNs does not stand for a missing one.",
         .stimulus = "Of a SEND of three packets the first comes, its bytes again under the next "
                     "PSN, then the last.",
         .expected = "The receive does not complete as a success.",
         .once = "its PDC stays open, as its message may be")
{
    uint32_t n = 3u * uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_receive(tc, n, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[3];
    tolerate(tc, ANSWER_ON(p));
    uet_message(p, UET_OP_SEND, &m, 0, uet_tc_bytes(tc, n), n, o, 3);
    say(tc, &o[0]);
    o[1].payload = o[0].payload;
    uet_ses_req_std_message_offset_set(o[1].ses, 0);
    say(tc, &o[1]);
    say(tc, &o[2]);
    not_received(tc, "ROB-017", &m, "although its second part never came");
    p->auto_close = false;
}

UET_TEST(begins_twice, .id = "rob.3.4.1.7.3.begins-twice", .requirements = "ROB-018",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .preamble = "Two receives posted; PDC open.",
         .purpose = "A second packet with som=1 of an open message does not complete it twice.",
         .stimulus = "A SEND of two packets; between them the first one again, under a PSN of its "
                     "own.",
         .expected = "At most one receive completes as a success.",
         .once = "its PDC stays open, as its message may be")
{
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct uet_memory m = uet_need_receive(tc, n, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_ut_completion c = {0};
    struct uet_out o[2];
    unsigned good = 0;
    tolerate(tc, ANSWER_ON(p));
    uet_message(p, UET_OP_SEND, &m, 0, uet_tc_bytes(tc, n), n, o, 2);
    struct uet_out again = o[0];
    again.psn = o[1].psn; /* the PSNs in the order in which they go out */
    o[1].psn = p->next_psn++;
    uet_rud_rod_req_psn_set(again.pds, again.psn);
    uet_rud_rod_req_psn_set(o[1].pds, o[1].psn);
    say(tc, &o[0]);
    say(tc, &again);
    say(tc, &o[1]);
    while (uet_any_completion(tc, uet_tc_latest(tc, UET_MS), &c))
        good += c.status == UET_UT_OK;
    uet_check(tc, "ROB-018", good < 2, "%u receives completed for one message_id", good);
    p->auto_close = false;
}

UET_TEST(receive_comes_back, .id = "rob.3.4.8.3.receive-comes-back", .requirements = "ROB-019",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .preamble = "A receive posted; PDC open.",
         .purpose = "A receive that a message has taken ends with a completion, or is free again.",
         .stimulus = "The first packet of a SEND of two comes, then the peer closes the PDC; then "
                     "a SEND on a new one.",
         .expected = "A completion of the receive that is no success, or the SEND succeeds.")
{
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct uet_memory m = uet_need_receive(tc, n, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_ut_completion c = {0};
    struct uet_out o[2];
    uet_message(p, UET_OP_SEND, &m, 0, uet_tc_bytes(tc, n), n, o, 2);
    p->next_psn = o[1].psn; /* the second never leaves */
    uet_rud_rod_req_ar_set(o[0].pds, true);
    say(tc, &o[0]);
    uet_for(tc, "ROB-019");
    uet_expect_covered(tc, p, o[0].psn);
    close_now(tc, p);
    if (uet_completion(tc, m.handle, uet_tc_latest(tc, UET_MS), &c)) {
        uet_check(tc, "ROB-019", c.status != UET_UT_OK, "the receive completed without its end");
        return;
    }
    struct uet_pdc *q = uet_pdc_open(tc);
    struct uet_out next = uet_send_message(q, &m, "next", 4);
    accepted(tc, "ROB-019", &next);
}
