/* SPDX-License-Identifier: BSD-2-Clause */
/* The three ways to an upper tester: how they are written, and a word there and back on each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ut/server.h"
#include "ut/ut.h"
#include "ut/where.h"

static void read_right(void **state)
{
    struct uet_ut_where w;
    char err[256];

    (void)state;
    assert_int_equal(uet_ut_where_read(&w, "/run/x.sock", err, sizeof(err)), 0);
    assert_int_equal(w.way, UET_UT_UNIX);
    assert_string_equal(w.path, "/run/x.sock");
    assert_int_equal(uet_ut_where_read(&w, "unix:x", err, sizeof(err)), 0);
    assert_int_equal(w.way, UET_UT_UNIX);
    assert_string_equal(w.path, "x");
    assert_int_equal(uet_ut_where_read(&w, "tcp:nic-host:47", err, sizeof(err)), 0);
    assert_int_equal(w.way, UET_UT_TCP);
    assert_string_equal(w.host, "nic-host");
    assert_string_equal(w.port, "47");
    assert_int_equal(uet_ut_where_read(&w, "tcp:[fe80::1%eth0]:4700", err, sizeof(err)), 0);
    assert_string_equal(w.host, "fe80::1%eth0");
    assert_string_equal(w.port, "4700");
    assert_int_equal(uet_ut_where_read(&w, "exec:./a b", err, sizeof(err)), 0);
    assert_int_equal(w.way, UET_UT_EXEC);
    assert_string_equal(w.path, "./a b");
}

static void read_wrong(void **state)
{
    static const char *const wrong[] = {
        "",          "unix:",         "exec:",    "tcp:",         "tcp:a",
        "tcp:a:",    "tcp::1",        "tcp:a:b",  "tcp:a:",       "tcp:a:123456",
        "tcp:1:2:3", "tcp:[::1:4700", "tcp:[]:1", "tcp:[::1]4700"};
    struct uet_ut_where w;
    char text[400];

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char err[256] = "";

        if (uet_ut_where_read(&w, wrong[i], err, sizeof(err)) != -EINVAL || !strstr(err, "give "))
            fail_msg("'%s': '%s'", wrong[i], err);
    }
    memset(text, 'h', sizeof(text));
    memcpy(text, "tcp:", 4);
    memcpy(text + sizeof(text) - 3, ":1", 3);
    assert_int_equal(uet_ut_where_read(&w, text, NULL, 0), -ENAMETOOLONG);
}

/* ---- over TCP ---- */

struct end {
    struct uet_ut_server *server;
    pthread_t thread;
    atomic_bool stop;
};

static json_t *answer(void *ctx, json_t *request)
{
    (void)ctx;
    return json_pack("{s:O, s:b, s:O}", "id", json_object_get(request, "id"), "ok", 1, "said",
                     json_object_get(request, "verb"));
}

static void *serve(void *ctx)
{
    struct end *end = ctx;

    while (!end->stop) {
        struct pollfd polls[UET_UT_SERVER_FDS];

        uet_ut_server_poll(end->server, answer, NULL);
        if (uet_ut_server_wait(end->server, polls))
            poll(polls, UET_UT_SERVER_FDS, 5);
    }
    return NULL;
}

static void says(struct uet_ut *ut, const char *verb, const char *answer_has)
{
    json_t *reply = NULL;

    if (uet_ut_call(ut, json_pack("{s:s}", "verb", verb), &reply) != 0)
        fail_msg("%s", ut->error);
    assert_string_equal(json_string_value(json_object_get(reply, "said")), answer_has);
    json_decref(reply);
}

static void over_tcp(const char *host)
{
    struct end end = {0};
    struct uet_ut *ut = NULL, *second = NULL;
    struct uet_ut_server *other = NULL;
    json_t *reply = NULL;
    char where[80], err[256] = "";
    int port = 20000 + (int)getpid() % 20000, rc = -EADDRINUSE;

    for (int tries = 0; rc == -EADDRINUSE && tries < 50; tries++, port++) {
        snprintf(where, sizeof(where), "tcp:%s:%d", host, port);
        rc = uet_ut_server_open(&end.server, where, err, sizeof(err));
    }
    if (rc)
        fail_msg("%s", err);
    assert_int_equal(uet_ut_server_open(&other, where, err, sizeof(err)), -EADDRINUSE);
    assert_non_null(strstr(err, "choose another port"));
    pthread_create(&end.thread, NULL, serve, &end);
    assert_int_equal(uet_ut_connect(&ut, where, 5000, err, sizeof(err)), 0);
    says(ut, "hello", "hello");
    /* One client at a time, and the second one is told who holds it. */
    assert_int_equal(uet_ut_connect(&second, where, 5000, err, sizeof(err)), 0);
    assert_int_equal(uet_ut_call(second, json_pack("{s:s}", "verb", "hello"), &reply), -EBADMSG);
    if (!strstr(second->error, "a client at "))
        fail_msg("%s", second->error);
    uet_ut_close(second);
    says(ut, "reset", "reset");
    uet_ut_close(ut);
    end.stop = true;
    pthread_join(end.thread, NULL);
    uet_ut_server_close(end.server);
    assert_int_equal(uet_ut_connect(&ut, where, 5000, err, sizeof(err)), -ECONNREFUSED);
    assert_non_null(strstr(err, "nobody listens"));
}

