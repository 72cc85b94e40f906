/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetkeys/group.h"

#include <string.h>
#include <sys/random.h>

#include "wire/secret.h"

/* A key that nobody had before; false when the system gives no random bytes. */
static bool new_key(struct group *g, uint8_t an)
{
    uint8_t *key = g->keys->key[an];

    g->keys->there[an] = getrandom(key, UET_TSS_KEY_LEN, 0) == UET_TSS_KEY_LEN;
    return g->keys->there[an];
}

bool group_begin(struct group *g, const struct group_config *config, uint64_t now_ns)
{
    *g = (struct group){.config = *config, .next_ssi = 1, .rekey_ns = UINT64_MAX};
    g->keys = uet_secret_new(sizeof *g->keys);
    if (!g->keys || !new_key(g, 0)) {
        group_end(g);
        return false;
    }
    if (config->every_ns)
        g->rekey_ns = now_ns + config->every_ns;
    return true;
}

void group_end(struct group *g)
{
    uet_secret_free(g->keys);
    g->keys = NULL;
}

struct member *group_find(struct group *g, const char *name)
{
    for (size_t i = 0; i < g->n_members; i++)
        if (strcmp(g->members[i].name, name) == 0)
            return &g->members[i];
    return NULL;
}

static const char busy[] = "another change is under way: try again when `uetkeys status` says idle";

/* There is news for everybody. */
static void tell(struct group *g, enum group_step step, uint64_t now_ns)
{
    g->news++;
    g->step = (uint8_t)step;
    g->settles = false;
    g->due_ns = now_ns + g->config.answer_ns;
}

const char *group_rekey(struct group *g, uint64_t now_ns)
{
    if (g->step)
        return busy;
    if (!new_key(g, !g->tx))
        return "the system gives no random bytes";
    g->epoch[!g->tx] = 0; /* TSS-035 */
    tell(g, STEP_LOAD, now_ns);
    if (g->config.every_ns)
        g->rekey_ns = now_ns + g->config.every_ns;
    return NULL;
}

const char *group_epoch(struct group *g, uint64_t now_ns)
{
    if (g->step)
        return busy;
    if (g->epoch[g->tx] == UINT16_MAX)
        return "the epochs of this key are used up: `uetkeys rekey` begins them anew";
    g->epoch[g->tx]++;
    tell(g, STEP_EPOCH, now_ns);
    return NULL;
}

const char *group_join(struct group *g, const char *name, uint64_t now_ns)
{
    size_t n = strlen(name);

    if (group_find(g, name))
        return group_epoch(g, now_ns);
    if (n == 0 || n >= MEMBER_NAME_MAX || strcspn(name, " \t\r\n=") != n)
        return "a name has 1 to 63 letters, without blanks and =";
    if (g->n_members == GROUP_MEMBERS_MAX)
        return "there are 64 members: no more";
    struct member *m = &g->members[g->n_members++];
    *m = (struct member){.ssi = g->next_ssi++};
    memcpy(m->name, name, n + 1);
    return NULL;
}

const char *group_leave(struct group *g, const char *name, uint64_t now_ns)
{
    struct member *m = group_find(g, name);

    if (!m)
        return "there is no such member: `uetkeys status` names them";
    const char *wrong = group_rekey(g, now_ns);
    if (!wrong)
        *m = g->members[--g->n_members];
    return wrong;
}

void group_has(struct group *g, struct member *m, uint64_t news, uint64_t now_ns)
{
    if (news <= m->told && news > m->has)
        m->has = news;
    group_advance(g, now_ns);
}

/* Has each member that is here the last news? */
static bool all_have(const struct group *g)
{
    for (size_t i = 0; i < g->n_members; i++)
        if (g->members[i].here && g->members[i].has < g->news)
            return false;
    return true;
}

/* The step is over for all, and packets of before have arrived. */
static void next_step(struct group *g, uint64_t now_ns)
{
    switch (g->step) {
    case STEP_LOAD:
        g->tx = !g->tx;
        g->n_rekeys++;
        tell(g, STEP_SWITCH, now_ns);
        break;
    case STEP_SWITCH:
        g->keys->there[!g->tx] = false;
        uet_tss_wipe(g->keys->key[!g->tx], UET_TSS_KEY_LEN);
        tell(g, STEP_RETIRE, now_ns);
        break;
    default:
        g->step = STEP_NONE;
    }
}

void group_advance(struct group *g, uint64_t now_ns)
{
    if (g->step && !g->settles && (all_have(g) || now_ns >= g->due_ns)) {
        bool more = g->step == STEP_LOAD || g->step == STEP_SWITCH;

        g->settles = true;
        g->due_ns = now_ns + (more ? g->config.settle_ns : 0);
    }
    if (g->step && g->settles && now_ns >= g->due_ns)
        next_step(g, now_ns);
    if (!g->step && now_ns >= g->rekey_ns && group_rekey(g, now_ns))
        g->rekey_ns = now_ns + g->config.every_ns; /* without random bytes: later */
}

uint64_t group_deadline(const struct group *g)
{
    return g->step ? g->due_ns : g->rekey_ns;
}

const char *group_step_name(const struct group *g)
{
    static const char *const names[] = {[STEP_NONE] = "idle",
                                        [STEP_LOAD] = "load",
                                        [STEP_SWITCH] = "switch",
                                        [STEP_RETIRE] = "retire",
                                        [STEP_EPOCH] = "epoch"};

    return names[g->step];
}
