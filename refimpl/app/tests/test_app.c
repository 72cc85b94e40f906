/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/app/examples/pair.h"
#include "uet_spec.h"

#define JOB       7u
#define PID       3u
#define RI        5u
#define KEY       0x1234u
#define SAFE_KEY  (1ull << 63 | 0x55u) /* IDEMPOTENT_SAFE (Table 2-13) */
#define INITIATOR 100u
#define ROOM      8u /* operations, receives, services of a FEP of the pair */

static struct pair pair;
static struct uet_cq cq[2];
static struct uet_cq_entry slots[2][16];
static struct uet_ep ep[2];
static struct uet_ep_address address[2];
static uint8_t bytes[20000], memory[20000];

static struct uet_ep_config usual(unsigned side)
{
    return (struct uet_ep_config){.job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .initiator = INITIATOR + side,
                                  .cq = &cq[side]};
}

static void open_as(struct uet_ep_config initiator, struct uet_ep_config target, size_t queue)
{
    pair_open(&pair);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(uet_cq_open(&cq[i], &pair.domains[i], slots[i], queue), 0);
    assert_int_equal(uet_ep_open(&ep[0], &pair.domains[0], &initiator), 0);
    assert_int_equal(uet_ep_open(&ep[1], &pair.domains[1], &target), 0);
    for (unsigned i = 0; i < 2; i++)
        address[i] = uet_ep_address(&ep[i]);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    memset(memory, 0, sizeof memory);
}

static void open_usual(void)
{
    open_as(usual(0), usual(1), 16);
}

static struct uet_rma at(uint64_t key, uint64_t offset)
{
    return (struct uet_rma){.at = address[1], .key = key, .offset = offset};
}

/* The only completion that waits there. */
static struct uet_cq_entry only(unsigned side)
{
    struct uet_cq_entry e[2];
    pair_run(&pair);
    assert_int_equal(uet_cq_read(&cq[side], e, 2), 1);
    return e[0];
}

/* It failed, by a response with this code. */
static void assert_told(struct uet_cq_entry e, uint8_t code)
{
    assert_int_equal(e.error, -EREMOTEIO);
    assert_int_equal(e.what.return_code, code);
}

/* Up to n frames that this side has now. */
static void carry(unsigned side, unsigned n)
{
    static uint8_t frame[UET_FRAME_MAX];
    size_t length;
    while (n-- && (length = uet_fep_transmit(pair.domains[side].fep, frame, sizeof frame,
                                             pair.now_ns)) > 0)
        uet_fep_receive(pair.domains[!side].fep, frame, length, pair.now_ns);
}

/* ---- opening and closing ---- */

static void test_endpoint_errors(void **state)
{
    struct uet_ep other;
    struct uet_cq foreign;
    struct uet_ep_config c = usual(0);
    (void)state;
    open_usual();
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EEXIST);
    c.job_id = 1u << 24; /* 24 bits */
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EINVAL);
    c = usual(0);
    c.pid_on_fep = 1u << 12; /* 12 bits, as the resource index */
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EINVAL);
    c = usual(0);
    c.resource_index = 1u << 12;
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EINVAL);
    c.resource_index = 0; /* SES-057 */
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EINVAL);
    c.resource_index = 0xfff;
    c.mode = UET_MODE_UUD + 1;
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EINVAL);
    c.mode = UET_MODE_UUD;
    c.spaces = UET_EP_IN(UET_RI_TAGGED + 1);
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EINVAL);
    c.spaces = 0;
    assert_int_equal(uet_cq_open(&foreign, &pair.domains[1], slots[1], 4), 0);
    c.cq = &foreign;
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EINVAL);
    c.cq = NULL;
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), 0);
    c.resource_index--;
    assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), -EEXIST); /* it is open */
    assert_int_equal(uet_ep_close(&other), 0);
    assert_int_equal(uet_ep_close(&other), -ENOENT);
    assert_int_equal(uet_cq_open(&foreign, &pair.domains[1], slots[1], 0), -EINVAL);
    assert_int_equal(uet_cq_open(&foreign, &pair.domains[1], NULL, 4), -EINVAL);
}

