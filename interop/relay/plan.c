/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ut/nearest.h"
#include "wire/class.h"

/* The words of a line, one by one. */
struct words {
    const char *at; /* behind the word */
    char word[48];  /* "" at the end */
    char *err;
    size_t errlen;
};

static void next(struct words *w)
{
    size_t n = 0;

    w->at += strspn(w->at, " \t");
    while (w->at[n] && w->at[n] != ' ' && w->at[n] != '\t')
        n++;
    snprintf(w->word, sizeof w->word, "%.*s", (int)n, w->at);
    w->at += n;
}

/* What is wrong with the word, and what should be there. */
static bool wrong(const struct words *w, const char *mend)
{
    if (w->word[0])
        snprintf(w->err, w->errlen, "'%s': %s", w->word, mend);
    else
        snprintf(w->err, w->errlen, "its end: %s", mend);
    return false;
}

static bool is(const struct words *w, const char *word)
{
    return strcmp(w->word, word) == 0;
}

/* Passes over the word, which must stand there. */
static bool keyword(struct words *w, const char *word)
{
    char mend[64];

    if (!is(w, word)) {
        snprintf(mend, sizeof mend, "'%s' should stand here", word);
        return wrong(w, mend);
    }
    next(w);
    return true;
}

/* ---- values ---- */

/* Digits, and a fraction of at most six; the value in millionths. *end is what follows. */
static bool millionths(const char *text, uint64_t max, uint64_t *value, const char **end)
{
    uint64_t whole = 0, part = 0, place = RELAY_MILLION;
    const char *p = text;

    for (; *p >= '0' && *p <= '9'; p++)
        if ((whole = whole * 10 + (uint64_t)(*p - '0')) > max)
            return false;
    if (p == text)
        return false;
    if (*p == '.' && p[1] >= '0' && p[1] <= '9')
        for (p++; *p >= '0' && *p <= '9'; p++)
            part += (uint64_t)(*p - '0') * (place /= 10);
    *value = whole * RELAY_MILLION + part;
    *end = p;
    return true;
}

static bool share(struct words *w, uint32_t *chance)
{
    const char *end;
    uint64_t value;

    if (!millionths(w->word, 100, &value, &end) || strcmp(end, "%") != 0 ||
        value > UINT64_C(100) * RELAY_MILLION)
        return wrong(w, "give a share of the packets from 0% to 100%, such as 1% or 0.5%");
    *chance = (uint32_t)(value / 100);
    next(w);
    return true;
}

struct unit {
    const char *name;
    uint64_t of; /* the smallest */
};

/* A number with one of the units, as a whole number of these. */
static bool quantity(struct words *w, const struct unit *units, size_t n, uint64_t min,
                     uint64_t max, uint64_t *value, const char *mend)
{
    const char *end;

    if (millionths(w->word, UINT64_C(10000000000), value, &end))
        for (size_t i = 0; i < n; i++)
            if (strcmp(end, units[i].name) == 0 &&
                !__builtin_mul_overflow(*value, units[i].of, value)) {
                *value /= RELAY_MILLION;
                if (*value < min || *value > max)
                    break;
                next(w);
                return true;
            }
    return wrong(w, mend);
}

