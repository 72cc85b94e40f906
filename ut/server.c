/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ut/line.h"
#include "ut/listen.h"
#include "ut/ut.h"

enum { REQUESTS_A_POLL = 16 }; /* in one call of poll: the packets wait meanwhile */

/* Until a client is taken again for whom there was no file descriptor left. */
#define FULL_NS 100000000u

struct client {
    int fd;       /* -1: nobody */
    char who[96]; /* for whoever comes meanwhile */
    struct uet_line line;
    char *reply; /* being written */
    size_t reply_len, reply_sent;
    bool last; /* close when the reply is out */
};

struct uet_ut_server {
    struct uet_listener at;
    bool full; /* somebody waits, but there is no file descriptor left for him */
    struct client client;
};

/* ---- opening and closing ---- */

int uet_ut_server_open(struct uet_ut_server **out, const char *where, char *err, size_t errlen)
{
    struct uet_ut_server *server = calloc(1, sizeof(*server));

    if (!server) {
        snprintf(err, errlen, "control %s: not enough memory", where);
        return -ENOMEM;
    }
    server->client.fd = -1;
    int rc = uet_listen(&server->at, where, err, errlen);
    if (rc)
        free(server);
    else
        *out = server;
    return rc;
}

static void drop(struct client *client)
{
    close(client->fd);
    uet_line_free(&client->line);
    free(client->reply);
    *client = (struct client){.fd = -1};
}

void uet_ut_server_close(struct uet_ut_server *server)
{
    if (!server)
        return;
    if (server->client.fd >= 0)
        drop(&server->client);
    uet_listener_close(&server->at);
    free(server);
}

bool uet_ut_server_connected(const struct uet_ut_server *server)
{
    return server->client.fd >= 0;
}

/* May there be whole lines in the buffer, of which no descriptor will tell? */
static bool has_lines(const struct client *client)
{
    const struct uet_line *line = &client->line;

    return client->fd >= 0 && !client->reply && line->len > line->taken &&
           line->len > line->scanned;
}

/* ---- replies ---- */

/* Writes what the socket takes of the reply; drops a client that is gone. */
static void flush(struct client *client)
{
    while (client->reply) {
        ssize_t n = send(client->fd, client->reply + client->reply_sent,
                         client->reply_len - client->reply_sent, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n < 0) {
            drop(client);
            return;
        }
        client->reply_sent += (size_t)n;
        if (client->reply_sent == client->reply_len) {
            free(client->reply);
            client->reply = NULL;
        }
    }
    if (client->last)
        drop(client);
}

static json_t *refusal(const char *why)
{
    return json_pack("{s:n, s:b, s:s}", "id", "ok", 0, "error", why);
}

/* Takes the reply (stolen) for writing. Without memory the client is dropped: it sees the end. */
static void give(struct client *client, json_t *reply)
{
    char *text = reply ? json_dumps(reply, JSON_COMPACT) : NULL;

    if (text && strlen(text) + 1 > UET_UT_LINE_MAX) {
        free(text);
        json_decref(reply);
        reply = refusal("the reply would be longer than a line may be: ask for less at once");
        text = reply ? json_dumps(reply, JSON_COMPACT) : NULL;
    }
    json_decref(reply);
    if (!text) {
        drop(client);
        return;
    }
    client->reply = text;
    client->reply_len = strlen(text) + 1;
    client->reply_sent = 0;
    text[client->reply_len - 1] = '\n';
    flush(client);
}

/* ---- requests ---- */

static void serve_line(struct client *client, const char *text, size_t len,
                       json_t *(*handle)(void *ctx, json_t *request), void *ctx)
{
    char why[256];
    json_error_t where;
    json_t *request = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);

    if (json_is_object(request)) {
        give(client, handle(ctx, request));
    } else {
        if (request)
            snprintf(why, sizeof(why), "the line is JSON, but no object {...}");
        else
            snprintf(why, sizeof(why), "the line is not JSON: %.160s at byte %d", where.text,
                     where.position);
        give(client, refusal(why));
    }
    json_decref(request);
}

