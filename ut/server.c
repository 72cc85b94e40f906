/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ut/line.h"
#include "ut/ut.h"

/* Requests in one call of poll: the packets wait meanwhile. Connections that wait to be accepted.
 */
enum { REQUESTS_A_POLL = 16, BACKLOG = 8 };

/* Until a client is taken again for whom there was no file descriptor left. */
#define FULL_NS 100000000u

struct client {
    int fd;           /* -1: nobody */
    struct ucred who; /* as the system knows it: pid 0 from another pid namespace */
    struct uet_line line;
    char *reply; /* being written */
    size_t reply_len, reply_sent;
    bool last; /* close when the reply is out */
};

struct uet_ut_server {
    struct sockaddr_un addr;
    int fd;
    dev_t dev; /* of the socket's file: removed at the end only if it is still ours */
    ino_t ino;
    bool full; /* somebody waits, but there is no file descriptor left for him */
    struct client client;
};

/* ---- opening and closing ---- */

static int fail(char *err, size_t errlen, int code, const char *path, const char *why)
{
    if (errlen)
        snprintf(err, errlen, "control socket %s: %s", path, why);
    return -code;
}

/* What is wrong with the place, and how to mend it. */
static const char *advice(int code)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return "there is no such folder: make it, or choose another path";
    case EACCES:
    case EROFS:
        return "no right to write there: choose another path";
    default:
        return strerror(code);
    }
}

static const struct sockaddr *address_of(const struct sockaddr_un *addr)
{
    return (const struct sockaddr *)(const void *)addr;
}

/* Does somebody listen at the address? 1, 0, or a negative errno. */
static int somebody_listens(const struct sockaddr_un *addr)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int rc = 1;

    if (fd < 0)
        return -errno;
    if (connect(fd, address_of(addr), sizeof(*addr)))
        rc = errno == ECONNREFUSED ? 0 : errno == EAGAIN ? 1 : -errno;
    close(fd);
    return rc;
}

/* Makes the path free when what stands there is a socket without a program. */
static int clear_stale(const struct sockaddr_un *addr, char *err, size_t errlen)
{
    const char *path = addr->sun_path;
    struct stat st;
    int rc;

    if (lstat(path, &st))
        return errno == ENOENT ? 0 : fail(err, errlen, errno, path, advice(errno));
    if (!S_ISSOCK(st.st_mode))
        return fail(err, errlen, EEXIST, path,
                    "there is a file that is no socket: remove it, or choose another path");
    rc = somebody_listens(addr);
    if (rc > 0)
        return fail(err, errlen, EADDRINUSE, path,
                    "another program listens there: end it, or choose another path");
    if (rc < 0)
        return fail(err, errlen, -rc, path, advice(-rc));
    if (unlink(path))
        return fail(err, errlen, errno, path, advice(errno));
    return 0;
}

static int listen_at(struct uet_ut_server *server, char *err, size_t errlen)
{
    struct stat st;

    server->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->fd < 0 || bind(server->fd, address_of(&server->addr), sizeof(server->addr)))
        return fail(err, errlen, errno, server->addr.sun_path, advice(errno));
    if (listen(server->fd, BACKLOG) || lstat(server->addr.sun_path, &st)) {
        int code = errno;

        unlink(server->addr.sun_path);
        return fail(err, errlen, code, server->addr.sun_path, strerror(code));
    }
    server->dev = st.st_dev;
    server->ino = st.st_ino;
    return 0;
}

int uet_ut_server_open(struct uet_ut_server **out, const char *path, char *err, size_t errlen)
{
    struct uet_ut_server *server;
    int rc;

    if (path[0] == 0)
        return fail(err, errlen, EINVAL, "(empty)", "give the path of a file");
    if (strlen(path) >= sizeof(server->addr.sun_path))
        return fail(err, errlen, ENAMETOOLONG, path, "longer than 107 bytes: use a shorter path");
    server = calloc(1, sizeof(*server));
    if (!server)
        return fail(err, errlen, ENOMEM, path, "not enough memory");
    server->fd = server->client.fd = -1;
    server->addr.sun_family = AF_UNIX;
    memcpy(server->addr.sun_path, path, strlen(path) + 1);
    rc = clear_stale(&server->addr, err, errlen);
    if (rc == 0)
        rc = listen_at(server, err, errlen);
    if (rc == 0) {
        *out = server;
        return 0;
    }
    if (server->fd >= 0)
        close(server->fd);
    free(server);
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
    struct stat st;

    if (!server)
        return;
    if (server->client.fd >= 0)
        drop(&server->client);
    close(server->fd);
    if (lstat(server->addr.sun_path, &st) == 0 && st.st_dev == server->dev &&
        st.st_ino == server->ino)
        unlink(server->addr.sun_path);
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

/* The program's name after its pid; "" when the system does not tell. */
static void name_of(pid_t pid, char *name, size_t size)
{
    char path[40];
    FILE *file;

    name[0] = 0;
    snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
    file = pid > 0 ? fopen(path, "re") : NULL;
    if (!file)
        return;
    if (fgets(name, (int)size, file))
        name[strcspn(name, "\n")] = 0;
    fclose(file);
}

/* The line for who comes while `holder` is there. */
static int refusal_line(const struct ucred *holder, char *line, size_t size)
{
    char name[32], who[96], why[200];
    json_t *reply;
    char *text;
    int n = -1;

    name_of(holder->pid, name, sizeof(name));
    if (holder->pid == 0)
        snprintf(who, sizeof(who), "a program of another pid namespace, uid %u", holder->uid);
    else
        snprintf(who, sizeof(who), "pid %d (%s), uid %u", (int)holder->pid, name[0] ? name : "?",
                 holder->uid);
    snprintf(why, sizeof(why),
             "the upper tester takes one client at a time, and %s holds it: wait for its end, or "
             "end it",
             who);
    reply = refusal(why);
    text = reply ? json_dumps(reply, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    if (text)
        n = snprintf(line, size, "%s\n", text);
    free(text);
    json_decref(reply);
    return n;
}

static void refuse(int fd, const struct ucred *holder)
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
    int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    socklen_t size = sizeof(client->who);

    server->full = fd < 0 && errno != EAGAIN && errno != ECONNABORTED && errno != EINTR;
    if (fd < 0)
        return; /* gone again, or no file descriptor: it stays in the queue */
    if (client->fd >= 0) {
        refuse(fd, &client->who);
        return;
    }
    client->fd = fd;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &client->who, &size))
        client->who = (struct ucred){0};
}

uint64_t uet_ut_server_wait(const struct uet_ut_server *server,
                            struct pollfd polls[UET_UT_SERVER_FDS])
{
    const struct client *client = &server->client;

    polls[0] = (struct pollfd){.fd = client->fd, .events = client->reply ? POLLOUT : POLLIN};
    polls[1] = (struct pollfd){.fd = server->full ? -1 : server->fd, .events = POLLIN};
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
        {.fd = server->fd, .events = POLLIN},
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
