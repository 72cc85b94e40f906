/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two reference FEPs in one small fixture with virtual time, driven through the verbs. What the
 * packets look like is tested elsewhere: here it is what the verbs promise (docs/upper-tester.md).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/host/tests/pair.h"
#include "ut/known.h"

enum { MS = PAIR_MS, JOB = 1, RI = 4, KEY = 0x77 };

/* ---- the fixture ---- */

/* From now on nothing arrives. */
static void cut(void)
{
    const struct uet_fabric_faults faults = {.down = true};

    for (int back = 0; back < 2; back++)
        uet_fabric_set_faults(fabric, 0, back, &faults);
}

static void as_here(struct uet_host_config *config, const struct end *end)
{
    config->memory_max = end == a ? 1 << 20 : 0;
    config->fep.params.Max_RTO_Retx_Cnt = 2;
}

static int set_up(void **state)
{
    (void)state;
    pair_open(
        &(struct pair_config){.cable = {0, 1, {.latency_ns = PAIR_LATENCY_NS}}, .host = as_here});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pair_close();
    return 0;
}

/* ---- helpers ---- */

static void open_service(struct end *end, enum uet_ut_class ri_class)
{
    const struct uet_ut_service service = {
        .job_id = JOB, .resource_index = RI, .ri_class = (uint8_t)ri_class};

    assert_int_equal(uet_ut_service(end->ut, &service), 0);
}

static uint64_t register_memory(struct end *end, uint32_t length, uint8_t fill)
{
    const struct uet_ut_memory memory = {
        .job_id = JOB, .resource_index = RI, .key = KEY, .length = length, .fill = fill};
    uint64_t handle = 0, key = 0;

    open_service(end, UET_UT_RMA);
    if (uet_ut_reg_mem(end->ut, &memory, &handle, &key))
        fail_msg("%s", end->ut->error);
    assert_int_equal(key, KEY);
    return handle;
}

static uint64_t post(struct end *end, uint32_t length, bool truncate)
{
    const struct uet_ut_receive receive = {
        .job_id = JOB, .resource_index = RI, .length = length, .truncate = truncate};
    uint64_t handle = 0;

    assert_int_equal(uet_ut_post_recv(end->ut, &receive, &handle), 0);
    return handle;
}

static struct uet_ut_operation to_b(uint32_t length)
{
    return (struct uet_ut_operation){.to = b->address,
                                     .job_id = JOB,
                                     .resource_index = RI,
                                     .relative = true,
                                     .initiator = 9,
                                     .key = KEY,
                                     .length = length,
                                     .seed = 3};
}

static struct uet_ut_completion one_completion(struct end *end)
{
    struct uet_ut_completion c[2];
    int n = uet_ut_wait(end->ut, c, 2);

    if (n != 1)
        fail_msg("%d completions, %s", n, end->ut->error);
    return c[0];
}

static void no_completion(struct end *end)
{
    struct uet_ut_completion c;

    assert_int_equal(uet_ut_wait(end->ut, &c, 1), 0);
}

static void assert_pattern(struct end *end, uint64_t handle, uint64_t offset, uint32_t length)
{
    uint8_t *got = malloc(length), *want = malloc(length);

    assert_int_equal(uet_ut_get_mem(end->ut, handle, offset, got, length), 0);
    uet_ut_pattern(want, length, 0, 3);
    assert_memory_equal(got, want, length);
    free(got);
    free(want);
}

/* ---- talking ---- */

static void hello(void **state)
{
    struct uet_ut_about about;
    uint64_t value = 0;

    (void)state;
    assert_int_equal(uet_ut_hello(b->ut, &about), 0);
    assert_string_equal(about.name, "uetkit reference FEP");
    assert_string_equal(about.spec, "1.0.3");
    assert_true(uet_ip_equal(&about.address, &b->address));
    assert_int_equal(about.payload_mtu, 1024);
    assert_int_equal(uet_ut_param(b->ut, "RTO_Init_Time", &value), 0);
    assert_int_equal(value, 5 * MS);
    assert_int_equal(uet_ut_has_verb(b->ut, "close_request"), 1);
    assert_int_equal(uet_ut_has_verb(b->ut, "jump"), 0);
    for (uint8_t mode = UET_UT_MODE_RUD; mode <= UET_UT_MODE_UUD; mode++)
        assert_int_equal(uet_ut_has_mode(b->ut, mode), 1);
    assert_int_equal(uet_ut_has_mode(b->ut, UET_UT_MODE_UUD + 1), 0);
}

