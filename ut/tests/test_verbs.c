/* SPDX-License-Identifier: BSD-2-Clause */
/* Each verb: the line it makes, and what it makes of good and bad replies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ut/value.h"
#include "ut/verbs.h"

/* A FEP that notes the request and answers as told; the id is put in. */
struct fep {
    json_t *request;
    const char *answer;
    unsigned asked; /* requests so far */
    bool refuses;
};

static json_t *answer(void *ctx, json_t *request)
{
    struct fep *fep = ctx;
    json_t *reply = json_loads(fep->answer, 0, NULL);

    json_decref(fep->request);
    fep->request = json_incref(request);
    fep->asked++;
    assert_non_null(reply);
    json_object_set(reply, "id", json_object_get(request, "id"));
    json_object_set_new(reply, "ok", json_boolean(!fep->refuses));
    if (fep->refuses)
        json_object_set_new(reply, "error", json_string("no"));
    return reply;
}

/* The request was this one, whatever its id and the order of its keys. */
static void assert_request(struct fep *fep, const char *expected)
{
    json_t *want = json_loads(expected, 0, NULL);

    assert_non_null(want);
    assert_true(json_is_integer(json_object_get(fep->request, "id")));
    json_object_del(fep->request, "id");
    if (!json_equal(want, fep->request))
        fail_msg("got %s", json_dumps(fep->request, JSON_COMPACT));
    json_decref(want);
}

static struct fep fep;
static struct uet_ut *ut;

static int set_up(void **state)
{
    (void)state;
    fep = (struct fep){.answer = "{}"};
    ut = uet_ut_local(answer, &fep);
    return ut ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(fep.request);
    uet_ut_close(ut);
    return 0;
}

#define IS_THERE                                                                                   \
    "\"name\":\"n\",\"version\":\"v\",\"spec\":\"1.0.3\",\"address\":\"2001:db8::2\","             \
    "\"payload_mtu\":4096,\"protect\":\"crc\",\"verbs\":[\"hello\"]"

#define HELLO                                                                                      \
    "{\"name\":\"n\",\"version\":\"v\",\"spec\":\"1.0.3\",\"address\":\"2001:db8::2\","            \
    "\"payload_mtu\":4096,\"protect\":\"crc\",\"verbs\":[\"hello\",\"set\"],"                      \
    "\"params\":{\"RTO_Init_Time\":5000000}}"

static void hello(void **state)
{
    struct uet_ut_about about;
    uint64_t value = 0;

    (void)state;
    fep.answer = HELLO;
    assert_int_equal(uet_ut_hello(ut, &about), 0);
    assert_request(&fep, "{\"verb\":\"hello\"}");
    assert_string_equal(about.name, "n");
    assert_string_equal(about.version, "v");
    assert_string_equal(about.spec, "1.0.3");
    assert_int_equal(about.address.version, 6);
    assert_int_equal(about.address.bytes[15], 2);
    assert_int_equal(about.payload_mtu, 4096);
    assert_int_equal(about.protect, 1);
    assert_int_equal(uet_ut_param(ut, "RTO_Init_Time", &value), 0);
    assert_int_equal(value, 5000000);
    assert_int_equal(uet_ut_param(ut, "Default_MPR", &value), -ENOENT);
    assert_int_equal(uet_ut_has_verb(ut, "set"), 1);
    assert_int_equal(uet_ut_has_verb(ut, "violate"), 0);
}

/* Another FEP answers from now on. */
static void connect_anew(const char *answers)
{
    uet_ut_close(ut);
    fep.answer = answers;
    fep.asked = 0;
    ut = uet_ut_local(answer, &fep);
    assert_non_null(ut);
}

/* Who follows a later page is not asked for anything; who tells none follows the first. */
static void hello_of_another_page(void **state)
{
    struct uet_ut_about about;

    (void)state;
    connect_anew("{\"protocol\":2," IS_THERE "}");
    assert_int_equal(uet_ut_hello(ut, &about), -EBADMSG);
    assert_non_null(strstr(ut->error, "\"protocol\" is 2"));
    connect_anew("{\"protocol\":\"new\"," IS_THERE "}");
    assert_int_equal(uet_ut_hello(ut, &about), -EBADMSG);
    connect_anew("{\"protocol\":1," IS_THERE "}");
    assert_int_equal(uet_ut_hello(ut, &about), 0);
    connect_anew("{" IS_THERE "}");
    assert_int_equal(uet_ut_hello(ut, &about), 0);
}