/* Endpoints of one resource index in different spaces (SES-056); a FEP without a service left. */
static void test_spaces_and_services(void **state)
{
    struct uet_ep first, second, third;
    struct uet_ep_config c = usual(0);
    (void)state;
    open_usual(); /* of ROOM services 3 are in use */
    c.resource_index = RI + 1;
    c.spaces = UET_EP_IN(UET_RI_SEND);
    assert_int_equal(uet_ep_open(&first, &pair.domains[0], &c), 0);
    assert_int_equal(uet_ep_open(&second, &pair.domains[0], &c), -EEXIST);
    c.spaces = UET_EP_IN(UET_RI_RMA) | UET_EP_IN(UET_RI_TAGGED);
    assert_int_equal(uet_ep_open(&second, &pair.domains[0], &c), 0);
    c.resource_index = RI + 2;
    c.spaces = 0;
    assert_int_equal(uet_ep_open(&third, &pair.domains[0], &c), -ENOSPC);
    c.spaces = UET_EP_IN(UET_RI_RMA) | UET_EP_IN(UET_RI_SEND); /* kept from the attempt */
    assert_int_equal(uet_ep_open(&third, &pair.domains[0], &c), 0);
}

/* What an attempt without success has opened is not open. */
static void test_attempt_leaves_nothing_open(void **state)
{
    struct uet_ep more[2];
    struct uet_ep_config c = usual(1);
    struct uet_context context = {0};
    (void)state;
    open_usual();
    c.resource_index = RI + 1;
    assert_int_equal(uet_ep_open(&more[0], &pair.domains[1], &c), 0);
    c.resource_index = RI + 2;
    assert_int_equal(uet_ep_open(&more[1], &pair.domains[1], &c), -ENOSPC);
    address[1].resource_index = RI + 2;
    assert_int_equal(uet_ep_send(&ep[0], bytes, 1, &address[1], &context), 0);
    assert_told(only(0), UET_RC_DISABLED);
}

static void test_close_and_open_again(void **state)
{
    struct uet_context receive = {0}, send = {0};
    struct uet_ep_config c = usual(1);
    struct uet_mr mr;
    (void)state;
    open_usual();
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receive), 0);
    assert_int_equal(uet_ep_close(&ep[1]), -EBUSY);
    assert_int_equal(uet_ep_cancel(&ep[1], &receive), 0);
    assert_int_equal(uet_mr_open(&mr, &ep[1], memory, 16, UET_RIGHT_WRITE, KEY), 0);
    assert_int_equal(uet_ep_close(&ep[1]), -EBUSY);
    assert_int_equal(uet_mr_close(&mr), 0);
    assert_int_equal(uet_ep_close(&ep[1]), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &send), 0);
    assert_told(only(0), UET_RC_DISABLED); /* SES-100: not NO_MATCH */
    assert_int_equal(uet_ep_open(&ep[1], &pair.domains[1], &c), 0);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receive), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &send), 0);
    assert_int_equal(only(0).error, 0);
    assert_memory_equal(memory, bytes, 16);
}

/* ---- what cannot begin ---- */

static void test_bad_arguments(void **state)
{
    struct uet_context c = {0};
    struct uet_rma rma;
    struct uet_ep_address far;
    const struct uet_amo sum = {
        .opcode = UET_AMO_SUM, .datatype = UET_TYPE_UINT64, .operand = bytes, .length = 7};
    (void)state;
    open_usual();
    rma = at(KEY, 0);
    far = address[1];
    assert_int_equal(uet_ep_recv(&ep[0], memory, 16, NULL), -EINVAL);
    assert_int_equal(uet_ep_recv(&ep[0], NULL, 16, &c), -EINVAL);
    assert_int_equal(uet_ep_trecv(&ep[0], memory, 16, NULL, 0, 0, NULL), -EINVAL);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &far, NULL), -EINVAL);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, NULL, &c), -EINVAL);
    assert_int_equal(uet_ep_send(&ep[0], NULL, 16, &far, &c), -EINVAL);
    assert_int_equal(uet_ep_write(&ep[0], bytes, 16, NULL, &c), -EINVAL);
    assert_int_equal(uet_ep_read(&ep[0], NULL, 16, &rma, &c), -EINVAL);
    assert_int_equal(uet_ep_atomic(&ep[0], NULL, &rma, &c), -EINVAL);
    assert_int_equal(uet_ep_atomic(&ep[0], &sum, &rma, &c), -EINVAL); /* no whole element */
    far.pid_on_fep = 1u << 12;
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &far, &c), -EINVAL);
    far = address[1];
    assert_int_equal(uet_ip_parse(&far.fep, "2001:db8::1"), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &far, &c), -EINVAL);
    assert_null(c.ep);
    assert_int_equal(ep[0].n_contexts, 0);
    pair_run(&pair);
    assert_int_equal(pair.frames, 0);
}