/* The list of verbs for adapters is that of this FEP, and `violate`, which only the bent one has.
 */
static void verbs_are_known(void **state)
{
    json_t *reply = NULL, *verb;
    size_t i;

    (void)state;
    assert_int_equal(uet_ut_call(b->ut, json_pack("{s:s}", "verb", "hello"), &reply), 0);
    json_array_foreach(json_object_get(reply, "verbs"), i, verb)
    {
        if (!uet_ut_known_find(json_string_value(verb)))
            fail_msg("ut/known.c lacks %s", json_string_value(verb));
    }
    assert_int_equal(i, uet_ut_n_known);
    json_decref(reply);
}

/* RUDI writes and datagrams through the verbs (docs/upper-tester.md). */
static void modes(void **state)
{
    const struct uet_ut_memory memory = {
        .job_id = JOB, .resource_index = RI, .key = 1ull << 63 | KEY, .length = 8192};
    struct uet_ut_operation op = to_b(5000);
    uint64_t region = 0, buffer;
    struct uet_ut_completion c;

    (void)state;
    open_service(b, UET_UT_RMA);
    open_service(b, UET_UT_SEND);
    assert_int_equal(uet_ut_reg_mem(b->ut, &memory, &region, NULL), 0);
    buffer = post(b, 1024, false);
    op.mode = UET_UT_MODE_RUDI;
    op.key = memory.key;
    assert_int_equal(uet_ut_write(a->ut, &op, NULL), 0);
    pass(MS);
    c = one_completion(a);
    assert_int_equal(c.kind, UET_UT_KIND_WRITE);
    assert_int_equal(c.status, UET_UT_OK);
    assert_pattern(b, region, 0, 5000);
    op = to_b(1000);
    op.mode = UET_UT_MODE_UUD;
    assert_int_equal(uet_ut_send(a->ut, &op, NULL), 0);
    c = one_completion(a); /* at once, and without a return code */
    assert_int_equal(c.kind, UET_UT_KIND_SEND);
    assert_int_equal(c.status, UET_UT_OK);
    assert_int_equal(c.return_code, 0);
    pass(MS);
    c = one_completion(b);
    assert_int_equal(c.kind, UET_UT_KIND_RECV);
    assert_int_equal(c.handle, buffer);
    assert_int_equal(c.length, 1000);
    assert_pattern(b, buffer, 0, 1000);
    assert_int_equal(counter(a, "pdcs_initiator"), 0);
    assert_int_equal(counter(b, "pdcs_target"), 0);
}