static uint64_t rto(void)
{
    uint64_t value = 0;

    assert_int_equal(uet_ut_param(ut, "RTO_Init_Time", &value), 0);
    return value;
}

#define TELLS(rto) "{\"verbs\":[\"set\"],\"params\":{\"RTO_Init_Time\":" #rto "}}"

/* It is said once for as long as nothing is done that may change what it tells. */
static void hello_is_said_once(void **state)
{
    json_t *reply;

    (void)state;
    connect_anew(TELLS(1));
    assert_int_equal(rto(), 1); /* as somebody may have left it before us */
    fep.answer = TELLS(2);
    assert_int_equal(rto(), 1);
    assert_int_equal(uet_ut_has_verb(ut, "set"), 1);
    assert_int_equal(uet_ut_has_mode(ut, UET_UT_MODE_RUDI), 0);
    assert_int_equal(fep.asked, 1);
    assert_int_equal(uet_ut_close_pdcs(ut, NULL), 0); /* changes nothing of it */
    assert_int_equal(rto(), 1);
    assert_int_equal(uet_ut_reset(ut), 0);
    assert_int_equal(rto(), 2);
    assert_int_equal(uet_ut_set(ut, "RTO_Init_Time", 3), 0);
    fep.answer = TELLS(3);
    assert_int_equal(rto(), 3);
    fep.answer = TELLS(4);
    assert_int_equal(uet_ut_violate(ut, "PDS-038"), 0);
    assert_int_equal(rto(), 4);
    assert_int_equal(uet_ut_reset(ut), 0);
    assert_int_equal(rto(), 2); /* what holds after each reset is known */
    assert_int_equal(fep.asked, 9);
    assert_int_equal(uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), &reply), 0);
    json_decref(reply);
    assert_int_equal(fep.asked, 10); /* who asks himself is answered */
}

/* A FEP without `reset` goes on with what was set, and what it refuses may have come half-way. */
static void hello_after_refusals(void **state)
{
    (void)state;
    connect_anew(TELLS(1));
    assert_int_equal(uet_ut_reset(ut), 0);
    assert_int_equal(rto(), 1);
    fep.answer = TELLS(2);
    fep.refuses = true;
    assert_int_equal(uet_ut_set(ut, "RTO_Init_Time", 2), -EPROTO);
    fep.refuses = false;
    char why[sizeof(ut->error)];
    snprintf(why, sizeof(why), "%s", ut->error);
    assert_int_not_equal(*why, 0);
    assert_int_equal(uet_ut_has_verb(ut, "set"), 1);
    assert_string_equal(ut->error, why); /* the refusal is still to be told */
    assert_int_equal(rto(), 2);
    fep.refuses = true;
    assert_int_equal(uet_ut_reset(ut), -EPROTO);
    assert_int_equal(uet_ut_has_verb(ut, "set"), -EPROTO); /* a refusal is not kept */
    fep.refuses = false;
    fep.answer = TELLS(3);
    assert_int_equal(rto(), 3);
    ut->lost = true; /* nothing holds of a FEP that is gone */
    fep.answer = TELLS(4);
    assert_int_equal(rto(), 4);
}

static void hello_with_bad_replies(void **state)
{
    static const char *const keys[] = {"name",    "version",     "spec",
                                       "address", "payload_mtu", "protect"};
    struct uet_ut_about about;

    (void)state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        json_t *reply = json_loads(HELLO, 0, NULL);
        char *text;

        json_object_set_new(reply, keys[i], json_string("1.2.3.4.5"));
        if (i < 3)
            json_object_del(reply, keys[i]);
        text = json_dumps(reply, 0);
        connect_anew(text);
        assert_int_equal(uet_ut_hello(ut, &about), -EBADMSG);
        assert_non_null(strstr(ut->error, keys[i]));
        free(text);
        json_decref(reply);
    }
    connect_anew("{}");
    assert_int_equal(uet_ut_has_verb(ut, "set"), -EBADMSG);
    assert_int_equal(uet_ut_has_mode(ut, UET_UT_MODE_RUD), 1); /* nothing told: RUD alone */
    assert_int_equal(uet_ut_has_mode(ut, UET_UT_MODE_RUDI), 0);
}