static void by_tcp(void **state)
{
    (void)state;
    over_tcp("127.0.0.1");
    if (access("/proc/net/if_inet6", R_OK) == 0)
        over_tcp("[::1]");
}

static void cannot_listen(void **state)
{
    struct uet_ut_server *server = NULL;
    char err[256] = "";

    (void)state;
    assert_int_equal(uet_ut_server_open(&server, "exec:cat", err, sizeof(err)), -EINVAL);
    assert_int_equal(uet_ut_server_open(&server, "tcp:no.such.host:1", err, sizeof(err)), -EINVAL);
    assert_non_null(strstr(err, "IP address of this host"));
    assert_null(server);
}

/* ---- a command ---- */

#define ANSWERS                                                                                    \
    "exec:while read -r line; do id=${line##*'\"id\":'}; id=${id%%[!0-9]*}; "                      \
    "printf '{\"id\":%s,\"ok\":true,\"said\":\"it\"}\\n' \"$id\"; done; "

static void by_command(void **state)
{
    struct uet_ut *ut = NULL;
    char path[] = "/tmp/uet-where-XXXXXX", command[600], err[256] = "";
    struct stat st;

    (void)state;
    assert_non_null(mkdtemp(path));
    snprintf(command, sizeof(command), "%stouch %s/ended", ANSWERS, path);
    assert_int_equal(uet_ut_connect(&ut, command, 5000, err, sizeof(err)), 0);
    says(ut, "hello", "it");
    says(ut, "reset", "it");
    uet_ut_close(ut); /* waits for it: what it does at the end of its input is done */
    snprintf(command, sizeof(command), "%s/ended", path);
    assert_int_equal(stat(command, &st), 0);
    unlink(command);
    rmdir(path);
}

static void command_that_fails(void **state)
{
    struct uet_ut *ut = NULL;
    json_t *reply = NULL;
    char err[256];

    (void)state;
    assert_int_equal(uet_ut_connect(&ut, "exec:exit 7", 5000, err, sizeof(err)), 0);
    assert_int_equal(uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), &reply), -EPIPE);
    assert_string_equal(ut->error, "the command of exec: has ended with exit status 7");
    uet_ut_close(ut);
}

/* Neither the end of its input nor SIGTERM ends this one, nor what it has started. */
static void command_that_stays(void **state)
{
    struct uet_ut *ut = NULL;
    char err[256];
    struct timespec a, b;

    (void)state;
    assert_int_equal(
        uet_ut_connect(&ut, ANSWERS "trap '' TERM; sleep 600 & sleep 600", 5000, err, sizeof(err)),
        0);
    says(ut, "hello", "it");
    clock_gettime(CLOCK_MONOTONIC, &a);
    uet_ut_close(ut);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert_true(b.tv_sec - a.tv_sec < 60);
}

/*
 * A process that was forked off hangs up: the command sees the end of its input, though the first
 * process still holds the stream, and no signal comes to anybody. That process leads a group of its
 * own, as one that goes to group 0 would end those who wait for this test, too.
 */
static void hung_up_by_a_child(void **state)
{
    struct uet_ut *ut = NULL;
    json_t *reply = NULL;
    char err[256];
    int how = 0;

    (void)state;
    assert_int_equal(uet_ut_connect(&ut, ANSWERS "exit 7", 5000, err, sizeof(err)), 0);
    says(ut, "hello", "it");
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setpgid(0, 0);
        uet_ut_close(ut);
        _exit(3);
    }
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 3);
    assert_int_equal(uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), &reply), -EPIPE);
    assert_string_equal(ut->error, "the command of exec: has ended with exit status 7");
    uet_ut_close(ut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_right),
        cmocka_unit_test(read_wrong),
        cmocka_unit_test(by_tcp),
        cmocka_unit_test(cannot_listen),
        cmocka_unit_test(by_command),
        cmocka_unit_test(command_that_fails),
        cmocka_unit_test(command_that_stays),
        cmocka_unit_test(hung_up_by_a_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