/* Requests that must be refused, with words that the reason holds. */
static void refusals(void **state)
{
    static const struct {
        const char *request, *words;
    } cases[] = {
        {"{}", "\"verb\" is missing"},
        {"{\"verb\":5}", "not a string"},
#define TO "\"to\":\"192.0.2.2\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4"
        {"{\"verb\":\"no_op\"," TO ",\"mode\":\"rudy\"}", "give rud, rod, rudi or uud"},
        {"{\"verb\":\"no_op\"," TO ",\"mode\":\"uud\"}", "use the verb send"},
        {"{\"verb\":\"send\"," TO ",\"mode\":\"uud\",\"length\":1025}", "at most 1024 bytes"},
        {"{\"verb\":\"send\"," TO ",\"mode\":\"rudi\",\"length\":1}", "use write or read"},
        {"{\"verb\":\"write\"," TO ",\"mode\":\"rudi\",\"length\":1,\"key\":1}", "bit 63"},
        {"{\"verb\":\"write\"," TO ",\"mode\":\"rudi\",\"length\":1,"
         "\"key\":\"0x8000000000000001\",\"header_data\":1}",
         "carries no \"header_data\""},
#undef TO
        {"{\"verb\":\"jump\"}", "no verb \"jump\""},
        {"{\"verb\":\"hello\",\"x\":1}", "no argument \"x\""},
        {"{\"verb\":\"set\",\"name\":\"RTO_Init_Time\"}", "\"value\" is missing"},
        {"{\"verb\":\"set\",\"name\":\"Nothing\",\"value\":1}", "no parameter \"Nothing\""},
        {"{\"verb\":\"set\",\"name\":\"Max_RTO_Retx_Cnt\",\"value\":16}", "does not take"},
        {"{\"verb\":\"set\",\"name\":\"RTO_Init_Time\",\"value\":-1}", "out of range"},
        {"{\"verb\":\"service\",\"job_id\":16777216,\"pid_on_fep\":0,\"resource_index\":0,"
         "\"class\":\"rma\"}",
         "\"job_id\" is out of range: give 0 to 16777215"},
        {"{\"verb\":\"service\",\"job_id\":1,\"pid_on_fep\":4096,\"resource_index\":0,"
         "\"class\":\"rma\"}",
         "\"pid_on_fep\" is out of range: give 0 to 4095"},
        {"{\"verb\":\"service\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4096,"
         "\"class\":\"rma\"}",
         "\"resource_index\" is out of range: give 0 to 4095"},
        {"{\"verb\":\"service\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":0}",
         "\"class\" is missing"},
        {"{\"verb\":\"service\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":0,"
         "\"class\":\"rdma\"}",
         "give rma, send or tagged"},
        {"{\"verb\":\"service\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":0,"
         "\"class\":\"rma\",\"disabled\":1}",
         "neither true nor false"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,"
         "\"length\":1}",
         "\"key\" is missing"},
        {"{\"verb\":\"reg_mem\",\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,\"length\":1}",
         "\"job_id\" is missing"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1}",
         "\"length\" is missing"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,"
         "\"length\":0}",
         "at least one byte"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,"
         "\"data\":\"0\"}",
         "odd number of hex digits"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,"
         "\"data\":\"0g\"}",
         "no hex digit"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,"
         "\"data\":\"00\",\"length\":2}",
         "leave one out"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,"
         "\"length\":1,\"rights\":[\"fly\"]}",
         "a right is"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,"
         "\"length\":1,\"rights\":\"read\"}",
         "not a list"},
        {"{\"verb\":\"reg_mem\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,\"key\":1,"
         "\"length\":1048577}",
         "no memory"},
        {"{\"verb\":\"post_recv\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4,"
         "\"length\":1048577}",
         "no memory"},
        {"{\"verb\":\"get_mem\",\"handle\":99,\"length\":1}", "names no memory"},
        {"{\"verb\":\"get_mem\",\"handle\":1,\"length\":1048577}", "out of range"},
        {"{\"verb\":\"no_op\",\"job_id\":1,\"pid_on_fep\":0,\"resource_index\":4}",
         "\"to\" is missing"},
        {"{\"verb\":\"no_op\",\"to\":\"nowhere\",\"job_id\":1,\"pid_on_fep\":0,"
         "\"resource_index\":4}",
         "give an IPv4 or IPv6 address"},
        {"{\"verb\":\"no_op\",\"to\":\"192.0.2.2\",\"job_id\":1,\"pid_on_fep\":0,"
         "\"resource_index\":4,\"length\":1}",
         "no argument \"length\""},
        {"{\"verb\":\"send\",\"to\":\"192.0.2.2\",\"job_id\":1,\"pid_on_fep\":0,"
         "\"resource_index\":4}",
         "\"length\" is missing"},
        {"{\"verb\":\"send\",\"to\":\"192.0.2.2\",\"job_id\":1,\"pid_on_fep\":0,"
         "\"resource_index\":4,\"length\":1,\"data\":\"00\"}",
         "give one of them"},
        {"{\"verb\":\"send\",\"to\":\"192.0.2.2\",\"job_id\":1,\"pid_on_fep\":0,"
         "\"resource_index\":4,\"length\":1,\"header\":\"big\"}",
         "give std, small or medium"},
        {"{\"verb\":\"write\",\"to\":\"192.0.2.2\",\"job_id\":1,\"pid_on_fep\":0,"
         "\"resource_index\":4,\"length\":1}",
         "\"key\" is missing"},
        {"{\"verb\":\"wait\",\"max\":5000}", "out of range"},
        {"{\"verb\":\"close\",\"to\":\"x\"}", "give an IPv4 or IPv6 address"},
        {"{\"verb\":\"violate\",\"requirement\":\"PDS-087\"}", "uetfep-bent"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *reply = NULL;

        if (uet_ut_call(a->ut, json_loads(cases[i].request, 0, NULL), &reply) != -EPROTO)
            fail_msg("not refused: %s", cases[i].request);
        if (!strstr(a->ut->error, cases[i].words))
            fail_msg("\"%s\" does not say \"%s\"", a->ut->error, cases[i].words);
        json_decref(reply);
    }
    assert_int_equal(counter(a, "host_frames_lost"), 0);
    assert_int_equal(counter(a, "pdcs_initiator"), 0);
}