static void simple_verbs(void **state)
{
    struct uet_ip ip;

    (void)state;
    assert_int_equal(uet_ip_parse(&ip, "192.0.2.1"), 0);
    assert_int_equal(uet_ut_reset(ut), 0);
    assert_request(&fep, "{\"verb\":\"reset\"}");
    assert_int_equal(uet_ut_set(ut, "RTO_Init_Time", 7), 0);
    assert_request(&fep, "{\"verb\":\"set\",\"name\":\"RTO_Init_Time\",\"value\":7}");
    assert_int_equal(uet_ut_set(ut, "RTO_Init_Time", UINT64_MAX), 0);
    assert_request(
        &fep, "{\"verb\":\"set\",\"name\":\"RTO_Init_Time\",\"value\":\"0xffffffffffffffff\"}");
    assert_int_equal(uet_ut_close_pdcs(ut, &ip), 0);
    assert_request(&fep, "{\"verb\":\"close\",\"to\":\"192.0.2.1\"}");
    assert_int_equal(uet_ut_close_pdcs(ut, NULL), 0);
    assert_request(&fep, "{\"verb\":\"close\",\"to\":null}");
    assert_int_equal(uet_ut_close_request(ut, &ip), 0);
    assert_request(&fep, "{\"verb\":\"close_request\",\"from\":\"192.0.2.1\"}");
    assert_int_equal(uet_ut_withdraw(ut, 7), 0);
    assert_request(&fep, "{\"verb\":\"withdraw\",\"handle\":7}");
    assert_int_equal(uet_ut_cancel(ut, 8), 0);
    assert_request(&fep, "{\"verb\":\"cancel\",\"handle\":8}");
    assert_int_equal(uet_ut_violate(ut, "PDS-087"), 0);
    assert_request(&fep, "{\"verb\":\"violate\",\"requirement\":\"PDS-087\"}");
    assert_int_equal(uet_ut_violate(ut, NULL), 0);
    assert_request(&fep, "{\"verb\":\"violate\",\"requirement\":null}");
}

static void service(void **state)
{
    struct uet_ut_service s = {.job_id = 0xffffff,
                               .pid_on_fep = 5,
                               .resource_index = 6,
                               .ri_class = UET_UT_TAGGED,
                               .has_generation = true,
                               .generation = 9,
                               .disabled = true};

    (void)state;
    assert_int_equal(uet_ut_service(ut, &s), 0);
    assert_request(&fep, "{\"verb\":\"service\",\"job_id\":16777215,\"pid_on_fep\":5,"
                         "\"resource_index\":6,\"class\":\"tagged\",\"generation\":9,"
                         "\"disabled\":true}");
    s = (struct uet_ut_service){.ri_class = UET_UT_SEND};
    assert_int_equal(uet_ut_service(ut, &s), 0);
    assert_request(&fep, "{\"verb\":\"service\",\"job_id\":0,\"pid_on_fep\":0,"
                         "\"resource_index\":0,\"class\":\"send\"}");
    s.ri_class = 3;
    assert_int_equal(uet_ut_service(ut, &s), -EINVAL);
}

