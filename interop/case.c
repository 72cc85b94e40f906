/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interop/evidence.h"
#include "spec-map/spec.h"

static const struct field fields[] = {
    {"id", FIELD_TEXT, true, FIELD_AT(interop_case, id)},
    {"section", FIELD_TEXT, true, FIELD_AT(interop_case, section)},
    {"shows", FIELD_TEXT, true, FIELD_AT(interop_case, shows)},
    {"operation", FIELD_WORD, false, FIELD_AT(interop_case, operation), .words = word_operations},
    {"mode", FIELD_WORD, false, FIELD_AT(interop_case, mode), .words = word_modes},
    {"direction", FIELD_WORD, false, FIELD_AT(interop_case, direction), .words = word_directions},
    {"lengths", FIELD_TEXTS, true, FIELD_AT(interop_case, lengths)},
    {"lengths_small", FIELD_TEXTS, false, FIELD_AT(interop_case, lengths_small)},
    {"plan", FIELD_TEXTS, false, FIELD_AT(interop_case, plan)},
    {"needs", FIELD_TEXTS, false, FIELD_AT(interop_case, needs)},
    {"encapsulation", FIELD_WORD, false, FIELD_AT(interop_case, encapsulation),
     .words = word_encapsulations},
    {"ip", FIELD_WORD, false, FIELD_AT(interop_case, ip), .words = word_ips},
    {"protect", FIELD_WORD, false, FIELD_AT(interop_case, protect), .words = word_protects},
    {"payload_mtu", FIELD_NUMBER, false, FIELD_AT(interop_case, payload_mtu), .max = 8192},
    {"jobs", FIELD_NUMBER, false, FIELD_AT(interop_case, jobs), .max = 256},
    {"parameters", FIELD_TEXT, false, FIELD_AT(interop_case, parameters)},
    {"restart", FIELD_WORD, false, FIELD_AT(interop_case, restart), .words = word_restarts},
    {"small", FIELD_WORD, false, FIELD_AT(interop_case, small), .words = word_smalls},
    {"timeout_s", FIELD_NUMBER, false, FIELD_AT(interop_case, timeout_s), .max = 3600},
};

static void *next_case(void *ctx)
{
    struct cases *cases = ctx;
    struct interop_case *more = realloc(cases->all, (cases->n + 1) * sizeof(*more));

    if (!more)
        return NULL;
    cases->all = more;
    cases->all[cases->n] = (struct interop_case){.payload_mtu = 4096, .jobs = 1, .timeout_s = 30};
    return &cases->all[cases->n++];
}

/* "4 x 100", "64 MiB": so many files of this length; 0: neither. */
static uint64_t read_lengths(const char *text, uint64_t *length)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"", 1}, {"KiB", 1024}, {"MiB", 1024 * 1024}};
    unsigned long long count = 1, n;
    char unit[8] = "";
    int end = 0;

    if (sscanf(text, "%llu x%n", &count, &end) == 1 && end > 0)
        text += end;
    else
        count = 1;
    end = 0;
    if (sscanf(text, "%llu%n %7s%n", &n, &end, unit, &end) < 1 || text[end] || count == 0)
        return 0;
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (strcmp(units[i].name, unit) == 0) {
            *length = n * units[i].bytes;
            return *length <= UINT32_MAX ? count : 0;
        }
    return 0;
}

int case_lengths(const struct texts *texts, uint64_t out[CASE_FILES_MAX])
{
    int n = 0;

    for (size_t i = 0; i < texts->n; i++) {
        uint64_t length = 0, count = read_lengths(texts->text[i], &length);

        if (count == 0 || count > (uint64_t)(CASE_FILES_MAX - n))
            return -1;
        while (count-- > 0)
            out[n++] = length;
    }
    return n;
}

bool case_need(const char *text, char name[32], uint64_t *least)
{
    unsigned long long n = 1;
    char rest;
    int got = sscanf(text, "%31[a-z0-9_] %llu%c", name, &n, &rest);

    *least = n;
    return (got == 1 || got == 2) && evidence_known(name);
}

static bool known_mtu(uint32_t mtu)
{
    return mtu >= 1024 && mtu <= 8192 && (mtu & (mtu - 1)) == 0;
}

static bool known_section(const char *section)
{
    for (size_t i = 0; i < uet_n_sections; i++)
        if (strcmp(uet_sections[i].section, section) == 0)
            return true;
    return false;
}

static const char *taken(void *ctx)
{
    const struct cases *cases = ctx;
    const struct interop_case *c = &cases->all[cases->n - 1];
    uint64_t lengths[CASE_FILES_MAX], least;
    char name[32];

    for (const struct interop_case *other = cases->all; other < c; other++)
        if (strcmp(other->id, c->id) == 0)
            return "its 'id' is that of a case before it";
    if (case_lengths(&c->lengths, lengths) <= 0 || case_lengths(&c->lengths_small, lengths) < 0)
        return "'lengths' must be lengths such as 1000, 200 x 64 or 64 MiB, 4096 files at most";
    for (size_t i = 0; i < c->needs.n; i++)
        if (!case_need(c->needs.text[i], name, &least))
            return "'needs' has something that nobody counts: docs/interop.md lists the names";
    if (c->restart != RESTART_NOBODY &&
        (c->direction != TO_SERVER || case_lengths(&c->lengths, lengths) < 2))
        return "'restart' needs two files at least, and 'direction: to-server'";
    if (!known_mtu(c->payload_mtu))
        return "'payload_mtu' must be 1024, 2048, 4096 or 8192";
    if (!known_section(c->section))
        return "'section' is none of the specification's";
    if (c->direction == FROM_SERVER && c->operation != OP_READ)
        return "'direction: from-server' is for 'operation: read'";
    if (c->direction != FROM_SERVER && c->operation == OP_READ)
        return "'operation: read' needs 'direction: from-server'";
    return NULL;
}

int cases_read(struct cases *cases, const char *path, char *err, size_t errlen)
{
    const struct yaml_reading reading = {path, err, errlen};

    *cases = (struct cases){0};
    int rc =
        yaml_read_list(&reading, fields, sizeof(fields) / sizeof(*fields), next_case, taken, cases);
    if (rc)
        cases_free(cases);
    return rc;
}

void cases_free(struct cases *cases)
{
    free(cases->all);
    *cases = (struct cases){0};
}

uint32_t case_features(const struct interop_case *c)
{
    uint32_t features = 0;

    if (c->parameters[0])
        features |= 1u << FEATURE_PARAMETERS;
    if (c->restart != RESTART_NOBODY)
        features |= 1u << FEATURE_RESTART;
    if (c->jobs > 1)
        features |= 1u << FEATURE_JOBS;
    for (size_t i = 0; i < c->plan.n; i++)
        if (strstr(c->plan.text[i], "trim"))
            features |= 1u << FEATURE_TRIM;
    return features;
}
