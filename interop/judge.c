/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/judge.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interop/endpoint.h"

#define JUDGE_MS 120000

static int run_check(const struct cell *cell, bool server, const char *json, char *err,
                     size_t errlen)
{
    const struct interop_case *c = cell->of;
    const char *role = server ? "server" : "client";
    const struct implementation *im = server ? cell->server : cell->client;
    char program[PATH_LENGTH], out[PATH_LENGTH + 8], capture[PATH_LENGTH], log[PATH_LENGTH];
    char *const arguments[] = {
        (char *)(uintptr_t)path_of(program, "%s/uetconform", cell->bin),
        "check",
        "--vantage",
        "middle", /* beside the endpoint: what it gets and sends may pass each other, or get lost */
        "--sender",
        (char *)(uintptr_t)endpoint_address(c, server),
        "--spec",
        (char *)(uintptr_t)word_specs[im->spec],
        "--protect",
        (char *)(uintptr_t)word_protects[c->protect],
        "--ip-protocol",
        "253",
        "--dscp-trimmed",
        "11,12",
        "--dscp-lasthop",
        "12",
        "--from-start",
        out,
        (char *)(uintptr_t)path_of(capture, "%s/%s.pcapng", cell->folder, role),
        NULL};
    const struct launch launch = {arguments, environ, NULL,
                                  path_of(log, "%s/%s.check.txt", cell->folder, role), -1};
    struct process process;

    snprintf(out, sizeof(out), "--json=%s", json);
    if (!process_start(&process, &launch)) {
        snprintf(err, errlen, "uetconform cannot be started");
        return -1;
    }
    for (int ms = 0; ms < JUDGE_MS && !process_ended(&process); ms += 2)
        usleep(2000);
    if (process.pid) {
        process_kill(&process);
        snprintf(err, errlen, "uetconform check takes too long");
        return -1;
    }
    if (process.status != 0 && process.status != 1 && process.status != 3)
        snprintf(err, errlen, "uetconform check ended with %d: %s", process.status, log);
    return process.status;
}

static json_t *sum_up(const json_t *check, int status)
{
    const json_t *violations = json_object_get(check, "violations");
    const json_t *requirements = json_object_get(check, "requirements");
    json_t *ids = json_array(), *first = NULL;
    size_t i;
    json_t *at;

    json_array_foreach((json_t *)(uintptr_t)requirements, i, at)
    {
        json_array_append_new(ids, json_pack("{s:O, s:O, s:O}", "requirement",
                                             json_object_get(at, "requirement"), "level",
                                             json_object_get(at, "level"), "violations",
                                             json_object_get(at, "violations")));
    }
    json_array_foreach((json_t *)(uintptr_t)violations, i, at)
    {
        const char *level = json_string_value(json_object_get(at, "level"));

        if (!first && level && strncmp(level, "MUST", 4) == 0)
            first = json_deep_copy(at);
    }
    return json_pack("{s:O, s:i, s:b, s:o, s:o*}", "judged", json_object_get(check, "judged"),
                     "violations", (int)json_array_size(violations), "must", status == 1,
                     "requirements", ids, "first", first);
}

json_t *judge_side(const struct cell *cell, bool server, char *err, size_t errlen)
{
    char path[PATH_LENGTH];
    json_error_t why;
    json_t *check, *sum;

    path_of(path, "%s/%s.check.json", cell->folder, server ? "server" : "client");
    err[0] = '\0';
    const int status = run_check(cell, server, path, err, errlen);
    if (err[0])
        return NULL;
    check = json_load_file(path, 0, &why);
    if (!check) {
        snprintf(err, errlen, "%s: %s", path, why.text);
        return NULL;
    }
    sum = sum_up(check, status);
    json_decref(check);
    if (!sum)
        snprintf(err, errlen, "not enough memory");
    return sum;
}