static bool duration(struct words *w, uint64_t *ns)
{
    static const struct unit units[] = {
        {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

    return quantity(w, units, 4, 0, UINT64_C(3600000000000), ns,
                    "give a time of at most an hour, such as 200us, 1.5ms or 2s");
}

static bool number(struct words *w, uint32_t min, uint32_t max, uint32_t *value)
{
    char mend[64], *end;
    unsigned long v = strtoul(w->word, &end, 10);

    if (w->word[0] >= '0' && w->word[0] <= '9' && !*end && v >= min && v <= max) {
        *value = (uint32_t)v;
        next(w);
        return true;
    }
    snprintf(mend, sizeof mend, "give a number from %u to %u", min, max);
    return wrong(w, mend);
}

/* ---- the forms of each kind ---- */

static bool share_alone(struct words *w, struct relay_rule *r)
{
    return share(w, &r->chance);
}

static bool duplicate(struct words *w, struct relay_rule *r)
{
    if (!share(w, &r->chance))
        return false;
    if (!is(w, "after"))
        return true;
    next(w);
    return duration(w, &r->span_ns);
}

static bool reorder(struct words *w, struct relay_rule *r)
{
    return share(w, &r->chance) && keyword(w, "by") && number(w, 1, 1000, &r->count);
}

static bool delay(struct words *w, struct relay_rule *r)
{
    r->chance = RELAY_MILLION;
    if (!duration(w, &r->ns))
        return false;
    if (!is(w, "jitter"))
        return true;
    next(w);
    return duration(w, &r->span_ns);
}

/* "dscp A to B", if it stands there. */
static bool code_points(struct words *w, struct relay_rule *r)
{
    uint32_t dscp = r->dscp, after = r->dscp_after;

    if (!is(w, "dscp"))
        return true;
    next(w);
    if (!number(w, 0, 63, &dscp) || !keyword(w, "to"))
        return false;
    if (atoi(w->word) == (int)dscp)
        return wrong(w, "a trimmed packet has another DSCP than one that may be trimmed (4.1.4.1)");
    if (!number(w, 0, 63, &after))
        return false;
    r->dscp = (uint8_t)dscp;
    r->dscp_after = (uint8_t)after;
    return true;
}

static bool trim(struct words *w, struct relay_rule *r)
{
    return share(w, &r->chance) && code_points(w, r);
}

static bool size(struct words *w, uint32_t *bytes)
{
    static const struct unit units[] = {{"", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}};
    uint64_t value;

    if (!quantity(w, units, 3, 0, RELAY_QUEUE_MAX, &value,
                  "give bytes up to 64MiB, such as 100000 or 64KiB"))
        return false;
    *bytes = (uint32_t)value;
    return true;
}

static bool rate(struct words *w, uint64_t *bits)
{
    static const struct unit units[] = {
        {"kbit/s", 1000}, {"Mbit/s", 1000000}, {"Gbit/s", 1000000000}};

    return quantity(w, units, 3, 1000000, UINT64_C(1000000000000), bits,
                    "give a rate from 1Mbit/s to 1000Gbit/s");
}

static bool queue(struct words *w, struct relay_rule *r)
{
    r->chance = RELAY_MILLION;
    r->ce_above = r->trim_above = RELAY_NEVER;
    if (!size(w, &r->bytes) || !keyword(w, "at") || !rate(w, &r->rate))
        return false;
    if (is(w, "ce")) {
        next(w);
        if (!keyword(w, "above") || !size(w, &r->ce_above))
            return false;
    }
    if (is(w, "trim")) {
        next(w);
        if (!keyword(w, "above") || !size(w, &r->trim_above) || !code_points(w, r))
            return false;
    }
    return true;
}

static bool rehash(struct words *w, struct relay_rule *r)
{
    r->chance = RELAY_MILLION;
    if (!number(w, 2, RELAY_PATHS_MAX, &r->count) || !keyword(w, "paths") || !duration(w, &r->ns))
        return false;
    if (!is(w, "every"))
        return true;
    next(w);

    const struct words before = *w;
    if (!duration(w, &r->span_ns))
        return false;
    if (r->span_ns == 0)
        return wrong(&before, "give a time above 0, or leave 'every' out: the hash stays then");
    return true;
}

static bool cut(struct words *w, struct relay_rule *r)
{
    r->chance = RELAY_MILLION;
    return keyword(w, "at") && duration(w, &r->ns) && keyword(w, "for") && duration(w, &r->span_ns);
}

static const struct form {
    const char *name;
    bool (*read)(struct words *w, struct relay_rule *r);
} forms[RELAY_KINDS] = {
    [RELAY_CUT] = {"cut", cut},
    [RELAY_LOSS] = {"loss", share_alone},
    [RELAY_QUEUE] = {"queue", queue},
    [RELAY_TRIM] = {"trim", trim},
    [RELAY_CE] = {"ce", share_alone},
    [RELAY_CORRUPT] = {"corrupt", share_alone},
    [RELAY_DUPLICATE] = {"duplicate", duplicate},
    [RELAY_DELAY] = {"delay", delay},
    [RELAY_REHASH] = {"rehash", rehash},
    [RELAY_REORDER] = {"reorder", reorder},
};

const char *relay_kind_name(uint8_t kind)
{
    return forms[kind].name;
}

/* Kinds of packets that a rule may be for. */
static const struct kind_of_packet {
    const char *name;
    uint8_t packets; /* enum uet_class */
} packet_kinds[] = {
    {"requests", UET_CLASS_REQUEST},
    {"syns", UET_CLASS_SYN},
    {"retransmissions", UET_CLASS_RETX},
    {"answers", UET_CLASS_ANSWER},
    {"acks", UET_CLASS_ACK},
    {"nacks", UET_CLASS_NACK},
    {"control", UET_CLASS_CP},
    {"rudi", UET_CLASS_RUDI_REQUEST},
    {"uud", UET_CLASS_UUD},
    {"read-data", UET_CLASS_DATA},
};
enum { N_PACKET_KINDS = sizeof packet_kinds / sizeof *packet_kinds };

static bool packets(struct words *w, struct relay_rule *r)
{
    char near[200], mend[300];

    for (size_t i = 0; i < N_PACKET_KINDS; i++)
        if (is(w, packet_kinds[i].name)) {
            r->packets = packet_kinds[i].packets;
            next(w);
            return true;
        }
    snprintf(mend, sizeof mend,
             "no kind of packets%s: give requests, syns, retransmissions, answers, acks, nacks, "
             "control, rudi, uud or read-data",
             uet_nearest_in(near, sizeof near, w->word, &packet_kinds[0].name, sizeof *packet_kinds,
                            N_PACKET_KINDS));
    return wrong(w, mend);
}

static bool kind(struct words *w, struct relay_rule *r)
{
    char near[200], mend[300];

    for (uint8_t k = 0; k < RELAY_KINDS; k++)
        if (is(w, forms[k].name)) {
            r->kind = k;
            next(w);
            return forms[k].read(w, r);
        }
    snprintf(
        mend, sizeof mend,
        "no impairment%s: give cut, loss, trim, ce, corrupt, duplicate, delay, rehash or "
        "reorder",
        uet_nearest_in(near, sizeof near, w->word, &forms[0].name, sizeof *forms, RELAY_KINDS));
    return wrong(w, mend);
}

/* "left:" or "right:" in front, with or without a space behind it. */
static const char *side(const char *text, struct relay_rule *r)
{
    text += strspn(text, " \t");
    r->from[RELAY_LEFT] = strncmp(text, "right:", 6) != 0;
    r->from[RELAY_RIGHT] = strncmp(text, "left:", 5) != 0;
    return text + (r->from[RELAY_LEFT] ? 0 : 6) + (r->from[RELAY_RIGHT] ? 0 : 5);
}

int relay_plan_add(struct relay_plan *plan, const char *text, char *err, size_t errlen)
{
    /* The code points of conformance/examples/fep.yaml; the operator says others. */
    struct relay_rule rule = {.dscp = 10, .dscp_after = 11, .text = text};
    struct words w = {.at = side(text, &rule), .err = err, .errlen = errlen};

    if (plan->n_rules == RELAY_RULES_MAX) {
        snprintf(err, errlen, "one rule too many: at most %d fit into a plan", RELAY_RULES_MAX);
        return -1;
    }
    next(&w);
    if (!kind(&w, &rule))
        return -1;
    if (is(&w, "of") && rule.kind != RELAY_CUT) {
        next(&w);
        if (!packets(&w, &rule))
            return -1;
    }
    if (w.word[0]) {
        (void)wrong(&w, "nothing of this kind can stand here; take it out");
        return -1;
    }
    plan->rules[plan->n_rules++] = rule;
    return 0;
}
