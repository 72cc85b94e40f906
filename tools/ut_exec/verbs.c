/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a command does not say is not in the reply, but for three things that it need not: the list
 * of verbs in `hello`, which the template is; a handle, counted here; the completion of an
 * operation, which is the end of its command.
 */
#include "tools/ut_exec/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ut_exec/told.h"
#include "ut/args.h"
#include "ut/known.h"

#define WAIT_USUAL 64

/* ---- what a command says ---- */

/* KEY=TEXT, or KEY:=JSON; into reply. False when it is neither. */
static bool take_pair(json_t *reply, char *pair)
{
    char *equals = strchr(pair, '=');
    bool json = equals && equals > pair && equals[-1] == ':';

    if (!equals || equals == pair || (json && equals == pair + 1))
        return false;
    *equals = '\0';
    if (json)
        equals[-1] = '\0';
    if (strspn(pair, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
        strlen(pair))
        return false;
    json_t *value = json ? json_loads(equals + 1, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL)
                         : json_string(equals + 1);
    return value && json_object_set_new(reply, pair, value) == 0;
}

/* Pairs between such separators; an empty one is none. */
static void take_pairs(struct uet_args *args, json_t *reply, char *text, const char *separators)
{
    char *at = text, *pair;

    while ((pair = strsep(&at, separators)) != NULL && !args->error[0]) {
        char shown[60];

        snprintf(shown, sizeof(shown), "%s", pair);
        if (*pair && !take_pair(reply, pair))
            uet_arg_refuse(args,
                           "its command printed '%s': print KEY=TEXT or KEY:=JSON, each on a line, "
                           "or one JSON object",
                           shown);
    }
}

/* All that it has said, as members of reply. */
static void take_said(struct uet_args *args, json_t *reply, const struct command *c)
{
    char *text = command_said(c, false);

    if (!text) {
        uet_arg_refuse(args, "its command printed more than a line may have");
    } else if (text[strspn(text, " \t\r\n")] == '{') {
        json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

        if (!object || json_object_update(reply, object) != 0)
            uet_arg_refuse(args, "its command printed JSON that is none: %.60s", text);
        json_decref(object);
    } else {
        take_pairs(args, reply, text, "\r\n");
    }
    free(text);
}

/* Why it did not end with 0: its first line on standard error, or the number. */
static void take_refusal(struct uet_args *args, const char *verb, const struct command *c,
                         int status)
{
    char *text = command_said(c, true);

    if (text)
        text[strcspn(text, "\r\n")] = '\0';
    if (text && *text)
        uet_arg_refuse(args, "%.180s", text);
    else
        uet_arg_refuse(args, "the command of %s ended with exit status %d", verb, status);
    free(text);
}

/* ---- commands that end before the reply ---- */

static void run(struct adapter *a, struct uet_args *args, const struct template_verb *v,
                json_int_t handle, int bytes, json_t *reply)
{
    struct command c;
    int status;

    if (!command_start(&c, v->command, args->request, handle, bytes)) {
        uet_arg_refuse(args, "no process left for its command");
        return;
    }
    if (!command_ended(&c, a->timeout_ms, &status))
        uet_arg_refuse(args,
                       "the command of %s was not over after %d ms (--timeout): let it end, or put "
                       "an & behind an operation",
                       v->verb->name, a->timeout_ms);
    else if (status)
        take_refusal(args, v->verb->name, &c, status);
    else
        take_said(args, reply, &c);
    command_free(&c);
}

/* ---- operations ---- */

static void start(struct adapter *a, struct uet_args *args, const struct template_verb *v,
                  json_int_t handle, int bytes)
{
    size_t i = 0;

    while (i < ADAPTER_OPERATIONS && a->operations[i].verb)
        i++;
    if (i == ADAPTER_OPERATIONS)
        uet_arg_refuse(args, "%d operations are under way, the most", ADAPTER_OPERATIONS);
    else if (!command_start(&a->operations[i].command, v->command, args->request, handle, bytes))
        uet_arg_refuse(args, "no process left for its command");
    else
        a->operations[i] = (struct operation){a->operations[i].command, v->verb, handle};
}

/* Of an operation whose command has ended so. */
static json_t *completion_of(const struct operation *op, int status)
{
    json_t *completion = json_pack("{s:I, s:s, s:s}", "handle", op->handle, "kind", op->verb->name,
                                   "status", status ? "pds_error" : "ok");
    struct uet_args args = {0};

    if (completion)
        take_said(&args, completion, &op->command);
    if (args.error[0])
        fprintf(stderr, "ut-exec: %s: %s\n", op->verb->name, args.error);
    return completion;
}

static void look(struct adapter *a)
{
    for (size_t i = 0; i < ADAPTER_OPERATIONS; i++) {
        struct operation *op = &a->operations[i];
        int status;

        if (!op->verb || !command_ended(&op->command, 0, &status))
            continue;
        json_array_append_new(a->ended, completion_of(op, status));
        command_free(&op->command);
        op->verb = NULL;
    }
}

static void forget(struct adapter *a)
{
    for (size_t i = 0; i < ADAPTER_OPERATIONS; i++) {
        if (a->operations[i].verb)
            command_free(&a->operations[i].command);
        a->operations[i].verb = NULL;
    }
    json_array_clear(a->ended);
}

/* The template's own `wait`: one JSON object {"completions":[...]}. */
static void ask_wait(struct adapter *a, struct uet_args *args, const struct template_verb *v)
{
    json_t *said = json_object();

    if (said)
        run(a, args, v, 0, -1, said);
    json_array_extend(a->ended, json_object_get(said, "completions"));
    json_decref(said);
}

static void verb_wait(struct adapter *a, struct uet_args *args, json_t *reply)
{
    static const char *const names[] = {"max", NULL};
    const struct template_verb *own = template_find(a->template, "wait");
    size_t max = (size_t)uet_arg_number(args, "max", UINT32_MAX, false);
    json_t *list = json_array();

    uet_arg_only(args, names);
    if (own && !args->error[0])
        ask_wait(a, args, own);
    look(a);
    if (max == 0)
        max = WAIT_USUAL;
    while (!args->error[0] && json_array_size(a->ended) > 0 && json_array_size(list) < max) {
        json_array_append(list, json_array_get(a->ended, 0));
        json_array_remove(a->ended, 0);
    }
    uet_reply_set(args, reply, "completions", list);
}

/* ---- all verbs ---- */

static json_t *verb_list(const struct adapter *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->template->n; i++)
        json_array_append_new(list, json_string(a->template->verbs[i].verb->name));
    if (!template_find(a->template, "wait"))
        json_array_append_new(list, json_string("wait"));
    return list;
}