static void reply_has_the_id_of_the_request(void **state)
{
    json_t *request = json_pack("{s:i, s:s}", "id", 42, "verb", "reset");
    json_t *reply = uet_host_handle(a->host, request);

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(reply, "id")), 42);
    assert_true(json_is_true(json_object_get(reply, "ok")));
    json_decref(reply);
    json_decref(request);
    request = json_object();
    reply = uet_host_handle(a->host, request);
    assert_true(json_is_null(json_object_get(reply, "id")));
    assert_true(json_is_false(json_object_get(reply, "ok")));
    json_decref(reply);
    json_decref(request);
}

/* ---- memory ---- */

static void memory_is_as_asked(void **state)
{
    uint64_t handle = register_memory(a, 5000, 0xa5);
    const struct uet_ut_memory given = {
        .any_job = true, .resource_index = RI, .key = 2, .length = 3, .data = "\x01\x02\x03"};
    uint8_t bytes[5000];
    uint64_t second = 0;

    (void)state;
    assert_int_equal(uet_ut_get_mem(a->ut, handle, 0, bytes, 5000), 0);
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(bytes[i], 0xa5);
    assert_int_equal(uet_ut_reg_mem(a->ut, &given, &second, NULL), 0);
    assert_true(second != handle);
    assert_int_equal(uet_ut_get_mem(a->ut, second, 1, bytes, 2), 0);
    assert_memory_equal(bytes, "\x02\x03", 2);
    assert_int_equal(uet_ut_get_mem(a->ut, second, 1, bytes, 3), -EPROTO);
    assert_int_equal(uet_ut_get_mem(a->ut, second, 4, bytes, 1), -EPROTO);
    assert_int_equal(uet_ut_reg_mem(a->ut, &given, &second, NULL), -EPROTO); /* key taken */
}

static void limit_of_memory(void **state)
{
    const struct uet_ut_receive large = {.any_job = true, .length = 1 << 20};

    (void)state;
    assert_int_equal(uet_ut_post_recv(a->ut, &large, NULL), 0);
    assert_int_equal(uet_ut_post_recv(a->ut, &large, NULL), -EPROTO);
    assert_int_equal(uet_ut_reset(a->ut), 0);
    assert_int_equal(uet_ut_post_recv(a->ut, &large, NULL), 0);
}

/* ---- operations ---- */