static void reg_mem(void **state)
{
    static const uint8_t bytes[] = {0x00, 0xff, 0x5a};
    struct uet_ut_memory m = {.job_id = 1,
                              .any_job = true,
                              .pid_on_fep = 2,
                              .resource_index = 3,
                              .key = UINT64_MAX,
                              .length = 100,
                              .fill = 0xaa};
    uint64_t handle = 0, key = 0;

    (void)state;
    fep.answer = "{\"handle\":4,\"key\":\"0xfedcba9876543210\"}";
    assert_int_equal(uet_ut_reg_mem(ut, &m, &handle, &key), 0);
    assert_request(&fep, "{\"verb\":\"reg_mem\",\"job_id\":1,\"any_job\":true,\"pid_on_fep\":2,"
                         "\"resource_index\":3,\"key\":\"0xffffffffffffffff\",\"length\":100,"
                         "\"fill\":170}");
    assert_int_equal(handle, 4);
    assert_true(key == 0xfedcba9876543210);
    m = (struct uet_ut_memory){.data = bytes, .length = 3, .no_read = true};
    assert_int_equal(uet_ut_reg_mem(ut, &m, NULL, NULL), 0);
    assert_request(&fep, "{\"verb\":\"reg_mem\",\"job_id\":0,\"pid_on_fep\":0,"
                         "\"resource_index\":0,\"key\":\"0x0\",\"length\":3,"
                         "\"data\":\"00ff5a\",\"rights\":[\"write\"]}");
    fep.answer = "{\"handle\":4,\"key\":\"0x10000000000000000\"}";
    assert_int_equal(uet_ut_reg_mem(ut, &m, &handle, &key), -EBADMSG);
    fep.answer = "{\"handle\":-4}";
    assert_int_equal(uet_ut_reg_mem(ut, &m, &handle, &key), -EBADMSG);
    m.length = UET_UT_DATA_MAX + 1;
    assert_int_equal(uet_ut_reg_mem(ut, &m, &handle, &key), -EMSGSIZE);
}

static void get_mem(void **state)
{
    uint8_t out[4] = {0};

    (void)state;
    fep.answer = "{\"data\":\"00FFa5\"}";
    assert_int_equal(uet_ut_get_mem(ut, 4, 1000, out, 3), 0);
    assert_request(&fep, "{\"verb\":\"get_mem\",\"handle\":4,\"offset\":1000,\"length\":3}");
    assert_memory_equal(out, "\x00\xff\xa5\x00", 4);
    assert_int_equal(uet_ut_get_mem(ut, 4, 0, out, 4), -EBADMSG); /* too few */
    assert_int_equal(uet_ut_get_mem(ut, 4, 0, out, 2), -EBADMSG); /* too many */
    fep.answer = "{\"data\":\"00zz\"}";
    assert_int_equal(uet_ut_get_mem(ut, 4, 0, out, 2), -EBADMSG);
    fep.answer = "{\"data\":5}";
    assert_int_equal(uet_ut_get_mem(ut, 4, 0, out, 2), -EBADMSG);
}

static void post_recv(void **state)
{
    const struct uet_ut_receive r = {
        .job_id = 1, .pid_on_fep = 2, .resource_index = 3, .length = 64, .truncate = true};
    uint64_t handle = 0;

    (void)state;
    fep.answer = "{\"handle\":77}";
    assert_int_equal(uet_ut_post_recv(ut, &r, &handle), 0);
    assert_request(&fep, "{\"verb\":\"post_recv\",\"job_id\":1,\"pid_on_fep\":2,"
                         "\"resource_index\":3,\"length\":64,\"truncate\":true}");
    assert_int_equal(handle, 77);
}

static void operations(void **state)
{
    struct uet_ut_operation op = {.job_id = 1,
                                  .pid_on_fep = 2,
                                  .resource_index = 3,
                                  .relative = true,
                                  .header = UET_UT_HEADER_MEDIUM,
                                  .delivery_complete = true,
                                  .has_header_data = true,
                                  .header_data = 0x1122334455667788,
                                  .initiator = 0xffffffff,
                                  .generation = 4,
                                  .traffic_class = 5,
                                  .key = 0x99,
                                  .offset = 0x1000,
                                  .length = 2,
                                  .data = "\x01\x02"};
    uint64_t handle = 0;

    (void)state;
    assert_int_equal(uet_ip_parse(&op.to, "192.0.2.9"), 0);
    fep.answer = "{\"handle\":12}";
    assert_int_equal(uet_ut_write(ut, &op, &handle), 0);
    assert_int_equal(handle, 12);
    assert_request(&fep, "{\"verb\":\"write\",\"to\":\"192.0.2.9\",\"job_id\":1,\"pid_on_fep\":2,"
                         "\"resource_index\":3,\"relative\":true,\"header\":\"medium\","
                         "\"delivery_complete\":true,\"header_data\":\"0x1122334455667788\","
                         "\"initiator\":4294967295,\"generation\":4,\"traffic_class\":5,"
                         "\"key\":\"0x99\",\"offset\":\"0x1000\",\"data\":\"0102\"}");
    op = (struct uet_ut_operation){.to = op.to, .length = 10, .seed = 3};
    assert_int_equal(uet_ut_send(ut, &op, NULL), 0);
    assert_request(&fep, "{\"verb\":\"send\",\"to\":\"192.0.2.9\",\"job_id\":0,\"pid_on_fep\":0,"
                         "\"resource_index\":0,\"length\":10,\"seed\":3}");
    assert_int_equal(uet_ut_no_op(ut, &op, NULL), 0);
    assert_request(&fep, "{\"verb\":\"no_op\",\"to\":\"192.0.2.9\",\"job_id\":0,\"pid_on_fep\":0,"
                         "\"resource_index\":0}");
    op.mode = UET_UT_MODE_ROD; /* what has its default is not said */
    assert_int_equal(uet_ut_no_op(ut, &op, NULL), 0);
    assert_request(&fep, "{\"verb\":\"no_op\",\"to\":\"192.0.2.9\",\"job_id\":0,\"pid_on_fep\":0,"
                         "\"resource_index\":0,\"mode\":\"rod\"}");
    op.mode = 4;
    assert_int_equal(uet_ut_send(ut, &op, NULL), -EINVAL);
    op.mode = 0;
    op.header = 3;
    assert_int_equal(uet_ut_send(ut, &op, NULL), -EINVAL);
    op.header = 0;
    fep.answer = "{}";
    assert_int_equal(uet_ut_send(ut, &op, NULL), -EBADMSG);
}