static void test_spaces_that_are_not_open(void **state)
{
    struct uet_ep_config c = usual(1);
    struct uet_context context = {0};
    struct uet_mr mr;
    (void)state;
    c.spaces = UET_EP_IN(UET_RI_SEND);
    open_as(usual(0), c, 16);
    assert_int_equal(uet_ep_trecv(&ep[1], memory, 16, NULL, 0, 0, &context), -EOPNOTSUPP);
    assert_int_equal(uet_mr_open(&mr, &ep[1], memory, 16, UET_RIGHT_READ, KEY), -EOPNOTSUPP);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &context), 0);
    assert_int_equal(uet_ep_cancel(&ep[1], &context), 0);
}

static void test_context_stands_for_one_thing(void **state)
{
    struct uet_context c = {0};
    (void)state;
    open_usual();
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &c), 0);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &c), -EBUSY);
    assert_int_equal(uet_ep_trecv(&ep[1], memory, 16, NULL, 0, 0, &c), -EBUSY);
    assert_int_equal(uet_ep_send(&ep[1], bytes, 16, &address[0], &c), -EBUSY);
    assert_int_equal(ep[1].n_contexts, 1);
}

static void test_no_room(void **state)
{
    struct uet_context sends[ROOM + 1] = {0}, receives[ROOM + 1] = {0};
    struct uet_cq_entry e[ROOM];
    (void)state;
    open_usual();
    for (unsigned i = 0; i < ROOM; i++) {
        assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receives[i]), 0);
        assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &sends[i]), 0);
    }
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receives[ROOM]), -ENOSPC);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &sends[ROOM]), -ENOSPC);
    assert_null(receives[ROOM].ep);
    assert_null(sends[ROOM].ep);
    pair_run(&pair);
    assert_int_equal(pair.domains[0].now_ns, pair.now_ns); /* when the next one begins */
    assert_int_equal(uet_cq_read(&cq[0], e, ROOM), ROOM);
    assert_int_equal(ep[0].counts[UET_EP_SEND].done, ROOM);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receives[ROOM]), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &sends[ROOM]), 0);
    assert_int_equal(only(0).error, 0);
}

/* ---- what fails later ---- */

static void test_error_of_the_peer(void **state)
{
    struct uet_context c = {0};
    struct uet_cq_entry e;
    struct uet_mr mr;
    struct uet_rma rma;
    (void)state;
    open_usual();
    assert_int_equal(uet_mr_open(&mr, &ep[1], memory, 100, UET_RIGHT_READ, KEY), 0);
    rma = at(KEY + 1, 0);
    assert_int_equal(uet_ep_write(&ep[0], bytes, 16, &rma, &c), 0);
    e = only(0);
    assert_told(e, UET_RC_BAD_MKEY); /* SES-063 */
    assert_ptr_equal(e.context, &c);
    assert_ptr_equal(e.ep, &ep[0]);
    assert_int_equal(e.kind, UET_EP_WRITE);
    assert_null(c.ep);
    rma = at(KEY, 0);
    assert_int_equal(uet_ep_write(&ep[0], bytes, 16, &rma, &c), 0);
    assert_told(only(0), UET_RC_OP_VIOLATION); /* SES-064 */
    rma = at(KEY, 100);
    assert_int_equal(uet_ep_read(&ep[0], bytes, 1, &rma, &c), 0);
    assert_told(only(0), UET_RC_BAD_ADDR); /* SES-065 */
    assert_int_equal(ep[0].counts[UET_EP_WRITE].failed, 2);
    assert_int_equal(ep[0].counts[UET_EP_WRITE].done, 0);
    assert_int_equal(ep[0].counts[UET_EP_READ].failed, 1);
}