static void no_op_comes_back(void **state)
{
    struct uet_ut_operation op = to_b(0);
    struct uet_ut_completion c;
    uint64_t handle = 0;

    (void)state;
    open_service(b, UET_UT_SEND);
    open_service(b, UET_UT_RMA);
    assert_int_equal(uet_ut_no_op(a->ut, &op, &handle), 0);
    no_completion(a); /* nothing blocks, and no time has passed */
    pass(MS);
    c = one_completion(a);
    assert_int_equal(c.handle, handle);
    assert_int_equal(c.kind, UET_UT_KIND_NO_OP);
    assert_int_equal(c.status, UET_UT_OK);
    assert_int_equal(c.return_code, 1); /* RC_OK, Table 3-19 */
    assert_true(uet_ip_equal(&c.peer, &b->address));
    no_completion(a);
    no_completion(b);
    assert_int_equal(counter(a, "pdcs_initiator"), 1);
    assert_int_equal(counter(b, "pdcs_target"), 1);
}

static void write_lands(void **state)
{
    uint64_t handle = register_memory(b, 20000, 0xee), operation = 0;
    struct uet_ut_operation op = to_b(10000);
    struct uet_ut_completion c;
    uint8_t around[2];

    (void)state;
    op.offset = 100;
    assert_int_equal(uet_ut_write(a->ut, &op, &operation), 0);
    pass(10 * MS);
    c = one_completion(a);
    assert_int_equal(c.handle, operation);
    assert_int_equal(c.kind, UET_UT_KIND_WRITE);
    assert_int_equal(c.status, UET_UT_OK);
    assert_int_equal(c.length, 10000);
    no_completion(b); /* no immediate data, no completion at the target */
    assert_pattern(b, handle, 100, 10000);
    assert_int_equal(uet_ut_get_mem(b->ut, handle, 99, &around[0], 1), 0);
    assert_int_equal(uet_ut_get_mem(b->ut, handle, 10100, &around[1], 1), 0);
    assert_memory_equal(around, "\xee\xee", 2);
}

/* The bytes come into memory of the read's own handle, which outlives the completion. */
static void read_brings_bytes(void **state)
{
    static const uint32_t lengths[] = {16, 10000}; /* in the ACK, on the return direction */
    static uint8_t want[10000], got[10000];
    (void)state;
    open_service(b, UET_UT_RMA);
    for (size_t i = 0; i < 2; i++) {
        uet_ut_pattern(want, sizeof(want), 0, 0);
        const struct uet_ut_memory memory = {.job_id = JOB,
                                             .resource_index = RI,
                                             .key = 0x9000 + i,
                                             .length = 10000,
                                             .data = want,
                                             .no_write = true};
        struct uet_ut_operation op = to_b(lengths[i]);
        struct uet_ut_completion c;
        uint64_t handle, operation;

        assert_int_equal(uet_ut_reg_mem(b->ut, &memory, &handle, NULL), 0);
        op.key = memory.key;
        assert_int_equal(uet_ut_read(a->ut, &op, &operation), 0);
        assert_int_equal(uet_ut_get_mem(a->ut, operation, 0, got, 1), 0);
        assert_int_equal(got[0], 0);
        pass(10 * MS);
        c = one_completion(a);
        assert_int_equal(c.handle, operation);
        assert_int_equal(c.kind, UET_UT_KIND_READ);
        assert_int_equal(c.status, UET_UT_OK);
        assert_int_equal(c.length, lengths[i]);
        no_completion(b);
        assert_int_equal(uet_ut_get_mem(a->ut, operation, 0, got, lengths[i]), 0);
        assert_memory_equal(got, want, lengths[i]);
        op.key = 0x77; /* none such */
        assert_int_equal(uet_ut_read(a->ut, &op, NULL), 0);
        pass(10 * MS);
        c = one_completion(a);
        assert_int_equal(c.status, UET_UT_SES_ERROR);
        assert_int_equal(c.return_code, 28); /* RC_BAD_MKEY */
    }
}

