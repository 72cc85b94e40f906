/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "ut/line.h"
#include "ut/server.h"

/* False: nobody reads, or there is no memory. The other end sees the end. */
static bool reply_to(const char *text, size_t len, json_t *(*handle)(void *ctx, json_t *request),
                     void *ctx)
{
    json_t *request = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    json_t *reply = json_is_object(request) ? handle(ctx, request)
                                            : json_pack("{s:n, s:b, s:s}", "id", "ok", 0, "error",
                                                        "the line is no JSON object {...}");
    bool good = reply && json_dumpf(reply, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF &&
                fflush(stdout) == 0;

    json_decref(request);
    json_decref(reply);
    return good;
}

void uet_ut_speak(json_t *(*handle)(void *ctx, json_t *request), void (*idle)(void *ctx), void *ctx,
                  volatile sig_atomic_t *stop)
{
    struct uet_line line = {0};
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    bool good = true;

    while (good && !*stop) {
        const char *text;
        size_t len;

        if (idle)
            idle(ctx);
        if (poll(&in, 1, idle ? 1 : -1) <= 0)
            continue; /* a signal, or time for idle */
        int n = uet_line_read(&line, STDIN_FILENO);
        while (good && n > 0 && !*stop && (text = uet_line_next(&line, &len)))
            good = reply_to(text, len, handle, ctx);
        if (n == -EMSGSIZE)
            reply_to("", 0, handle, ctx);
        good &= n > 0 || n == -EAGAIN;
    }
    uet_line_free(&line);
}
