/* SPDX-License-Identifier: BSD-2-Clause */
/* The server's end of the socket, from a client that sees every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ut/server.h"
#include "ut/ut.h"

static char path[64];

/* Answers with the request's id and, when it says so, with a lot of text. */
static json_t *echo(void *ctx, json_t *request)
{
    size_t *calls = ctx;
    size_t big = (size_t)json_integer_value(json_object_get(request, "big"));
    json_t *reply = json_pack("{s:O?, s:b}", "id", json_object_get(request, "id"), "ok", 1);

    (*calls)++;
    if (big) {
        char *text = malloc(big);

        assert_non_null(text);
        memset(text, 'z', big);
        json_object_set_new(reply, "text", json_stringn(text, big));
        free(text);
    }
    return reply;
}

static struct uet_ut_server *open_server(void)
{
    struct uet_ut_server *server = NULL;
    char err[256] = "";

    if (uet_ut_server_open(&server, path, err, sizeof(err)))
        fail_msg("%s", err);
    return server;
}

static int connect_client(void)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    memcpy(addr.sun_path, path, strlen(path) + 1);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (void *)&addr, sizeof(addr)), 0);
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* What has come to the client, as text; "" at the end of the stream or when there is nothing. */
static const char *heard(int fd, char *out, size_t size)
{
    ssize_t n = recv(fd, out, size - 1, MSG_DONTWAIT);

    out[n > 0 ? n : 0] = 0;
    return out;
}

static void lines_are_answered(void **state)
{
    struct uet_ut_server *server = open_server();
    int fd = connect_client();
    char text[512];
    size_t calls = 0;

    (void)state;
    assert_false(uet_ut_server_connected(server));
    assert_int_equal(uet_ut_server_poll(server, echo, &calls), 0);
    assert_true(uet_ut_server_connected(server));
    say(fd, "{\"id\":7}\n{\"id\"");
    assert_int_equal(uet_ut_server_poll(server, echo, &calls), 1);
    assert_string_equal(heard(fd, text, sizeof(text)), "{\"id\":7,\"ok\":true}\n");
    assert_int_equal(uet_ut_server_poll(server, echo, &calls), 0);
    say(fd, ":8}\n{\"id\":9}\n");
    assert_int_equal(uet_ut_server_poll(server, echo, &calls), 2);
    assert_string_equal(heard(fd, text, sizeof(text)),
                        "{\"id\":8,\"ok\":true}\n{\"id\":9,\"ok\":true}\n");
    close(fd);
    assert_int_equal(uet_ut_server_poll(server, echo, &calls), 0);
    assert_false(uet_ut_server_connected(server));
    assert_int_equal(calls, 3);
    uet_ut_server_close(server);
}

/* The descriptors are ready when a poll has something to do, and not before: nobody need look. */
static bool ready(const struct uet_ut_server *server)
{
    struct pollfd polls[UET_UT_SERVER_FDS];

    return uet_ut_server_wait(server, polls) == 0 || poll(polls, UET_UT_SERVER_FDS, 0) > 0;
}

static void can_be_waited_for(void **state)
{
    struct uet_ut_server *server = open_server();
    size_t calls = 0;
    int fd;

    (void)state;
    assert_false(ready(server));
    fd = connect_client();
    assert_true(ready(server));
    (void)uet_ut_server_poll(server, echo, &calls);
    assert_false(ready(server));
    say(fd, "{\"id\"");
    assert_true(ready(server));
    assert_int_equal(uet_ut_server_poll(server, echo, &calls), 0);
    assert_false(ready(server)); /* half a line is kept, and no reason to wake up */
    say(fd, ":1}\n");
    for (int i = 0; i < 20; i++) /* more than one poll takes */
        say(fd, "{\"id\":2}\n");
    for (calls = 0; calls < 21;) {
        assert_true(ready(server)); /* lines that wait in the buffer count, too */
        (void)uet_ut_server_poll(server, echo, &calls);
    }
    assert_false(ready(server));
    close(fd);
    assert_true(ready(server));
    (void)uet_ut_server_poll(server, echo, &calls);
    assert_false(ready(server));
    uet_ut_server_close(server);
}