static void wait_for_completions(void **state)
{
    struct uet_ut_completion c[4];

    (void)state;
    fep.answer = "{\"completions\":[]}";
    assert_int_equal(uet_ut_wait(ut, c, 4), 0);
    assert_request(&fep, "{\"verb\":\"wait\",\"max\":4}");
    fep.answer = "{\"completions\":[{\"handle\":3,\"kind\":\"imm\",\"status\":\"ses_error\","
                 "\"return_code\":34,\"length\":4294967295,\"header_data\":\"0xffffffffffffffff\","
                 "\"job_id\":16777215,\"initiator\":8,\"peer\":\"192.0.2.1\"},"
                 "{\"handle\":4,\"kind\":\"send\",\"status\":\"ok\"}]}";
    assert_int_equal(uet_ut_wait(ut, c, 4), 2);
    assert_int_equal(c[0].handle, 3);
    assert_int_equal(c[0].kind, UET_UT_KIND_IMM);
    assert_int_equal(c[0].status, UET_UT_SES_ERROR);
    assert_int_equal(c[0].return_code, 34);
    assert_true(c[0].length == UINT32_MAX);
    assert_true(c[0].has_header_data);
    assert_true(c[0].header_data == UINT64_MAX);
    assert_int_equal(c[0].job_id, 0xffffff);
    assert_int_equal(c[0].initiator, 8);
    assert_int_equal(c[0].peer.version, 4);
    assert_int_equal(c[1].kind, UET_UT_KIND_SEND);
    assert_int_equal(c[1].status, UET_UT_OK);
    assert_false(c[1].has_header_data);
    assert_int_equal(uet_ut_wait(ut, c, 1), -EBADMSG); /* more than were asked for */
}

static void wait_with_bad_replies(void **state)
{
    static const char *const answers[] = {
        "{}",
        "{\"completions\":[5]}",
        "{\"completions\":[{\"kind\":\"send\",\"status\":\"ok\"}]}",
        "{\"completions\":[{\"handle\":1,\"kind\":\"sent\",\"status\":\"ok\"}]}",
        "{\"completions\":[{\"handle\":1,\"kind\":\"send\",\"status\":\"good\"}]}",
        "{\"completions\":[{\"handle\":1,\"kind\":\"send\",\"status\":\"ok\",\"return_code\":64}]}",
        "{\"completions\":[{\"handle\":1,\"kind\":\"send\",\"status\":\"ok\",\"length\":-1}]}",
        "{\"completions\":[{\"handle\":1,\"kind\":\"send\",\"status\":\"ok\",\"peer\":\"x\"}]}",
        "{\"completions\":[{\"handle\":1,\"kind\":\"imm\",\"status\":\"ok\",\"initiator\":\"\"}]}",
    };
    struct uet_ut_completion c[4];

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        fep.answer = answers[i];
        if (uet_ut_wait(ut, c, 4) != -EBADMSG)
            fail_msg("taken: %s", answers[i]);
    }
}

