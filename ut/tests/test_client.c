/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The client against a FEP's end that is right, slow, gone, or talks nonsense. The end is a
 * thread that reads one line and writes what the test says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "ut/ut.h"

enum { TIMEOUT_MS = 300, ANSWERS = 3 };

struct end {
    char path[64];
    int listener;
    pthread_t thread;
    const char *answers[ANSWERS]; /* one a request; NULL: no answer */
    size_t n_answers;
    size_t filler; /* bytes of 'x' without a newline before the answer */
    char request[256];
    bool hang_up; /* close after the answers, else wait for the client to close */
};

static void write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t done = send(fd, data, n, MSG_NOSIGNAL);

        if (done <= 0)
            return; /* the client has had enough */
        data += done;
        n -= (size_t)done;
    }
}

static void write_filler(int fd, size_t n)
{
    char block[4096];

    memset(block, 'x', sizeof(block));
    for (size_t done = 0; done < n; done += sizeof(block))
        write_all(fd, block, sizeof(block));
}

/* Reads up to a newline; false at the end. */
static bool read_request(int fd, char *out, size_t size)
{
    size_t len = 0;
    char c;

    while (recv(fd, &c, 1, 0) == 1) {
        if (c == '\n') {
            out[len] = 0;
            return true;
        }
        if (len + 1 < size)
            out[len++] = c;
    }
    return false;
}

static void *serve(void *arg)
{
    struct end *end = arg;
    int fd = accept(end->listener, NULL, NULL);
    char byte;

    for (size_t i = 0; i < end->n_answers; i++) {
        if (!read_request(fd, end->request, sizeof(end->request)))
            break;
        write_filler(fd, end->filler);
        if (end->answers[i])
            write_all(fd, end->answers[i], strlen(end->answers[i]));
    }
    while (!end->hang_up && recv(fd, &byte, 1, 0) == 1)
        ;
    close(fd);
    return NULL;
}

static struct uet_ut *start(struct end *end)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    struct uet_ut *ut = NULL;
    char err[256] = "";

    snprintf(end->path, sizeof(end->path), "/tmp/uet-ut-client-%d", (int)getpid());
    unlink(end->path);
    memcpy(addr.sun_path, end->path, strlen(end->path) + 1);
    end->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(end->listener >= 0);
    assert_int_equal(bind(end->listener, (void *)&addr, sizeof(addr)), 0);
    assert_int_equal(listen(end->listener, 1), 0);
    assert_int_equal(pthread_create(&end->thread, NULL, serve, end), 0);
    assert_int_equal(uet_ut_connect(&ut, end->path, TIMEOUT_MS, err, sizeof(err)), 0);
    return ut;
}

static void stop(struct end *end, struct uet_ut *ut)
{
    uet_ut_close(ut);
    assert_int_equal(pthread_join(end->thread, NULL), 0);
    close(end->listener);
    unlink(end->path);
}

static int call(struct uet_ut *ut, json_t **reply)
{
    return uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), reply);
}

/* One call that must fail with rc and say `words`; then the connection is no longer used. */
static void expect_broken(struct end *end, int rc, const char *words)
{
    struct uet_ut *ut = start(end);
    json_t *reply = NULL;

    assert_int_equal(call(ut, &reply), rc);
    assert_null(reply);
    if (!strstr(ut->error, words))
        fail_msg("\"%s\" does not say \"%s\"", ut->error, words);
    assert_int_equal(call(ut, &reply), -EPIPE);
    assert_null(reply);
    stop(end, ut);
}

static void replies_come_back(void **state)
{
    struct end end = {
        .answers = {"{\"id\":1,\"ok\":true,\"name\":\"x\"}\n", "{\"ok\":true,\"id\":2}\n"},
        .n_answers = 2};
    struct uet_ut *ut = start(&end);
    json_t *reply;

    (void)state;
    assert_int_equal(call(ut, &reply), 0);
    assert_string_equal(json_string_value(json_object_get(reply, "name")), "x");
    assert_string_equal(end.request, "{\"verb\":\"hello\",\"id\":1}");
    json_decref(reply);
    assert_int_equal(call(ut, &reply), 0);
    json_decref(reply);
    assert_string_equal(ut->error, "");
    stop(&end, ut);
}

static void refusal_keeps_the_connection(void **state)
{
    struct end end = {.answers = {"{\"id\":1,\"ok\":false,\"error\":\"no such verb\"}\n",
                                  "{\"id\":2,\"ok\":true}\n"},
                      .n_answers = 2};
    struct uet_ut *ut = start(&end);
    json_t *reply;

    (void)state;
    assert_int_equal(call(ut, &reply), -EPROTO);
    assert_string_equal(json_string_value(json_object_get(reply, "error")), "no such verb");
    assert_string_equal(ut->error, "hello: no such verb");
    json_decref(reply);
    assert_int_equal(call(ut, &reply), 0);
    json_decref(reply);
    stop(&end, ut);
}

static void answer_in_two_parts(void **state)
{
    /* The first answer holds the second's beginning. */
    struct end end = {.answers = {"{\"id\":1,\"ok\":true}\n{\"id\":2,\"o", "k\":true}\n"},
                      .n_answers = 2};
    struct uet_ut *ut = start(&end);
    json_t *reply;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(call(ut, &reply), 0);
        json_decref(reply);
    }
    stop(&end, ut);
}