static void nonsense_is_refused_in_words(void **state)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"garbage\n", "not JSON"},          {"\n", "not JSON"},
        {"[1,2]\n", "no object"},           {"{\"a\":1,\"a\":2}\n", "not JSON"},
        {"{\"a\":\"\xff\"}\n", "not JSON"},
    };
    struct uet_ut_server *server = open_server();
    int fd = connect_client();
    char text[512];
    size_t calls = 0;

    (void)state;
    (void)uet_ut_server_poll(server, echo, &calls);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        say(fd, cases[i].line);
        (void)uet_ut_server_poll(server, echo, &calls);
        heard(fd, text, sizeof(text));
        assert_non_null(strstr(text, "\"id\":null"));
        assert_non_null(strstr(text, "\"ok\":false"));
        assert_non_null(strstr(text, cases[i].words));
    }
    assert_int_equal(calls, 0);
    close(fd);
    uet_ut_server_close(server);
}

static void endless_line_ends_the_client(void **state)
{
    struct uet_ut_server *server = open_server();
    int fd = connect_client();
    char block[65536], text[512] = "";
    size_t calls = 0, sent = 0;

    (void)state;
    memset(block, 'x', sizeof(block));
    while (sent <= UET_UT_LINE_MAX + sizeof(block)) {
        ssize_t n = send(fd, block, sizeof(block), MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n < 0 && errno == EPIPE)
            break;
        sent += n > 0 ? (size_t)n : 0;
        (void)uet_ut_server_poll(server, echo, &calls);
    }
    assert_non_null(strstr(heard(fd, text, sizeof(text)), "longer than 4 MiB"));
    assert_false(uet_ut_server_connected(server));
    assert_int_equal(calls, 0);
    close(fd);
    uet_ut_server_close(server);
}

static void who_does_not_listen_holds_up_itself(void **state)
{
    struct uet_ut_server *server = open_server();
    int deaf = connect_client();
    static char text[1 << 20];
    size_t calls = 0, got = 0;

    (void)state;
    (void)uet_ut_server_poll(server, echo, &calls);
    say(deaf, "{\"id\":1,\"big\":1000000}\n{\"id\":2}\n");
    for (int i = 0; i < 5; i++)
        (void)uet_ut_server_poll(server, echo, &calls);
    assert_int_equal(calls, 1); /* the second request waits for the first reply to leave */
    for (int i = 0; i < 1000 && calls < 2; i++) {
        got += strlen(heard(deaf, text, sizeof(text)));
        (void)uet_ut_server_poll(server, echo, &calls);
    }
    got += strlen(heard(deaf, text, sizeof(text)));
    assert_int_equal(calls, 2);
    /* {"id":1,"ok":true,"text":"zz...z"}\n and {"id":2,"ok":true}\n */
    assert_int_equal(got, 1000000 + 29 + 19);
    close(deaf);
    uet_ut_server_close(server);
}

static void reply_too_long(void **state)
{
    struct uet_ut_server *server = open_server();
    int fd = connect_client();
    char text[512];
    size_t calls = 0;

    (void)state;
    (void)uet_ut_server_poll(server, echo, &calls);
    say(fd, "{\"id\":1,\"big\":5000000}\n");
    (void)uet_ut_server_poll(server, echo, &calls);
    assert_non_null(strstr(heard(fd, text, sizeof(text)), "ask for less"));
    close(fd);
    uet_ut_server_close(server);
}