/* The old value comes into memory of the operation's own handle; the sum stands at the target. */
static void fetching_atomic_brings_the_old_value(void **state)
{
    const uint64_t before = 0x0102030405060708;
    const struct uet_ut_memory memory = {.job_id = JOB,
                                         .resource_index = RI,
                                         .key = 0x9000,
                                         .length = sizeof(before),
                                         .data = &before};
    struct uet_ut_operation op = to_b(0);
    struct uet_ut_completion c;
    uint64_t handle, operation, got;

    (void)state;
    open_service(b, UET_UT_RMA);
    assert_int_equal(uet_ut_reg_mem(b->ut, &memory, &handle, NULL), 0);
    op.key = memory.key;
    const uint64_t less = UINT64_MAX;
    op.data = &less;
    op.length = sizeof(less);
    op.amo = UET_AMO_SUM;
    op.datatype = UET_TYPE_UINT64;
    assert_int_equal(uet_ut_fetching_atomic(a->ut, &op, &operation), 0);
    pass(10 * MS);
    c = one_completion(a);
    assert_int_equal(c.handle, operation);
    assert_int_equal(c.kind, UET_UT_KIND_FETCHING_ATOMIC);
    assert_int_equal(c.status, UET_UT_OK);
    assert_int_equal(c.length, 8);
    no_completion(b);
    assert_int_equal(uet_ut_get_mem(a->ut, operation, 0, &got, sizeof(got)), 0);
    assert_true(got == before);
    assert_int_equal(uet_ut_get_mem(b->ut, handle, 0, &got, sizeof(got)), 0);
    assert_true(got == before - 1);
    op.offset = 4;
    assert_int_equal(uet_ut_fetching_atomic(a->ut, &op, NULL), 0);
    pass(10 * MS);
    c = one_completion(a);
    assert_int_equal(c.status, UET_UT_SES_ERROR);
    assert_int_equal(c.return_code, 29); /* RC_BAD_ADDR: 4 bytes beyond the end */
    op.datatype = 0x12;                  /* reserved */
    assert_int_equal(uet_ut_fetching_atomic(a->ut, &op, NULL), -EPROTO);
    assert_non_null(strstr(a->ut->error, "has it this \"amo\""));
    op.data = NULL;
    op.length = 0x55555556; /* three times that is 2 more than 2^32 */
    assert_int_equal(uet_ut_fetching_atomic(a->ut, &op, NULL), -EPROTO);
    assert_non_null(strstr(a->ut->error, "no memory"));
}

static void write_with_immediate_is_told(void **state)
{
    uint64_t handle = register_memory(b, 64, 0);
    struct uet_ut_operation op = to_b(8);
    struct uet_ut_completion c;

    (void)state;
    op.has_header_data = true;
    op.header_data = 0x8877665544332211;
    op.data = "ABCDEFGH";
    assert_int_equal(uet_ut_write(a->ut, &op, NULL), 0);
    pass(MS);
    assert_int_equal(one_completion(a).status, UET_UT_OK);
    c = one_completion(b);
    assert_int_equal(c.handle, handle);
    assert_int_equal(c.kind, UET_UT_KIND_IMM);
    assert_true(c.has_header_data);
    assert_true(c.header_data == 0x8877665544332211);
    assert_int_equal(c.job_id, JOB);
    assert_int_equal(c.initiator, 9);
    assert_true(uet_ip_equal(&c.peer, &a->address));
}

static void send_fills_a_receive(void **state)
{
    struct uet_ut_operation op = to_b(5000);
    struct uet_ut_completion c;
    uint64_t handle;

    (void)state;
    open_service(b, UET_UT_SEND);
    handle = post(b, 8000, false);
    assert_int_equal(uet_ut_send(a->ut, &op, NULL), 0);
    pass(10 * MS);
    c = one_completion(a);
    assert_int_equal(c.kind, UET_UT_KIND_SEND);
    assert_int_equal(c.status, UET_UT_OK);
    c = one_completion(b);
    assert_int_equal(c.handle, handle);
    assert_int_equal(c.kind, UET_UT_KIND_RECV);
    assert_int_equal(c.status, UET_UT_OK);
    assert_int_equal(c.length, 5000);
    assert_int_equal(c.initiator, 9);
    assert_pattern(b, handle, 0, 5000);
}

