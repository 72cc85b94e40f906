/* SPDX-License-Identifier: BSD-2-Clause */
/* The upper tester at the other end of a stream. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "ut/dial.h"
#include "ut/line.h"
#include "ut/ut.h"

struct client {
    struct uet_ut ut; /* first: the caller holds a pointer to it */
    struct uet_line line;
    struct uet_dialled at; /* fd -1 after an error that leaves the stream in an unknown state */
    int timeout_ms;
};

static int64_t now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Waits until the socket is ready for events. 0, or -ETIMEDOUT. */
static int ready(int fd, short events, int64_t deadline_ms)
{
    for (;;) {
        struct pollfd p = {.fd = fd, .events = events};
        int64_t left_ms = deadline_ms - now_ms();
        int rc = poll(&p, 1, left_ms > 0 ? (int)left_ms : 0);

        if (rc > 0)
            return 0;
        if (rc == 0)
            return -ETIMEDOUT;
        if (errno != EINTR)
            return -errno;
    }
}

static int send_all(int fd, const char *data, size_t len, int64_t deadline_ms)
{
    while (len > 0) {
        ssize_t n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        int rc = 0;

        if (n >= 0) {
            data += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            rc = ready(fd, POLLOUT, deadline_ms);
        } else if (errno != EINTR) {
            rc = errno == ECONNRESET ? -EPIPE : -errno;
        }
        if (rc)
            return rc;
    }
    return 0;
}

static int send_request(struct client *client, const json_t *request, int64_t deadline_ms)
{
    char *text = json_dumps(request, JSON_COMPACT);
    size_t len = text ? strlen(text) : 0;
    int rc;

    if (!text)
        return -ENOMEM;
    if (len + 1 > UET_UT_LINE_MAX) {
        free(text);
        return -EMSGSIZE;
    }
    text[len] = '\n'; /* in place of the NUL */
    rc = send_all(client->at.fd, text, len + 1, deadline_ms);
    free(text);
    return rc;
}

static int read_line(struct client *client, const char **text, size_t *len, int64_t deadline_ms)
{
    for (;;) {
        int rc;

        *text = uet_line_next(&client->line, len);
        if (*text)
            return 0;
        rc = uet_line_read(&client->line, client->at.fd);
        if (rc == -EAGAIN)
            rc = ready(client->at.fd, POLLIN, deadline_ms);
        else if (rc == 0 || rc == -ECONNRESET)
            rc = -EPIPE;
        if (rc < 0)
            return rc;
    }
}

static int read_reply(struct client *client, json_t **reply, int64_t deadline_ms)
{
    json_error_t where;
    const char *text;
    size_t len;
    int rc = read_line(client, &text, &len, deadline_ms);

    if (rc)
        return rc;
    *reply = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
    if (*reply)
        return 0;
    snprintf(client->ut.error, sizeof(client->ut.error),
             "the reply is not a line of JSON: %s at byte %d", where.text, where.position);
    return -EBADMSG;
}

static void disconnect(struct client *client)
{
    uet_hang_up(&client->at);
    client->ut.lost = true;
}

static void explain(struct client *client, int rc)
{
    char *error = client->ut.error;
    size_t size = sizeof(client->ut.error);

    if (error[0])
        return;
    if (rc == -ETIMEDOUT)
        snprintf(error, size, "no reply from the FEP's control socket within %d ms",
                 client->timeout_ms);
    else if (rc == -EPIPE)
        uet_dialled_end(&client->at, error, size);
    else if (rc == -EMSGSIZE)
        snprintf(error, size, "a line is longer than %u bytes", UET_UT_LINE_MAX);
    if (rc == -EPIPE && !error[0])
        snprintf(error, size, "the FEP's control socket is closed");
}

/* Is the reply that of this request? If not, what follows is not to be trusted either. */
static bool same_id(const json_t *request, const json_t *reply)
{
    const json_t *id = json_object_get(reply, "id");

    return json_is_integer(id) &&
           json_integer_value(id) == json_integer_value(json_object_get(request, "id"));
}

static int client_call(struct uet_ut *ut, json_t *request, json_t **reply)
{
    struct client *client = (struct client *)ut;
    int64_t deadline_ms = now_ms() + client->timeout_ms;
    int rc = -EPIPE;
    bool sent = false;

    if (client->at.fd >= 0) {
        rc = send_request(client, request, deadline_ms);
        sent = rc != -EMSGSIZE && rc != -ENOMEM;
        /* Who is refused finds the socket closed, and the reason in it. */
        if (rc == 0)
            rc = read_reply(client, reply, deadline_ms);
        else if (rc == -EPIPE && read_reply(client, reply, deadline_ms) == 0)
            rc = 0;
    }
    if (rc)
        explain(client, rc);
    if (sent && (rc || !same_id(request, *reply)))
        disconnect(client);
    return rc;
}

static void client_close(struct uet_ut *ut)
{
    struct client *client = (struct client *)ut;

    disconnect(client);
    uet_line_free(&client->line);
    free(client);
}

int uet_ut_connect(struct uet_ut **ut, const char *where, int timeout_ms, char *err, size_t errlen)
{
    static const struct uet_ut_ops ops = {.call = client_call, .close = client_close};
    struct client *client = calloc(1, sizeof(*client));

    if (!client) {
        snprintf(err, errlen, "control %s: not enough memory", where);
        return -ENOMEM;
    }
    client->ut = (struct uet_ut){.ops = &ops, .next_id = 1};
    client->timeout_ms = timeout_ms;
    int rc = uet_dial(&client->at, where, timeout_ms, err, errlen);
    if (rc)
        client_close(&client->ut);
    else
        *ut = &client->ut;
    return rc;
}
