/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of several packets that do not agree with each other. */
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/harness/steps/target.h"

#define LAST 64

/* A WRITE of a payload MTU and 64 bytes into a region with room behind it; the first is said. */
static struct message two_packets(struct uet_tc *tc)
{
    struct message w = message(tc, .packets = 2, .last = LAST, .room = 64, .one_ar = true);

    say(tc, &w.o[0]);
    return w;
}

/* The second packet goes out; the bytes behind the message stay, whatever the answer is. */
static void behind_stays(struct uet_tc *tc, const char *requirement, const struct message *w)
{
    struct kept behind = keep(tc, &w->m, w->n, 64);

    tolerate(tc, ANSWER_ON(w->p));
    say(tc, &w->o[1]);
    unchanged(tc, requirement, &behind);
}

/* A message on the PDC may be open, and that holds its close up. */
static void may_stay_open(struct uet_pdc *p)
{
    p->auto_close = false;
    p->unfinished = true;
}

/* The second packet is answered with no success. */
static void no_success(struct uet_tc *tc, const char *requirement, const struct message *w)
{
    not_executed(tc, requirement, &w->o[1]);
    may_stay_open(w->p);
}

UET_TEST(more_than_payload_length, .id = "rob.3.4.2.1.more-than-payload-length",
         .requirements = "ROB-013", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .preamble = "A region; PDC open.",
         .purpose = "Bytes behind the payload_length of a later packet are not written.",
         .stimulus = "A WRITE of two packets; the last carries 64 bytes more than its "
                     "payload_length says.",
         .expected = "The memory behind the message is as before, whatever the answer is.")
{
    struct message w = two_packets(tc);
    w.o[1].payload = uet_tc_bytes(tc, 2 * LAST);
    w.o[1].payload_len = 2 * LAST;
    behind_stays(tc, "ROB-013", &w);
}

UET_TEST(another_request_length, .id = "rob.3.4.1.7.3.another-request-length",
         .requirements = "ROB-014", .role = UET_ROLE_TARGET, .needs = "write",
         .preamble = "A region; PDC open.",
         .purpose = "A message whose later packet has another request_length does not succeed.",
         .stimulus = "A WRITE of two packets; the second says 64 bytes more.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct message w = two_packets(tc);
    uet_ses_req_std_request_length_set(w.o[1].ses, w.n + 64);
    no_success(tc, "ROB-014", &w);
}

UET_TEST(
    another_buffer_offset, .id = "rob.3.4.1.7.3.another-buffer-offset", .requirements = "ROB-015",
    .role = UET_ROLE_TARGET, .needs = "write upper-tester", .preamble = "A region; PDC open.",
    .purpose = "A later packet with another buffer_offset is not written where it says.",
    .stimulus = "A WRITE of two packets; the second names a buffer_offset 64 bytes further on.",
    .expected = "The memory behind the message is as before, whatever the answer is.")
{
    struct message w = two_packets(tc);
    uet_ses_req_buffer_offset_set(w.o[1].ses, uet_ses_req_buffer_offset(w.o[1].ses) + 64);
    behind_stays(tc, "ROB-015", &w);
}

UET_TEST(another_resource_index, .id = "rob.3.4.1.7.3.another-resource-index",
         .requirements = "ROB-016", .role = UET_ROLE_TARGET, .needs = "write",
         .preamble = "A region; PDC open.",
         .purpose = "A later packet that names another Resource Index does not succeed.",
         .stimulus = "A WRITE of two packets; the second names another Resource Index.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct message w = two_packets(tc);
    uet_ses_req_resource_index_set(w.o[1].ses, w.m.resource_index ^ 0x555);
    no_success(tc, "ROB-016", &w);
}

UET_TEST(another_job, .id = "rob.3.4.1.7.3.another-job", .requirements = "ROB-023",
         .role = UET_ROLE_TARGET, .needs = "write", .preamble = "A region; PDC open.",
         .purpose = "A later packet that names another JobID does not succeed.",
         .stimulus = "A WRITE of two packets; the second names another JobID.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct message w = two_packets(tc);
    uet_ses_req_job_id_set(w.o[1].ses, w.m.job_id ^ 0x5555);
    no_success(tc, "ROB-023", &w);
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
    struct uet_memory m = region(tc, .job_id = 0xa31, .pid_on_fep = 3, .resource_index = 41,
                                 .key = 0x3003, .length = uet_tc_dut(tc)->payload_mtu + LAST);
    m.relative = false;
    struct message w = message(tc, .packets = 2, .last = LAST, .m = m, .one_ar = true);
    uet_ses_req_job_id_set(w.o[1].ses, m.job_id ^ 0x550000);
    say(tc, &w.o[0]);
    no_success(tc, "ROB-023", &w);
}