static void test_peer_is_silent(void **state)
{
    struct uet_context c = {0};
    struct uet_cq_entry e;
    (void)state;
    open_usual();
    pair.cut = true;
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &c), 0);
    e = only(0);
    assert_int_equal(e.error, -ECONNABORTED);
    assert_int_equal(e.what.status, UET_STATUS_PDS_ERROR);
    assert_int_equal(ep[0].counts[UET_EP_SEND].failed, 1);
    assert_int_equal(uet_ep_close(&ep[0]), 0);
}

/* ---- taking back ---- */

static void test_cancel_of_nothing(void **state)
{
    struct uet_context c = {0}, done = {0}, send = {0};
    (void)state;
    open_usual();
    assert_int_equal(uet_ep_cancel(&ep[1], NULL), -ENOENT);
    assert_int_equal(uet_ep_cancel(&ep[1], &c), -ENOENT);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &c), 0);
    assert_int_equal(uet_ep_cancel(&ep[0], &c), -ENOENT); /* of the other endpoint */
    assert_int_equal(uet_ep_cancel(&ep[1], &c), 0);
    assert_int_equal(uet_ep_cancel(&ep[1], &c), -ENOENT);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &done), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &send), 0);
    assert_int_equal(uet_ep_cancel(&ep[0], &send), -EOPNOTSUPP);
    assert_ptr_equal(only(1).context, &done);
    assert_int_equal(uet_ep_cancel(&ep[1], &done), -ENOENT);
}

/* The right one of several goes: the message takes the next. */
static void test_cancel_takes_its_own(void **state)
{
    struct uet_context c[3] = {0}, tagged[2] = {0}, send = {0};
    (void)state;
    open_usual();
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(uet_ep_recv(&ep[1], memory + 100 * i, 16, &c[i]), 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(
            uet_ep_trecv(&ep[1], memory + 1000 * i, 16, NULL, 9, i ? 0xff : 0, &tagged[i]), 0);
    assert_int_equal(uet_ep_cancel(&ep[1], &c[1]), 0);
    assert_int_equal(uet_ep_cancel(&ep[1], &c[0]), 0);
    assert_int_equal(uet_ep_cancel(&ep[1], &tagged[0]), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &send), 0);
    assert_ptr_equal(only(1).context, &c[2]);
    assert_int_equal(only(0).error, 0);
    assert_memory_equal(memory + 200, bytes, 16);
    assert_int_equal(uet_ep_tsend(&ep[0], bytes, 16, &address[1], 9, &send), 0);
    assert_ptr_equal(only(1).context, &tagged[1]);
    assert_memory_equal(memory + 1000, bytes, 16);
    assert_int_equal(memory[0], 0);
    assert_int_equal(memory[100], 0);
}

/* From the first packet of a message on the receive is the message's. */
static void test_cancel_comes_too_late(void **state)
{
    struct uet_context receive = {0}, send = {0};
    (void)state;
    open_usual();
    assert_int_equal(uet_ep_recv(&ep[1], memory, sizeof memory, &receive), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, sizeof bytes, &address[1], &send), 0);
    carry(0, 1);
    assert_int_equal(uet_ep_cancel(&ep[1], &receive), -ENOENT);
    assert_ptr_equal(receive.ep, &ep[1]);
    assert_int_equal(only(1).error, 0);
    assert_memory_equal(memory, bytes, sizeof bytes);
}

/* ---- queues, counters and regions ---- */

