/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/adapter/trial.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint16_t trial_ri(struct trial *t)
{
    return ++t->ri; /* 12 bits; the checks are fewer */
}

void trial_says(struct trial *t, enum uet_adapter_how how, const char *format, ...)
{
    va_list args;

    if (t->r.how != UET_ADAPTER_WORKS)
        return;
    t->r.how = (uint8_t)how;
    va_start(args, format);
    vsnprintf(t->r.text, sizeof(t->r.text), format, args);
    va_end(args);
}

bool trial_ok(struct trial *t, struct uet_ut *ut, const char *doing, int rc)
{
    const char *who = ut == t->ut ? "" : "the second FEP: ";
    enum uet_adapter_how how = rc == -EPROTO ? UET_ADAPTER_REFUSED : UET_ADAPTER_WRONG;

    if (rc >= 0)
        return true;
    if (ut->error[0] && strncmp(ut->error, doing, strlen(doing)) == 0)
        trial_says(t, how, "%s%s", who, ut->error);
    else
        trial_says(t, how, "%s%s: %s", who, doing, ut->error[0] ? ut->error : strerror(-rc));
    return false;
}

bool trial_opens(struct trial *t, struct uet_ut *ut, uint16_t ri, enum uet_ut_class ri_class)
{
    const struct uet_ut_service service = {.job_id = TRIAL_JOB,
                                           .pid_on_fep = TRIAL_PID,
                                           .resource_index = ri,
                                           .ri_class = (uint8_t)ri_class};

    return uet_ut_has_verb(ut, "service") != 1 ||
           trial_ok(t, ut, "service", uet_ut_service(ut, &service));
}

bool trial_lists(struct trial *t, const char *verb)
{
    return uet_ut_has_verb(t->ut, verb) == 1;
}

bool trial_refuses(struct trial *t, json_t *request, const char *why)
{
    json_t *reply = NULL;
    char *text = request ? json_dumps(request, JSON_COMPACT) : NULL;
    int rc = request ? uet_ut_call(t->ut, request, &reply) : -ENOMEM;

    if (rc == 0)
        WRONG(t, "%.200s was accepted, %s", text ? text : "a request", why);
    else if (rc != -EPROTO)
        trial_ok(t, t->ut, "a request to be refused", rc);
    else if (json_string_length(json_object_get(reply, "error")) == 0)
        WRONG(t, "%.200s was refused without an error in words", text ? text : "a request");
    json_decref(reply);
    free(text);
    return rc == -EPROTO;
}

/* ---- completions ---- */

static int64_t now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool fetch(struct trial *t, int side)
{
    struct uet_ut *ut = side ? t->peer : t->ut;
    size_t room = TRIAL_ENDS - t->n_ends[side];
    int n = room ? uet_ut_wait(ut, &t->ends[side][t->n_ends[side]], room) : 0;

    if (!trial_ok(t, ut, "wait", n))
        return false;
    for (size_t i = 0; side == 0 && i < (size_t)n; i++)
        t->adapter->tells_codes |= t->ends[0][t->n_ends[0] + i].return_code != 0;
    t->n_ends[side] += (size_t)n;
    return true;
}

static const struct uet_ut_completion *find(const struct trial *t, int side, uint64_t handle)
{
    for (size_t i = 0; i < t->n_ends[side]; i++)
        if (t->ends[side][i].handle == handle)
            return &t->ends[side][i];
    return NULL;
}

const struct uet_ut_completion *trial_may_end(struct trial *t, int side, uint64_t handle)
{
    int64_t deadline = now_ms() + t->adapter->wait_ms;
    const struct uet_ut_completion *end;

    /* Both are asked, so that an adapter that goes on only when it is called does. */
    while (fetch(t, 0) && (!t->peer || fetch(t, 1))) {
        end = find(t, side, handle);
        if (end || now_ms() >= deadline || (t->adapter->stop && *t->adapter->stop))
            return end;
        poll(NULL, 0, 1);
    }
    return NULL;
}

const struct uet_ut_completion *trial_end(struct trial *t, int side, uint64_t handle,
                                          const char *of)
{
    const struct uet_ut_completion *end = trial_may_end(t, side, handle);

    if (!end)
        WRONG(t, "%s has not ended after %u ms: no completion with handle %llu", of,
              t->adapter->wait_ms, (unsigned long long)handle);
    return end;
}