static void receive_posted_again(void **state)
{
    struct uet_ut_operation op = to_b(100);
    json_t *reply;

    (void)state;
    open_service(b, UET_UT_SEND);
    assert_int_equal(
        uet_ut_call(b->ut,
                    json_pack("{s:s, s:i, s:i, s:i, s:i, s:b}", "verb", "post_recv", "job_id", JOB,
                              "pid_on_fep", 0, "resource_index", RI, "length", 100, "repost", 1),
                    &reply),
        0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(uet_ut_send(a->ut, &op, NULL), 0);
        pass(10 * MS);
        assert_int_equal(one_completion(a).status, UET_UT_OK);
        assert_int_equal(one_completion(b).handle,
                         json_integer_value(json_object_get(reply, "handle")));
    }
    json_decref(reply);
}

static void too_long_a_send(void **state)
{
    struct uet_ut_operation op = to_b(500);
    struct uet_ut_completion c;

    (void)state;
    open_service(b, UET_UT_SEND);
    (void)post(b, 400, false);
    assert_int_equal(uet_ut_send(a->ut, &op, NULL), 0);
    pass(10 * MS);
    c = one_completion(a);
    assert_int_equal(c.status, UET_UT_SES_ERROR);
    assert_int_equal(c.return_code, 34); /* RC_TOO_LONG, Table 3-19 */
}

static void nobody_of_that_job(void **state)
{
    struct uet_ut_operation op = to_b(10);
    struct uet_ut_completion c;

    (void)state;
    (void)register_memory(b, 64, 0);
    op.job_id = JOB + 1;
    assert_int_equal(uet_ut_write(a->ut, &op, NULL), 0);
    pass(10 * MS);
    c = one_completion(a);
    assert_int_equal(c.status, UET_UT_SES_ERROR);
    assert_int_equal(c.return_code, 27); /* RC_BAD_JOB_ID, Table 3-19 */
}

static void service_is_changed(void **state)
{
    struct uet_ut_service service = {.job_id = JOB, .resource_index = RI, .disabled = true};
    struct uet_ut_operation op = to_b(10);

    (void)state;
    (void)register_memory(b, 64, 0);
    assert_int_equal(uet_ut_service(b->ut, &service), 0);
    assert_int_equal(uet_ut_write(a->ut, &op, NULL), 0);
    pass(10 * MS);
    assert_int_equal(one_completion(a).return_code, 3); /* RC_DISABLED, Table 3-19 */
    service.disabled = false;
    assert_int_equal(uet_ut_service(b->ut, &service), 0);
    assert_int_equal(uet_ut_write(a->ut, &op, NULL), 0);
    pass(10 * MS);
    assert_int_equal(one_completion(a).status, UET_UT_OK);
}

static void silence_ends_in_an_error(void **state)
{
    struct uet_ut_operation op = to_b(0);
    struct uet_ut_completion c;

    (void)state;
    cut();
    assert_int_equal(uet_ut_no_op(a->ut, &op, NULL), 0);
    pass(4 * MS);
    no_completion(a);
    pass(1000 * (uint64_t)MS);
    c = one_completion(a);
    assert_int_equal(c.status, UET_UT_PDS_ERROR);
    assert_int_equal(counter(a, "pdcs_initiator"), 0);
}

static void completions_are_told_once_and_in_order(void **state)
{
    struct uet_ut_operation op = to_b(0);
    struct uet_ut_completion c[100];
    uint64_t handles[100];

    (void)state;
    open_service(b, UET_UT_SEND);
    open_service(b, UET_UT_RMA);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(uet_ut_no_op(a->ut, &op, &handles[i]), 0);
        pass(MS);
    }
    assert_int_equal(uet_ut_wait(a->ut, c, 30), 30);
    assert_int_equal(uet_ut_wait(a->ut, c + 30, 70), 70);
    for (int i = 0; i < 100; i++)
        assert_int_equal(c[i].handle, handles[i]);
    no_completion(a);
}