static void fill_and_read(size_t queue)
{
    struct uet_context sends[4] = {0}, receives[4] = {0};
    struct uet_cq_entry e;
    open_as(usual(0), usual(1), queue);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(uet_ep_recv(&ep[1], memory + i, 1, &receives[i]), 0);
        assert_int_equal(uet_ep_send(&ep[0], bytes + i, 1, &address[1], &sends[i]), 0);
    }
    pair_run(&pair);
    assert_int_equal(ep[1].counts[UET_EP_RECEIVE].done, queue); /* what stands there */
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(uet_cq_read(&cq[1], &e, 1), 1);
        assert_ptr_equal(e.context, &receives[i]);
        assert_int_equal(e.what.length, 1);
    }
    assert_int_equal(uet_cq_read(&cq[1], &e, 1), 0);
    assert_int_equal(ep[1].counts[UET_EP_RECEIVE].done, 4);
    assert_memory_equal(memory, bytes, 4);
}

static void test_full_queue_loses_nothing(void **state)
{
    (void)state;
    for (size_t queue = 1; queue < 4; queue++)
        fill_and_read(queue);
}

static void test_write_with_data(void **state)
{
    struct uet_context c[3] = {0};
    struct uet_mr mrs[2];
    struct uet_cq_entry e;
    struct uet_rma rma;
    (void)state;
    open_as(usual(0), usual(1), 1);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(
            uet_mr_open(&mrs[i], &ep[1], memory + 100 * i, 100, UET_RIGHT_WRITE, KEY + i), 0);
    for (unsigned i = 0; i < 2; i++) {
        rma = at(KEY + i, 10);
        assert_int_equal(uet_ep_writedata(&ep[0], bytes, 16, 50 + i, &rma, &c[i]), 0);
    }
    rma = at(KEY, 30);
    assert_int_equal(uet_ep_write(&ep[0], bytes, 16, &rma, &c[2]), 0);
    pair_run(&pair);
    assert_int_equal(uet_mr_close(&mrs[1]), -EAGAIN); /* the queue is full of the other's */
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(uet_cq_read(&cq[1], &e, 1), 1);
        assert_int_equal(e.kind, UET_EP_REMOTE_WRITE);
        assert_ptr_equal(e.mr, &mrs[i]);
        assert_null(e.context);
        assert_int_equal(e.what.header_data, 50 + i);
        assert_int_equal(e.what.initiator, INITIATOR);
    }
    assert_int_equal(uet_cq_read(&cq[1], &e, 1), 0); /* a plain write is silent (SES-068) */
    assert_int_equal(ep[1].counts[UET_EP_REMOTE_WRITE].done, 2);
    assert_memory_equal(memory + 110, bytes, 16);
    assert_memory_equal(memory + 30, bytes, 16);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(uet_mr_close(&mrs[i]), 0);
}

static void test_region_errors(void **state)
{
    struct uet_mr mr, other;
    (void)state;
    open_usual();
    assert_int_equal(uet_mr_open(&mr, &ep[1], NULL, 16, UET_RIGHT_WRITE, KEY), -EINVAL);
    assert_int_equal(uet_mr_open(&mr, &ep[1], memory, 16, UET_RIGHT_WRITE, KEY), 0);
    assert_int_equal(uet_mr_open(&other, &ep[1], memory, 16, UET_RIGHT_WRITE, KEY), -EEXIST);
    assert_int_equal(uet_mr_open(&mr, &ep[1], memory, 16, UET_RIGHT_WRITE, KEY + 1), -EEXIST);
    assert_int_equal(uet_mr_close(&mr), 0);
    assert_int_equal(uet_mr_close(&mr), -ENOENT);
    assert_int_equal(uet_mr_open(&other, &ep[1], memory, 16, UET_RIGHT_WRITE, KEY), 0);
}

/* What a read was granted is still sent from the region. */
static void test_region_is_busy(void **state)
{
    struct uet_context c = {0};
    struct uet_rma rma;
    struct uet_mr mr;
    (void)state;
    open_usual();
    assert_int_equal(uet_mr_open(&mr, &ep[1], bytes, sizeof bytes, UET_RIGHT_READ, KEY), 0);
    rma = at(KEY, 0);
    assert_int_equal(uet_ep_read(&ep[0], memory, sizeof memory, &rma, &c), 0);
    carry(0, 100);
    assert_int_equal(uet_mr_close(&mr), -EBUSY);
    assert_int_equal(uet_ep_close(&ep[1]), -EBUSY);
    assert_int_equal(only(0).error, 0);
    assert_memory_equal(memory, bytes, sizeof bytes);
    assert_int_equal(uet_mr_close(&mr), 0);
}

