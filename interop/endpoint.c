/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/endpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VARIABLES_MAX = 400, VARIABLE_LENGTH = 3 * PATH_LENGTH };

static const char *role_of(const struct endpoint *e)
{
    return e->server ? "server" : "client";
}

const char *endpoint_address(const struct interop_case *c, bool server)
{
    if (c->ip == IP_6)
        return server ? "2001:db8::2" : "2001:db8::1";
    return server ? "192.0.2.2" : "192.0.2.1";
}

int endpoint_prepare(struct endpoint *e, const char *scratch)
{
    char path[PATH_LENGTH];
    int rc;

    path_of(e->folder, "%s/%s", scratch, role_of(e));
    rc = folder_make(path_of(path, "%s/out", e->folder));
    if (rc == 0)
        rc = folder_make(path_of(path, "%s/in", e->folder));
    if (rc == 0)
        rc = folder_make(path_of(path, "%s/%s", e->cell->folder, role_of(e)));
    return rc == 0 && e->sends ? content_make(e->sends, path_of(path, "%s/in", e->folder)) : rc;
}

bool endpoint_told(const struct endpoint *e, const char *what)
{
    char path[PATH_LENGTH];

    return file_exists(path_of(path, "%s/%s", e->folder, what));
}

void endpoint_let_go(const struct endpoint *e)
{
    char path[PATH_LENGTH];
    FILE *file = fopen(path_of(path, "%s/go", e->folder), "w");

    if (file)
        fclose(file);
}

/* ---- the environment ---- */

struct environment {
    char *all[VARIABLES_MAX + 1];
    int n;
};

__attribute__((format(printf, 3, 4))) static void set(struct environment *env, const char *name,
                                                      const char *format, ...)
{
    char value[VARIABLE_LENGTH], *text;
    va_list args;

    va_start(args, format);
    vsnprintf(value, sizeof(value), format, args);
    va_end(args);
    if (env->n < VARIABLES_MAX && asprintf(&text, "%s=%s", name, value) > 0)
        env->all[env->n++] = text;
}

static void set_role(struct environment *env, const struct endpoint *e)
{
    const struct interop_case *c = e->cell->of;

    set(env, "UET_ROLE", "%s", role_of(e));
    set(env, "UET_CASE", "%s", c->id);
    set(env, "UET_INTERFACE", "uet0");
    set(env, "UET_ADDRESS", "%s", endpoint_address(c, e->server));
    set(env, "UET_PEER", "%s", endpoint_address(c, !e->server));
    set(env, "UET_SPEC", "%s", word_specs[e->im->spec]);
    set(env, "UET_SEED", "%" PRIu32, e->cell->seed + 2 * e->starts + e->server);
}

static void set_packets(struct environment *env, const struct interop_case *c)
{
    set(env, "UET_ENCAPSULATION", "%s", word_encapsulations[c->encapsulation]);
    set(env, "UET_IP_PROTOCOL", "253");
    set(env, "UET_PROTECT", "%s", word_protects[c->protect]);
    set(env, "UET_PAYLOAD_MTU", "%" PRIu32, c->payload_mtu);
    set(env, "UET_PARAMS", "%s", c->parameters);
    set(env, "UET_DSCP_REQUEST", "10");
    set(env, "UET_DSCP_CONTROL", "14");
    set(env, "UET_DSCP_TRIMMED", "11");
    set(env, "UET_DSCP_LASTHOP", "12");
}

static void set_task(struct environment *env, const struct interop_case *c, int pause_after)
{
    set(env, "UET_OPERATION", "%s", word_operations[c->operation]);
    set(env, "UET_MODE", "%s", word_modes[c->mode]);
    set(env, "UET_RELATIVE", "1");
    set(env, "UET_PID_ON_FEP", "0");
    set(env, "UET_RESOURCE_INDEX", "5");
    set(env, "UET_AT_ONCE", "16");
    set(env, "UET_PAUSE_AFTER", "%d", pause_after);
    set(env, "UET_KEEP_OPEN", "%d", c->restart == RESTART_CLIENT);
}

static void set_places(struct environment *env, const struct endpoint *e)
{
    static const char *const files[][2] = {
        {"UET_IN", "in"},           {"UET_OUT", "out"},     {"UET_SEND", "send"},
        {"UET_RECEIVE", "receive"}, {"UET_READY", "ready"}, {"UET_GO", "go"},
        {"UET_PAUSED", "paused"},   {"UET_DONE", "done"},
    };

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        set(env, files[i][0], "%s/%s", e->folder, files[i][1]);
    set(env, "UET_SCRATCH", "%s", e->folder);
    set(env, "UET_LOGS", "%s/%s", e->cell->folder, role_of(e));
}

/* That of this process, without what would be mistaken for ours. */
static void inherit(struct environment *env, const char *bin)
{
    const char *path = getenv("PATH");

    for (char **at = environ; *at && env->n < VARIABLES_MAX - 50; at++)
        if (strncmp(*at, "UET_", 4) != 0 && strncmp(*at, "PATH=", 5) != 0) {
            env->all[env->n] = strdup(*at);
            env->n += env->all[env->n] != NULL;
        }
    set(env, "PATH", "%s:%s:/usr/sbin:/sbin", bin, path ? path : "/usr/bin:/bin");
}

static int lists(const struct endpoint *e, int first, int end)
{
    char path[PATH_LENGTH];
    int rc = content_list(e->sends, path_of(path, "%s/send", e->folder), first, end);

    return rc ? rc : content_list(e->receives, path_of(path, "%s/receive", e->folder), first, end);
}

/* Who sends goes on to the end of its list, with a rest where the peer is started again. */
static int pause_after(const struct endpoint *e)
{
    return e->cell->of->restart == RESTART_SERVER && e->sends && !e->server ? e->sends->n / 2 : 0;
}

bool endpoint_start(struct endpoint *e, int first, int end)
{
    const struct interop_case *c = e->cell->of;
    char log[PATH_LENGTH], command[sizeof(e->im->client) + 8];
    char *const arguments[] = {"sh", "-c", command, NULL};
    struct environment *env = calloc(1, sizeof(*env));
    bool good = env && lists(e, first, end) == 0;

    /* Signals are for the command, not for a shell above it. */
    snprintf(command, sizeof(command), "exec %s", e->server ? e->im->server : e->im->client);
    if (good) {
        inherit(env, e->cell->bin);
        set_role(env, e);
        set_packets(env, c);
        set_task(env, c, pause_after(e));
        set_places(env, e);
        const struct launch launch = {arguments, env->all, e->im->folder,
                                      path_of(log, "%s/%s.log", e->cell->folder, role_of(e)),
                                      e->namespace};
        good = process_start(&e->process, &launch);
        e->starts++;
    }
    for (int i = 0; env && i < env->n; i++)
        free(env->all[i]);
    free(env);
    return good;
}