static void carry_out(struct adapter *a, struct uet_args *args, const char *verb, json_t *reply)
{
    const struct template_verb *v = template_find(a->template, verb);
    json_int_t handle = v && v->verb->gives_handle ? a->next_handle++ : 0;

    if (strcmp(verb, "wait") == 0) {
        verb_wait(a, args, reply);
        return;
    }
    if (!v) {
        uet_arg_refuse(args, "there is no command for the verb \"%.40s\" in the template", verb);
        return;
    }
    told_check(args, a->template, v);
    int bytes = args->error[0] ? -1 : told_bytes(args, v);
    if (!args->error[0] && strcmp(verb, "reset") == 0)
        forget(a);
    if (!args->error[0] && v->background)
        start(a, args, v, handle, bytes);
    else if (!args->error[0])
        run(a, args, v, handle, bytes, reply);
    if (bytes >= 0)
        close(bytes);
    if (handle && !json_object_get(reply, "handle"))
        uet_reply_set(args, reply, "handle", json_integer(handle));
    if (strcmp(verb, "hello") == 0) {
        uet_reply_set(args, reply, "protocol", json_integer(UET_UT_PROTOCOL));
        uet_reply_set(args, reply, "verbs", verb_list(a));
    }
}

json_t *adapter_handle(void *adapter, json_t *request)
{
    struct adapter *a = adapter;
    struct uet_args args = {.request = request};
    json_t *reply = json_object(), *id = json_object_get(request, "id");
    const char *verb = uet_arg_text(&args, "verb", true);

    if (!json_is_integer(id))
        uet_arg_refuse(&args, "\"id\": give a number, which the reply will have");
    if (reply && !args.error[0])
        carry_out(a, &args, verb, reply);
    if (reply && args.error[0]) {
        json_object_clear(reply);
        json_object_set_new(reply, "error", json_string(args.error));
    }
    if (reply) {
        json_object_set(reply, "id", json_is_integer(id) ? id : json_null());
        json_object_set_new(reply, "ok", json_boolean(!args.error[0]));
    }
    return reply;
}

void adapter_end(struct adapter *a)
{
    forget(a);
    json_decref(a->ended);
}