static void test_counters_alone(void **state)
{
    struct uet_ep_config silent[2] = {usual(0), usual(1)};
    struct uet_context receive = {0}, send = {0};
    (void)state;
    silent[0].cq = silent[1].cq = NULL;
    open_as(silent[0], silent[1], 16);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receive), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &send), 0);
    pair_run(&pair);
    assert_int_equal(ep[1].counts[UET_EP_RECEIVE].done, 1);
    assert_int_equal(ep[0].counts[UET_EP_SEND].done, 1);
    assert_null(receive.ep);
    assert_int_equal(uet_ep_close(&ep[0]), 0);
    assert_int_equal(uet_ep_close(&ep[1]), 0);
}

/* Of a region that the layer has not opened. */
static void test_stray_completion(void **state)
{
    const struct uet_region region = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = RI,
                                      .key = KEY,
                                      .rights = UET_RIGHT_WRITE,
                                      .base = memory,
                                      .length = 16};
    struct uet_context c = {0};
    struct uet_rma rma;
    (void)state;
    open_usual();
    assert_int_equal(uet_fep_region_add(pair.domains[1].fep, &region), 0);
    rma = at(KEY, 0);
    assert_int_equal(uet_ep_writedata(&ep[0], bytes, 16, 1, &rma, &c), 0);
    assert_int_equal(only(0).error, 0);
    assert_int_equal(pair.domains[1].strays, 1);
    assert_int_equal(cq[1].n, 0);
}

static void test_atomics(void **state)
{
    static uint32_t words[4] = {0, 40, 40, 0};
    const uint32_t two = 2, forty = 40, seven = 7;
    struct uet_amo amo = {
        .opcode = UET_AMO_SUM, .datatype = UET_TYPE_UINT32, .operand = &two, .length = sizeof two};
    uint32_t old = 0;
    struct uet_context c = {0};
    struct uet_mr mr;
    struct uet_rma rma;
    (void)state;
    open_usual();
    assert_int_equal(
        uet_mr_open(&mr, &ep[1], words, sizeof words, UET_RIGHT_READ | UET_RIGHT_WRITE, KEY), 0);
    rma = at(KEY, 4);
    assert_int_equal(uet_ep_atomic(&ep[0], &amo, &rma, &c), 0);
    assert_int_equal(only(0).kind, UET_EP_ATOMIC);
    assert_int_equal(words[1], 42);
    amo.into = &old;
    assert_int_equal(uet_ep_atomic(&ep[0], &amo, &rma, &c), 0);
    assert_int_equal(only(0).error, 0);
    assert_int_equal(old, 42);
    assert_int_equal(words[1], 44);
    amo.opcode = UET_AMO_CSWAP;
    amo.operand = &seven;
    assert_int_equal(uet_ep_atomic(&ep[0], &amo, &rma, &c), -EINVAL); /* with what? */
    amo.compare = &forty;
    for (unsigned i = 1; i < 3; i++) {
        rma = at(KEY, 4 * i);
        assert_int_equal(uet_ep_atomic(&ep[0], &amo, &rma, &c), 0);
        assert_int_equal(only(0).error, 0);
        assert_int_equal(old, i == 1 ? 44 : 40);
    }
    assert_int_equal(words[1], 44);
    assert_int_equal(words[2], 7);
    assert_int_equal(words[0] + words[3], 0);
    assert_int_equal(ep[0].counts[UET_EP_ATOMIC].done, 4);
}

/* ---- what the configuration and the address say ---- */