/* The second client is told who holds the FEP and is closed; the first notices nothing. */
static void one_client_at_a_time(void **state)
{
    struct uet_ut_server *server = open_server();
    int first = connect_client(), second;
    char text[512], want[64];
    struct uet_ut *ut = NULL;
    size_t calls = 0;

    (void)state;
    (void)uet_ut_server_poll(server, echo, &calls);
    second = connect_client();
    (void)uet_ut_server_poll(server, echo, &calls);
    heard(second, text, sizeof(text));
    assert_int_equal(text[strlen(text) - 1], '\n');
    assert_non_null(strstr(text, "\"id\":null"));
    assert_non_null(strstr(text, "\"ok\":false"));
    assert_non_null(strstr(text, "one client at a time"));
    snprintf(want, sizeof(want), "pid %d (test_ut_server), uid %d", (int)getpid(), (int)getuid());
    if (!strstr(text, want))
        fail_msg("\"%s\" does not say \"%s\"", text, want);
    assert_int_equal(recv(second, text, sizeof(text), MSG_DONTWAIT), 0); /* closed */
    close(second);

    say(first, "{\"id\":1}\n");
    assert_int_equal(uet_ut_server_poll(server, echo, &calls), 1);
    assert_string_equal(heard(first, text, sizeof(text)), "{\"id\":1,\"ok\":true}\n");

    /* The same seen through the client: its first call says why there will be none. */
    assert_int_equal(uet_ut_connect(&ut, path, 1000, text, sizeof(text)), 0);
    (void)uet_ut_server_poll(server, echo, &calls);
    json_t *reply = NULL;
    assert_int_equal(uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), &reply), -EBADMSG);
    assert_null(reply);
    if (!strstr(ut->error, want))
        fail_msg("\"%s\" does not say \"%s\"", ut->error, want);
    assert_true(ut->lost);
    uet_ut_close(ut);
    close(first);
    uet_ut_server_close(server);
}

/* Who comes when the other has just gone is not taken for a second one, however much is unread. */
static void the_next_client(void **state)
{
    struct uet_ut_server *server = open_server();
    int first = connect_client(), second;
    char text[512];
    size_t calls = 0;

    (void)state;
    (void)uet_ut_server_poll(server, echo, &calls);
    for (int i = 0; i < 40; i++)
        say(first, "{\"id\":1}\n");
    close(first);
    second = connect_client();
    say(second, "{\"id\":2}\n");
    for (int i = 0; i < 10; i++)
        (void)uet_ut_server_poll(server, echo, &calls);
    assert_string_equal(heard(second, text, sizeof(text)), "{\"id\":2,\"ok\":true}\n");
    close(second);
    uet_ut_server_close(server);
}

static void the_socket_file(void **state)
{
    struct uet_ut_server *server = open_server(), *second = NULL;
    struct stat st;
    char err[256] = "";
    int fd;

    (void)state;
    assert_int_equal(uet_ut_server_open(&second, path, err, sizeof(err)), -EADDRINUSE);
    assert_non_null(strstr(err, "another program listens"));
    uet_ut_server_close(server);
    assert_int_equal(lstat(path, &st), -1); /* removed at the end */

    /* Left behind by a program that was killed: a socket file without a listener. */
    {
        struct sockaddr_un addr = {.sun_family = AF_UNIX};
        int stale = socket(AF_UNIX, SOCK_STREAM, 0);

        memcpy(addr.sun_path, path, strlen(path) + 1);
        assert_int_equal(bind(stale, (void *)&addr, sizeof(addr)), 0);
        close(stale);
    }
    server = open_server();
    close(connect_client());
    uet_ut_server_close(server);

    fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(uet_ut_server_open(&second, path, err, sizeof(err)), -EEXIST);
    assert_int_equal(lstat(path, &st), 0); /* what is not ours stays */
    unlink(path);
    assert_int_equal(uet_ut_server_open(&second, "/nonexistent/x", err, sizeof(err)), -ENOENT);
    assert_int_equal(uet_ut_server_open(&second, "", err, sizeof(err)), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_answered),
        cmocka_unit_test(can_be_waited_for),
        cmocka_unit_test(nonsense_is_refused_in_words),
        cmocka_unit_test(endless_line_ends_the_client),
        cmocka_unit_test(who_does_not_listen_holds_up_itself),
        cmocka_unit_test(reply_too_long),
        cmocka_unit_test(one_client_at_a_time),
        cmocka_unit_test(the_next_client),
        cmocka_unit_test(the_socket_file),
    };

    snprintf(path, sizeof(path), "/tmp/uet-ut-server-%d", (int)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