/* Reads more; ends the client at the end of its stream or when its line is too long. */
static bool read_more(struct client *client)
{
    int rc = uet_line_read(&client->line, client->fd);

    if (rc > 0)
        return true;
    if (rc == -EMSGSIZE) {
        client->last = true;
        give(client, refusal("the line is longer than 4 MiB: send less at once"));
    } else if (rc != -EAGAIN) {
        drop(client);
    }
    return false;
}

static size_t serve(struct client *client, json_t *(*handle)(void *ctx, json_t *request), void *ctx)
{
    size_t n = 0;

    flush(client);
    /* While a reply waits nothing is read: a client that does not listen holds up itself only. */
    while (client->fd >= 0 && !client->reply && n < REQUESTS_A_POLL) {
        size_t len;
        const char *text = uet_line_next(&client->line, &len);

        if (text) {
            serve_line(client, text, len, handle, ctx);
            n++;
        } else if (!read_more(client)) {
            break;
        }
    }
    return n;
}

/* ---- one client at a time ---- */

/* The line for who comes while `holder` is there. */
static int refusal_line(const char *holder, char *line, size_t size)
{
    char why[240];
    json_t *reply;
    char *text;
    int n = -1;

    snprintf(why, sizeof(why),
             "the upper tester takes one client at a time, and %s holds it: wait for its end, or "
             "end it",
             holder);
    reply = refusal(why);
    text = reply ? json_dumps(reply, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    if (text)
        n = snprintf(line, size, "%s\n", text);
    free(text);
    json_decref(reply);
    return n;
}

static void refuse(int fd, const char *holder)
{
    char line[512];
    int n = refusal_line(holder, line, sizeof(line));

    if (n > 0 && send(fd, line, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        /* it has gone already: nothing to tell it */
    }
    close(fd);
}

static void accept_client(struct uet_ut_server *server)
{
    struct client *client = &server->client;
    int fd = accept4(server->at.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    server->full = fd < 0 && errno != EAGAIN && errno != ECONNABORTED && errno != EINTR;
    if (fd < 0)
        return; /* gone again, or no file descriptor: it stays in the queue */
    if (client->fd >= 0) {
        refuse(fd, client->who);
        return;
    }
    client->fd = fd;
    uet_listener_names(fd, client->who, sizeof(client->who));
}

uint64_t uet_ut_server_wait(const struct uet_ut_server *server,
                            struct pollfd polls[UET_UT_SERVER_FDS])
{
    const struct client *client = &server->client;

    polls[0] = (struct pollfd){.fd = client->fd, .events = client->reply ? POLLOUT : POLLIN};
    polls[1] = (struct pollfd){.fd = server->full ? -1 : server->at.fd, .events = POLLIN};
    if (has_lines(client))
        return 0;
    return server->full ? FULL_NS : UINT64_MAX;
}

size_t uet_ut_server_poll(struct uet_ut_server *server,
                          json_t *(*handle)(void *ctx, json_t *request), void *ctx)
{
    struct client *client = &server->client;
    /* One system call tells what is to be done. */
    struct pollfd polls[] = {
        {.fd = client->fd, .events = (client->reply ? POLLOUT : POLLIN) | POLLRDHUP},
        {.fd = server->at.fd, .events = POLLIN},
    };
    size_t handled = 0;

    (void)poll(polls, 2, 0);
    /* Whole lines may wait in the buffer from the last time. */
    if (client->fd >= 0 && (polls[0].revents || has_lines(client)))
        handled = serve(client, handle, ctx);
    /* Who holds the FEP no more, but has left lines to be read, is not to be named to the next. */
    if (client->fd >= 0 && !client->reply && (polls[0].revents & (POLLHUP | POLLRDHUP)))
        return handled;
    if (polls[1].revents)
        accept_client(server);
    return handled;
}