static void close_ends_the_pdcs(void **state)
{
    struct uet_ut_operation op = to_b(0);

    (void)state;
    open_service(b, UET_UT_SEND);
    open_service(b, UET_UT_RMA);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(uet_ut_no_op(a->ut, &op, NULL), 0);
        pass(10 * MS);
        assert_int_equal(counter(a, "pdcs_initiator"), 1);
        assert_int_equal(counter(b, "pdcs_target"), 1);
        if (i == 0)
            assert_int_equal(uet_ut_close_pdcs(a->ut, &b->address), 0);
        else
            assert_int_equal(uet_ut_close_request(b->ut, NULL), 0);
        pass(10 * MS);
        assert_int_equal(counter(a, "pdcs_initiator"), 0);
        assert_int_equal(counter(b, "pdcs_target"), 0);
    }
}

static void reset_forgets(void **state)
{
    uint64_t handle = register_memory(b, 64, 0);
    struct uet_ut_operation op = to_b(8);
    uint64_t value = 0;
    uint8_t byte;

    (void)state;
    assert_int_equal(uet_ut_write(a->ut, &op, NULL), 0);
    pass(MS);
    assert_int_equal(uet_ut_set(a->ut, "RTO_Init_Time", 7 * MS), 0);
    assert_int_equal(uet_ut_param(a->ut, "RTO_Init_Time", &value), 0);
    assert_int_equal(value, 7 * MS);
    assert_int_equal(uet_ut_write(a->ut, &op, NULL), 0); /* in flight: its memory goes as well */
    assert_int_equal(uet_ut_reset(a->ut), 0);
    assert_int_equal(uet_ut_reset(b->ut), 0);
    assert_int_equal(uet_ut_param(a->ut, "RTO_Init_Time", &value), 0);
    assert_int_equal(value, 5 * MS);
    assert_int_equal(counter(a, "pdcs_initiator"), 0);
    assert_int_equal(counter(b, "pdcs_target"), 0);
    assert_int_equal(uet_ut_get_mem(b->ut, handle, 0, &byte, 1), -EPROTO);
    pass(100 * MS);
    no_completion(a);
    no_completion(b);
    assert_true(register_memory(b, 64, 0) > handle);
}

/* ---- as the device of a memory port ---- */

static void on_a_memory_port(void **state)
{
    struct uet_port *port;
    struct uet_ut_operation op;
    struct uet_frame frame;

    (void)state;
    assert_int_equal(uet_host_mem_port(a->host, PAIR_LATENCY_NS, &port), 0);
    op = to_b(0);
    assert_int_equal(uet_ut_no_op(a->ut, &op, NULL), 0);
    assert_int_equal(uet_port_receive(port, &frame, 1, UET_MEM_START_NS + MS), 1);
    assert_int_equal(frame.time_ns, UET_MEM_START_NS + PAIR_LATENCY_NS);
    /* The timer of the verb was heard of: the resend comes by itself. */
    assert_int_equal(uet_port_receive(port, &frame, 1, UET_MEM_START_NS + 1000 * (uint64_t)MS), 1);
    assert_true(frame.time_ns >= UET_MEM_START_NS + 5 * MS);
    uet_port_close(port);
}

static void configuration_refused(void **state)
{
    struct uet_host_config config;
    struct uet_host *host = NULL;

    (void)state;
    uet_host_config_default(&config);
    config.fep.payload_mtu = 1000;
    assert_int_equal(uet_host_new(&host, &config), -EINVAL);
    assert_null(host);
    uet_host_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hello),
        TEST(verbs_are_known),
        TEST(modes),
        TEST(refusals),
        TEST(reply_has_the_id_of_the_request),
        TEST(memory_is_as_asked),
        TEST(limit_of_memory),
        TEST(no_op_comes_back),
        TEST(write_lands),
        TEST(read_brings_bytes),
        TEST(fetching_atomic_brings_the_old_value),
        TEST(write_with_immediate_is_told),
        TEST(send_fills_a_receive),
        TEST(receive_posted_again),
        TEST(too_long_a_send),
        TEST(nobody_of_that_job),
        TEST(service_is_changed),
        TEST(silence_ends_in_an_error),
        TEST(completions_are_told_once_and_in_order),
        TEST(close_ends_the_pdcs),
        TEST(reset_forgets),
        TEST(on_a_memory_port),
        cmocka_unit_test(configuration_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