static void test_modes(void **state)
{
    struct uet_context receive = {0}, send = {0};
    struct uet_ep_config c = usual(0);
    struct uet_rma rma;
    struct uet_mr mr;
    (void)state;
    for (uint8_t mode = UET_MODE_RUD; mode <= UET_MODE_UUD; mode++) {
        c.mode = mode;
        open_as(c, usual(1), 16);
        assert_int_equal(uet_mr_open(&mr, &ep[1], memory, 16, UET_RIGHT_WRITE, SAFE_KEY), 0);
        rma = at(SAFE_KEY, 0);
        assert_int_equal(uet_ep_recv(&ep[1], memory + 16, 16, &receive), 0);
        int rc = uet_ep_send(&ep[0], bytes, 16, &address[1], &send);
        assert_int_equal(rc, mode == UET_MODE_RUDI ? -EINVAL : 0); /* SES-085 */
        if (!rc) {
            assert_int_equal(only(0).error, 0);
            assert_memory_equal(memory + 16, bytes, 16);
        }
        rc = uet_ep_write(&ep[0], bytes, 16, &rma, &send);
        assert_int_equal(rc, mode == UET_MODE_UUD ? -EINVAL : 0); /* SES-038 */
        if (!rc) {
            assert_int_equal(only(0).error, 0);
            assert_memory_equal(memory, bytes, 16);
        }
        assert_int_equal(uet_fep_pdcs(pair.domains[0].fep, true) > 0, mode <= UET_MODE_ROD);
        receive = (struct uet_context){0};
    }
}

static void test_long_messages(void **state)
{
    struct uet_context receive = {0}, send = {0};
    struct uet_ep_config c = usual(1);
    struct uet_cq_entry e;
    (void)state;
    open_usual();
    assert_int_equal(uet_ep_recv(&ep[1], memory, 100, &receive), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 200, &address[1], &send), 0);
    assert_told(only(0), UET_RC_TOO_LONG); /* SES-101 */
    receive = (struct uet_context){0};
    c.truncate = true;
    open_as(usual(0), c, 16);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 100, &receive), 0);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 200, &address[1], &send), 0);
    e = only(0);
    assert_int_equal(e.error, 0);
    assert_int_equal(e.what.length, 100); /* SES-102: modified_length */
    assert_int_equal(only(1).what.length, 100);
    assert_memory_equal(memory, bytes, 100);
    assert_int_equal(memory[100], 0);
}

/* A receive that asks for a sender waits for that one; data goes with messages, too. */
static void test_tags_and_data(void **state)
{
    struct uet_context receives[3] = {0}, sends[3] = {0};
    struct uet_cq_entry e;
    struct uet_ep_address other;
    (void)state;
    open_usual();
    other = address[0];
    other.initiator = INITIATOR + 50;
    assert_int_equal(uet_ep_trecv(&ep[1], memory, 16, &other, 0x11, 0, &receives[0]), 0);
    assert_int_equal(uet_ep_trecv(&ep[1], memory, 16, &address[0], 0x10, 0x0f, &receives[1]), 0);
    assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receives[2]), 0);
    assert_int_equal(uet_ep_tsenddata(&ep[0], bytes, 16, 77, &address[1], 0x11, &sends[0]), 0);
    e = only(1);
    assert_ptr_equal(e.context, &receives[1]);
    assert_int_equal(e.what.match_bits, 0x11);
    assert_true(e.what.has_header_data);
    assert_int_equal(e.what.header_data, 77);
    assert_int_equal(uet_ep_senddata(&ep[0], bytes, 16, 88, &address[1], &sends[1]), 0);
    e = only(1);
    assert_ptr_equal(e.context, &receives[2]);
    assert_int_equal(e.what.header_data, 88);
    assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &sends[2]), 0);
    pair_run(&pair);
    assert_int_equal(ep[0].counts[UET_EP_SEND].done, 2);
    assert_int_equal(ep[0].counts[UET_EP_SEND].failed, 1); /* a tagged receive is no other's */
}

/* The JobID is part of a relative name (SES-050) and of no absolute one (SES-051). */
static void test_absolute_address(void **state)
{
    struct uet_ep_config other_job = usual(0), target = usual(1);
    struct uet_context receive = {0}, send = {0};
    (void)state;
    other_job.job_id = JOB + 1;
    for (int absolute = 0; absolute < 2; absolute++) {
        target.absolute = absolute;
        open_as(other_job, target, 16);
        assert_int_equal(address[1].absolute, absolute);
        assert_int_equal(uet_ep_recv(&ep[1], memory, 16, &receive), 0);
        assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &send), 0);
        assert_told(only(0), absolute ? UET_RC_PERM_VIOLATION : UET_RC_BAD_JOB_ID);
        receive = (struct uet_context){0};
    }
}