static void counters(void **state)
{
    uint64_t value = 0;
    json_t *all;

    (void)state;
    fep.answer = "{\"counters\":{\"rx_frames\":5,\"bad\":-1}}";
    assert_int_equal(uet_ut_counters(ut, &all), 0);
    assert_request(&fep, "{\"verb\":\"counters\"}");
    assert_int_equal(json_object_size(all), 2);
    json_decref(all);
    assert_int_equal(uet_ut_counter(ut, "rx_frames", &value), 0);
    assert_int_equal(value, 5);
    assert_int_equal(uet_ut_counter(ut, "none", &value), -ENOENT);
    assert_int_equal(uet_ut_counter(ut, "bad", &value), -EBADMSG);
    fep.answer = "{}";
    assert_int_equal(uet_ut_counters(ut, &all), -EBADMSG);
    assert_null(all);
}

static void numbers(void **state)
{
    static const struct {
        const char *json;
        int rc;
        uint64_t value;
    } cases[] = {
        {"{\"v\":0}", 0, 0},
        {"{\"v\":65535}", 0, 65535},
        {"{\"v\":\"0xFfFf\"}", 0, 65535},
        {"{\"v\":\"010\"}", 0, 10}, /* no octal */
        {"{\"v\":65536}", -ERANGE, 0},
        {"{\"v\":-1}", -ERANGE, 0},
        {"{\"v\":\"99999999999999999999\"}", -ERANGE, 0},
        {"{\"v\":\"\"}", -EINVAL, 0},
        {"{\"v\":\"0x\"}", -EINVAL, 0},
        {"{\"v\":\"0x0x1\"}", -EINVAL, 0},
        {"{\"v\":\"0x-1\"}", -EINVAL, 0},
        {"{\"v\":\" 1\"}", -EINVAL, 0},
        {"{\"v\":\"+1\"}", -EINVAL, 0},
        {"{\"v\":\"1x\"}", -EINVAL, 0},
        {"{\"v\":\"ff\"}", -EINVAL, 0},
        {"{\"v\":1.5}", -EINVAL, 0},
        {"{\"v\":true}", -EINVAL, 0},
        {"{\"v\":null}", -ENOENT, 0},
        {"{}", -ENOENT, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *object = json_loads(cases[i].json, 0, NULL);
        uint64_t value = 0;

        if (uet_ut_get_number(object, "v", 65535, &value) != cases[i].rc)
            fail_msg("%s", cases[i].json);
        assert_int_equal(value, cases[i].value);
        json_decref(object);
    }
}

static void pattern(void **state)
{
    uint8_t bytes[4], first[4096], second[4096];

    (void)state;
    uet_ut_pattern(bytes, 4, 254, 1); /* 1+254, 1+255, 1+256+1, 1+257+1 */
    assert_memory_equal(bytes, "\xff\x00\x02\x03", 4);
    uet_ut_pattern(bytes, 1, 65536, 0); /* 65536 + 256 + 1 */
    assert_int_equal(bytes[0], 1);
    uet_ut_pattern(first, 700, 65200, 7); /* from within a block, over 2^16, into another */
    for (uint64_t i = 65200; i < 65900; i++)
        assert_int_equal(first[i - 65200], (7 + i + i / 256 + i / 65536) % 256);
    /* Packets of one message differ at each payload MTU. */
    for (size_t mtu = 1024; mtu <= 4096; mtu *= 2) {
        uet_ut_pattern(first, mtu, 0, 0);
        for (uint64_t k = 1; k < 16; k++) {
            uet_ut_pattern(second, mtu, k * mtu, 0);
            assert_memory_not_equal(first, second, mtu);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hello, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hello_of_another_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hello_is_said_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hello_after_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hello_with_bad_replies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(simple_verbs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(service, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reg_mem, set_up, tear_down),
        cmocka_unit_test_setup_teardown(get_mem, set_up, tear_down),
        cmocka_unit_test_setup_teardown(post_recv, set_up, tear_down),
        cmocka_unit_test_setup_teardown(operations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wait_for_completions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wait_with_bad_replies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counters, set_up, tear_down),
        cmocka_unit_test(numbers),
        cmocka_unit_test(pattern),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