UET_TEST(another_job_of_any, .id = "rob.3.4.1.7.3.another-job-where-any-may",
         .requirements = "ROB-023", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .preamble = "A region that any job may use; PDC open.",
         .purpose = "A later packet that names another JobID does not succeed, though that job "
                    "might have written there itself.",
         .stimulus = "A WRITE rel=0 of two packets; the second names another JobID.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct uet_memory m = region(tc, .any_job = true, .pid_on_fep = 3, .resource_index = 42,
                                 .key = 0x3004, .length = uet_tc_dut(tc)->payload_mtu + LAST);
    m.relative = false;
    m.job_id = 0xa31;
    struct message w = message(tc, .packets = 2, .last = LAST, .m = m, .one_ar = true);
    uet_ses_req_job_id_set(w.o[1].ses, m.job_id ^ 0x10000);
    say(tc, &w.o[0]);
    no_success(tc, "ROB-023", &w);
}

UET_TEST(another_job_sends, .id = "rob.3.4.1.7.3.another-job-in-a-send", .requirements = "ROB-023",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .preamble = "A receive posted, for any job; PDC open.",
         .purpose = "A send that begins as one job's does not end as a success as another's.",
         .stimulus = "A SEND rel=0 of two packets; the second names another JobID.",
         .expected = "The second is answered with no success.",
         .once = "its PDC stays open, as its message may be")
{
    struct uet_memory m = uet_need_empty(tc);
    const uint32_t n = uet_tc_dut(tc)->payload_mtu + LAST;
    m.handle = uet_tag_receive(tc, &m, &(struct uet_ut_receive){.any_job = true, .length = n});
    m.relative = false;
    m.length = n; /* else the message gets a receive of its own */
    struct message w =
        message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = LAST, .m = m, .one_ar = true);
    uet_ses_req_job_id_set(w.o[1].ses, m.job_id ^ 0x5555);
    say(tc, &w.o[0]);
    no_success(tc, "ROB-023", &w);
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
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 3,
                               .last = uet_tc_dut(tc)->payload_mtu, .one_ar = true);
    tolerate(tc, ANSWER_ON(s.p));
    s.o[1].payload = s.o[0].payload;
    uet_ses_req_std_message_offset_set(s.o[1].ses, 0);
    for (int i = 0; i < 3; i++)
        say(tc, &s.o[i]);
    must_not_succeed(tc, "ROB-017", s.m.handle);
    may_stay_open(s.p);
}

/* A tagged send of three packets to its receive; the first is said. */
static struct message three_tagged(struct uet_tc *tc, uint64_t *handle)
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_tagged(tc);
    m.key = 0x7a;
    m.length = 4 * mtu;
    *handle = tag_receive(tc, &m, .match_bits = m.key, .length = m.length);
    struct message s = message(tc, .opcode = UET_OP_TAGGED_SEND, .packets = 3, .last = mtu, .m = m,
                               .p = uet_pdc_open(tc), .one_ar = true);
    tolerate(tc, ANSWER_ON(s.p));
    may_stay_open(s.p);
    say(tc, &s.o[0]);
    return s;
}

static void ends_in_no_success(struct uet_tc *tc, const char *requirement, const struct message *s,
                               uint64_t handle)
{
    say(tc, &s->o[1]);
    say(tc, &s->o[2]);
    must_not_succeed(tc, requirement, handle);
}