/* What a request says of the endpoint that it comes from, and of the one that it goes to. */
static void test_request_on_the_wire(void **state)
{
    struct uet_ep_config c = usual(0);
    struct uet_context send = {0};
    struct uet_packet p;
    uint8_t frame[UET_FRAME_MAX];
    (void)state;
    c.mode = UET_MODE_ROD;
    c.delivery_complete = true;
    open_as(c, usual(1), 16);
    address[1].pid_on_fep = PID + 1;
    address[1].resource_index = RI + 1;
    assert_int_equal(uet_ep_tsend(&ep[0], bytes, 16, &address[1], 0x77, &send), 0);
    size_t n = uet_fep_transmit(pair.domains[0].fep, frame, sizeof frame, pair.now_ns);
    assert_int_equal(uet_parse(&p, frame, n, NULL), UET_PARSE_OK);
    assert_int_equal(uet_rud_rod_req_type(uet_pds(&p)), UET_PDS_ROD_REQ);
    const uint8_t *ses = uet_ses(&p);
    assert_int_equal(uet_ses_req_opcode(ses), UET_OP_TAGGED_SEND);
    assert_int_equal(uet_ses_req_rel(ses), 1);
    assert_int_equal(uet_ses_req_dc(ses), 1);
    assert_int_equal(uet_ses_req_job_id(ses), JOB);
    assert_int_equal(uet_ses_req_pid_on_fep(ses), PID + 1);
    assert_int_equal(uet_ses_req_resource_index(ses), RI + 1);
    assert_int_equal(uet_ses_req_initiator(ses), INITIATOR);
    assert_int_equal(uet_ses_req_match_bits_or_memory_key(ses), 0x77);
}

/* Each traffic class has its own PDC (PDS-011). */
static void test_traffic_class(void **state)
{
    struct uet_ep_config c = usual(0);
    struct uet_context sends[2] = {0};
    struct uet_ep other;
    (void)state;
    open_usual();
    c.resource_index = RI + 1;
    c.spaces = UET_EP_IN(UET_RI_SEND);
    for (uint8_t tc = 0; tc < 2; tc++) {
        c.traffic_class = tc;
        assert_int_equal(uet_ep_open(&other, &pair.domains[0], &c), 0);
        assert_int_equal(uet_ep_send(&ep[0], bytes, 16, &address[1], &sends[0]), 0);
        assert_int_equal(uet_ep_send(&other, bytes, 16, &address[1], &sends[1]), 0);
        assert_int_equal(uet_fep_pdcs(pair.domains[0].fep, true), 1 + tc);
        pair_run(&pair);
        assert_int_equal(uet_ep_close(&other), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endpoint_errors),
        cmocka_unit_test(test_spaces_and_services),
        cmocka_unit_test(test_attempt_leaves_nothing_open),
        cmocka_unit_test(test_close_and_open_again),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_spaces_that_are_not_open),
        cmocka_unit_test(test_context_stands_for_one_thing),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_error_of_the_peer),
        cmocka_unit_test(test_peer_is_silent),
        cmocka_unit_test(test_cancel_of_nothing),
        cmocka_unit_test(test_cancel_takes_its_own),
        cmocka_unit_test(test_cancel_comes_too_late),
        cmocka_unit_test(test_full_queue_loses_nothing),
        cmocka_unit_test(test_write_with_data),
        cmocka_unit_test(test_region_errors),
        cmocka_unit_test(test_region_is_busy),
        cmocka_unit_test(test_counters_alone),
        cmocka_unit_test(test_stray_completion),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_long_messages),
        cmocka_unit_test(test_tags_and_data),
        cmocka_unit_test(test_absolute_address),
        cmocka_unit_test(test_request_on_the_wire),
        cmocka_unit_test(test_traffic_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