static void wrong_replies(void **state)
{
    static const struct {
        const char *answer, *words;
    } cases[] = {
        {"{\"id\":2,\"ok\":true}\n", "another request"},
        {"{\"id\":0,\"ok\":true}\n", "another request"},
        {"{\"id\":\"1\",\"ok\":true}\n", "no integer \"id\""},
        {"{\"id\":1.0,\"ok\":true}\n", "no integer \"id\""},
        {"{\"ok\":true}\n", "no integer \"id\""},
        {"garbage\n", "not a line of JSON"},
        {"\n", "not a line of JSON"},
        {"{\"id\":1,\"ok\":true\n", "not a line of JSON"},
        {"{\"id\":1,\"id\":1,\"ok\":true}\n", "not a line of JSON"},
        {"{\"id\":1,\"ok\":true} x\n", "not a line of JSON"},
        {"[1]\n", "not a JSON object"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct end end = {.answers = {cases[i].answer}, .n_answers = 1};

        expect_broken(&end, -EBADMSG, cases[i].words);
    }
}

static void replies_without_a_verdict(void **state)
{
    static const char *const answers[] = {"{\"id\":1}\n", "{\"id\":1,\"ok\":1}\n",
                                          "{\"id\":1,\"ok\":false}\n",
                                          "{\"id\":1,\"ok\":false,\"error\":5}\n"};

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct end end = {.answers = {answers[i]}, .n_answers = 1};
        struct uet_ut *ut = start(&end);
        json_t *reply;

        assert_int_equal(call(ut, &reply), -EBADMSG);
        assert_null(reply);
        stop(&end, ut);
    }
}

static int64_t now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void silence_times_out(void **state)
{
    struct end silent = {.n_answers = 1};
    struct end half = {.answers = {"{\"id\":1,\"ok\":true}"}, .n_answers = 1}; /* no newline */
    int64_t start_ms = now_ms();

    (void)state;
    expect_broken(&silent, -ETIMEDOUT, "within 300 ms");
    expect_broken(&half, -ETIMEDOUT, "within 300 ms");
    assert_true(now_ms() - start_ms >= 2 * TIMEOUT_MS);
    assert_true(now_ms() - start_ms < 20 * TIMEOUT_MS);
}

static void end_of_the_other_side(void **state)
{
    struct end at_once = {.hang_up = true};
    struct end half = {.answers = {"{\"id\":1,"}, .n_answers = 1, .hang_up = true};

    (void)state;
    expect_broken(&at_once, -EPIPE, "closed");
    expect_broken(&half, -EPIPE, "closed");
}

static void endless_line(void **state)
{
    struct end end = {.filler = UET_UT_LINE_MAX + 4096, .n_answers = 1};

    (void)state;
    expect_broken(&end, -EMSGSIZE, "longer than 4194304 bytes");
}

static void request_too_long(void **state)
{
    struct end end = {.answers = {"{\"id\":2,\"ok\":true}\n"}, .n_answers = 1};
    struct uet_ut *ut = start(&end);
    char *text = malloc(UET_UT_LINE_MAX + 1);
    json_t *reply;

    (void)state;
    assert_non_null(text);
    memset(text, 'y', UET_UT_LINE_MAX);
    text[UET_UT_LINE_MAX] = 0;
    assert_int_equal(uet_ut_call(ut, json_pack("{s:s}", "verb", text), &reply), -EMSGSIZE);
    assert_null(reply);
    free(text);
    /* Nothing was sent, so the connection goes on. */
    assert_int_equal(call(ut, &reply), 0);
    json_decref(reply);
    stop(&end, ut);
}

static void requests_that_are_none(void **state)
{
    struct end end = {.n_answers = 0};
    struct uet_ut *ut = start(&end);
    json_t *reply;

    (void)state;
    assert_int_equal(uet_ut_call(ut, json_array(), &reply), -EINVAL);
    assert_int_equal(uet_ut_call(ut, NULL, &reply), -EINVAL);
    stop(&end, ut);
}

static void nobody_to_connect_to(void **state)
{
    struct uet_ut *ut = NULL;
    char err[256], path[200];

    (void)state;
    snprintf(path, sizeof(path), "/tmp/uet-ut-none-%d", (int)getpid());
    assert_int_equal(uet_ut_connect(&ut, path, TIMEOUT_MS, err, sizeof(err)), -ENOENT);
    assert_non_null(strstr(err, "start the FEP's upper tester"));
    memset(path, 'p', sizeof(path) - 1);
    path[sizeof(path) - 1] = 0;
    assert_int_equal(uet_ut_connect(&ut, path, TIMEOUT_MS, err, sizeof(err)), -ENAMETOOLONG);
    assert_null(ut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_come_back),         cmocka_unit_test(refusal_keeps_the_connection),
        cmocka_unit_test(answer_in_two_parts),       cmocka_unit_test(wrong_replies),
        cmocka_unit_test(replies_without_a_verdict), cmocka_unit_test(silence_times_out),
        cmocka_unit_test(end_of_the_other_side),     cmocka_unit_test(endless_line),
        cmocka_unit_test(request_too_long),          cmocka_unit_test(requests_that_are_none),
        cmocka_unit_test(nobody_to_connect_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