UET_TEST(tagged_parts, .id = "rob.3.4.1.7.3.tagged-parts-that-disagree",
         .requirements = "ROB-014 ROB-015 ROB-017", .role = UET_ROLE_TARGET,
         .needs = "tagged multi-packet-send upper-tester",
         .preamble = "Tagged receives; a PDC for each message.",
         .purpose = "What holds of the later packets of other messages holds of tagged ones.",
         .stimulus = "Tagged sends of three packets: the second has another request_length; has "
                     "another buffer_offset; has the bytes and the place of the first.",
         .expected = "No receive completes as a success.",
         .once = "PDCs stay open, as their messages may be")
{
    uint64_t handle;
    need_pdcs(tc, 3);
    struct message s = three_tagged(tc, &handle);
    uet_ses_req_std_request_length_set(s.o[1].ses, s.n + 64);
    ends_in_no_success(tc, "ROB-014", &s, handle);
    s = three_tagged(tc, &handle);
    uet_ses_req_buffer_offset_set(s.o[1].ses, uet_ses_req_buffer_offset(s.o[1].ses) + 64);
    ends_in_no_success(tc, "ROB-015", &s, handle);
    s = three_tagged(tc, &handle);
    s.o[1].payload = s.o[0].payload;
    uet_ses_req_std_message_offset_set(s.o[1].ses, 0);
    ends_in_no_success(tc, "ROB-017", &s, handle);
}

/* How many receives complete as a success. */
static unsigned receives_done(struct uet_tc *tc)
{
    struct uet_ut_completion c = {0};
    unsigned good = 0;

    while (uet_any_completion(tc, uet_tc_latest(tc, UET_MS), &c))
        good += c.status == UET_UT_OK;
    return good;
}

/* The packet takes another PSN of its PDC. */
static void set_psn(struct uet_out *o, uint32_t psn)
{
    o->psn = psn;
    uet_rud_rod_req_psn_set(o->pds, psn);
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
    uint32_t n = uet_tc_dut(tc)->payload_mtu + LAST;
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = LAST,
                               .m = uet_need_receive(tc, n, 2), .one_ar = true);
    struct uet_out again = s.o[0];
    tolerate(tc, ANSWER_ON(s.p));
    set_psn(&again, s.o[1].psn); /* the PSNs in the order in which they go out */
    set_psn(&s.o[1], s.p->next_psn++);
    say(tc, &s.o[0]);
    say(tc, &again);
    say(tc, &s.o[1]);
    uet_check(tc, "ROB-018", receives_done(tc) < 2, "two receives completed for one message_id");
    may_stay_open(s.p);
}

UET_TEST(receive_comes_back, .id = "rob.3.4.8.3.receive-comes-back", .requirements = "ROB-019",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .preamble = "A receive posted; PDC open.",
         .purpose = "A receive that a message has taken ends with a completion, or is free again.",
         .stimulus = "The first packet of a SEND of two comes, then the peer closes the PDC; then "
                     "a SEND on a new one.",
         .expected = "A completion of the receive that is no success, or the SEND succeeds.")
{
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = LAST);
    s.p->next_psn = s.o[1].psn; /* the second never leaves */
    delivered(tc, "ROB-019", &s.o[0]);
    close_now(tc, s.p);
    ends_or_is_free(tc, "ROB-019", &s, uet_pdc_open(tc));
}

UET_TEST(failed_message_is_over, .id = "rob.3.4.1.7.3.failed-message-is-over",
         .requirements = "ROB-037 ROB-019", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose =
             "A message that failed has ended its receive, and touches no other when its PDC "
             "goes.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "A SEND of three packets, the second with another request_length; another "
                     "receive is posted; the peer closes the PDC; then a SEND on a new one.",
         .expected = "The second receive completes with that SEND and not before; the first "
                     "completes once.")
{
    struct uet_ut_completion c;
    uint64_t next;
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 3, .last = LAST);
    s.p->next_psn = s.o[2].psn; /* the third never leaves */
    uet_ses_req_std_request_length_set(s.o[1].ses, s.n + 1);
    delivered(tc, "ROB-037", &s.o[0]);
    whatever_comes_of(tc, &s.o[1]);
    if (!uet_completion(tc, s.m.handle, uet_tc_latest(tc, UET_MS), &c))
        uet_skip(tc, "the receive of the failed message has not ended yet");
    const struct uet_ut_receive post = {.job_id = s.m.job_id,
                                        .pid_on_fep = s.m.pid_on_fep,
                                        .resource_index = s.m.resource_index,
                                        .length = 64};
    uet_did(tc, uet_ut_post_recv(uet_tc_ut(tc), &post, &next), "post_recv");
    close_now(tc, s.p);
    stays_open(tc, "ROB-037", next, 0);
    struct uet_out after = uet_send_message(uet_pdc_open(tc), &s.m, "next", 4);
    accepted(tc, "ROB-037", &after);
    completes(tc, "ROB-037", next, UET_UT_OK);
    not_again(tc, "ROB-019", s.m.handle);
}
