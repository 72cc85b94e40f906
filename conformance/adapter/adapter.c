/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/adapter/adapter.h"

#include <errno.h>
#include <string.h>

#include "conformance/adapter/trial.h"

const char *const uet_adapter_hows[UET_ADAPTER_HOWS] = {
    [UET_ADAPTER_WORKS] = "works",         [UET_ADAPTER_REFUSED] = "refused",
    [UET_ADAPTER_ABSENT] = "not there",    [UET_ADAPTER_WRONG] = "wrong",
    [UET_ADAPTER_NOT_TRIED] = "not tried",
};

/* Each begins at a FEP that knows nothing, where it can be reset. */
static void clean(struct trial *t)
{
    struct uet_ut *const both[] = {t->ut, t->peer};

    for (size_t i = 0; i < 2; i++)
        if (both[i] && !both[i]->lost && uet_ut_has_verb(both[i], "reset") == 1)
            uet_ut_reset(both[i]); /* that it works has a check of its own */
    t->n_ends[0] = t->n_ends[1] = 0;
}

static void try_one(struct trial *t, const struct check *check)
{
    t->r =
        (struct uet_adapter_result){.verb = check->verb, .what = check->what, .asks = check->asks};
    clean(t);
    check->body(t);
}

/* A verb that hello does not list is not used; but then it must be refused, too. */
static void try_absent(struct trial *t, const struct check *check)
{
    t->r =
        (struct uet_adapter_result){.verb = check->verb, .what = check->what, .asks = check->asks};
    trial_refuses(t, json_pack("{s:s}", "verb", check->verb), "although hello does not list it");
    trial_says(t, UET_ADAPTER_ABSENT, "hello does not list it");
}

static int try_all(struct trial *t, const struct check *checks, size_t n, bool between)
{
    for (size_t i = 0; i < n; i++) {
        const struct check *check = &checks[i];

        if (t->adapter->verb && strcmp(t->adapter->verb, check->verb) != 0)
            continue;
        if (t->adapter->stop && *t->adapter->stop)
            return -EINTR;
        if (check->verb[0] != '(' && !trial_lists(t, check->verb))
            try_absent(t, check);
        else if (between && !t->peer) {
            t->r = (struct uet_adapter_result){
                .verb = check->verb, .what = check->what, .asks = check->asks};
            trial_says(t, UET_ADAPTER_NOT_TRIED, "it takes a second FEP: --peer");
        } else
            try_one(t, check);
        t->adapter->done(t->adapter->ctx, &t->r);
        if (t->ut->lost || (t->peer && t->peer->lost))
            return -EPIPE;
    }
    return 0;
}

int uet_adapter_check(struct uet_adapter *adapter)
{
    struct trial t = {.adapter = adapter, .ut = adapter->ut, .peer = adapter->peer};
    int rc = uet_ut_hello(t.ut, &t.about);

    if (!rc && t.peer)
        rc = uet_ut_hello(t.peer, &t.peer_about);
    if (rc) { /* nothing else can be asked of one that does not say who it is */
        struct uet_ut *bad = t.peer && t.about.name[0] ? t.peer : t.ut;

        t.r = (struct uet_adapter_result){.verb = "hello", .what = "who is there"};
        trial_ok(&t, bad, "hello", rc == -EPROTO ? -EBADMSG : rc);
        adapter->done(adapter->ctx, &t.r);
        return bad->lost ? -EPIPE : 0;
    }
    rc = try_all(&t, uet_adapter_alone, uet_adapter_n_alone, false);
    return rc ? rc : try_all(&t, uet_adapter_between, uet_adapter_n_between, true);
}
