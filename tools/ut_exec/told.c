/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ut_exec/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ut/ut.h"
#include "ut/value.h"
#include "ut/verbs.h"

/* ---- does it listen? ---- */

/* What an absent argument would mean, too (docs/upper-tester.md). */
static bool is_default(const json_t *value)
{
    static const char *const texts[] = {"std", "rud", "0", "0x0"};
    const char *text = json_string_value(value);

    for (size_t i = 0; text && i < sizeof(texts) / sizeof(texts[0]); i++)
        if (strcmp(text, texts[i]) == 0)
            return true;
    return json_is_null(value) || json_is_false(value) ||
           (json_is_integer(value) && json_integer_value(value) == 0) ||
           (json_is_array(value) && json_array_size(value) == 2); /* rights: both */
}

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* The next UT_name in the command: its name, n letters; NULL: none. */
static const char *next_mention(const char *at, size_t *n)
{
    at = strstr(at, "UT_");
    *n = at ? strspn(at + 3, NAME_LETTERS) : 0;
    return at ? at + 3 : NULL;
}

/* Does the command name that variable: UT_to, but not in UT_token? */
static bool mentions(const char *command, const char *name)
{
    size_t n;

    for (const char *at = command; (at = next_mention(at, &n)) != NULL; at += n)
        if (strlen(name) == n && memcmp(at, name, n) == 0)
            return true;
    return false;
}

/* "${UT_offset:-0}" does without the argument; "$UT_to" does not. */
static bool does_without(const char *command, const char *mention, size_t n)
{
    return mention - command >= 5 && memcmp(mention - 5, "${UT_", 5) == 0 &&
           (strchr("-+", mention[n] ? mention[n] : ' ') ||
            (mention[n] == ':' && strchr("-+", mention[n + 1] ? mention[n + 1] : ' ')));
}

/* What is in the environment beside the arguments. */
static bool is_made(const struct uet_args *args, const struct template_verb *v, const char *name)
{
    bool bytes = uet_arg_present(args, "data") || uet_arg_present(args, "length");

    return strcmp(name, "all") == 0 || (strcmp(name, "handle") == 0 && v->verb->gives_handle) ||
           (bytes && (strcmp(name, "file") == 0 || strcmp(name, "data") == 0 ||
                      strcmp(name, "length") == 0));
}

/* A variable that is not set would end the command: an operation's reply would be out by then. */
static void check_required(struct uet_args *args, const struct template_verb *v)
{
    char name[64];
    size_t n;

    for (const char *at = v->command; (at = next_mention(at, &n)) != NULL; at += n) {
        snprintf(name, sizeof(name), "%.*s", (int)n, at);
        if (!uet_arg_present(args, name) && !is_made(args, v, name) &&
            !does_without(v->command, at, n))
            uet_arg_refuse(args, "\"%.40s\" is missing: the command of %s needs it", name,
                           v->verb->name);
    }
}

static bool listens(const struct template *t, const struct template_verb *v, const char *name)
{
    bool of_bytes = strcmp(name, "data") == 0 || strcmp(name, "length") == 0 ||
                    strcmp(name, "seed") == 0 || strcmp(name, "fill") == 0;

    return template_ignores(t, name) || mentions(v->command, name) || mentions(v->command, "all") ||
           (of_bytes && (mentions(v->command, "file") || mentions(v->command, "data")));
}

void told_check(struct uet_args *args, const struct template *t, const struct template_verb *v)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)args->request, name, value)
    {
        if (strcmp(name, "id") != 0 && strcmp(name, "verb") != 0 && !is_default(value) &&
            !listens(t, v, name))
            uet_arg_refuse(args, "\"%.40s\": the command of %s does not look at $UT_%.40s", name,
                           v->verb->name, name);
    }
    check_required(args, v);
}

/* ---- bytes ---- */

/* A file of that many bytes, or -1 and a refusal. */
static int file_of(struct uet_args *args, const uint8_t *data, size_t n)
{
    int fd = data ? memfd_create("bytes", 0) : -1;

    if (fd < 0 || write(fd, data, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0)
        uet_arg_refuse(args, "no memory left for the bytes");
    return fd;
}

/* Does the verb make its bytes itself, when only their number is told? */
static bool makes_bytes(const struct uet_args *args, const struct template_verb *v)
{
    return (v->verb->operation && strcmp(v->verb->name, "read") != 0 &&
            !uet_arg_present(args, "region")) ||
           strcmp(v->verb->name, "reg_mem") == 0;
}

int told_bytes(struct uet_args *args, const struct template_verb *v)
{
    bool given = uet_arg_present(args, "data"), fills = strcmp(v->verb->name, "reg_mem") == 0;
    size_t n = given ? uet_arg_hex_bytes(args, "data")
                     : (size_t)uet_arg_number(args, "length", 1u << 28, false);

    if (args->error[0] || !(given || (uet_arg_present(args, "length") && makes_bytes(args, v))))
        return -1;
    if (n >= TOLD_MAX / 2 && mentions(v->command, "data")) {
        uet_arg_refuse(args, "%zu bytes: $UT_data takes at most %d, let the command use $UT_file",
                       n, TOLD_MAX / 2 - 1);
        return -1;
    }
    uint8_t *data = calloc(1, n + 1);
    if (data && given &&
        uet_ut_unhex(json_string_value(json_object_get(args->request, "data")), n, data))
        uet_arg_refuse(args, "\"data\": no hex digits");
    else if (data && !given && fills)
        memset(data, (int)uet_arg_number(args, "fill", 255, false), n);
    else if (data && !given)
        uet_ut_pattern(data, (uint32_t)n, 0, (uint8_t)uet_arg_number(args, "seed", 255, false));
    int fd = args->error[0] ? -1 : file_of(args, data, n);
    free(data);
    return fd;
}

/* ---- the environment ---- */

static void add(char *text, size_t size, const char *more)
{
    size_t n = strlen(text);

    snprintf(text + n, size - n, "%s", more);
}

static void add_value(char *text, size_t size, const json_t *value)
{
    char number[24];

    if (json_is_string(value)) {
        add(text, size, json_string_value(value));
    } else if (json_is_integer(value)) {
        snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        add(text, size, number);
    } else if (json_is_boolean(value)) {
        add(text, size, json_is_true(value) ? "true" : "false");
    }
}

static void set_text(const char *name, const char *text)
{
    char key[80];

    snprintf(key, sizeof(key), "UT_%.60s", name);
    if (strlen(text) < TOLD_MAX)
        setenv(key, text, 1);
}

static void set_number(const char *name, json_int_t value)
{
    char number[24];

    snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, value);
    set_text(name, number);
}

static void set_value(const char *name, const json_t *value)
{
    static char text[TOLD_MAX + 1]; /* one too long fills it */

    text[0] = '\0';
    add_value(text, sizeof(text), value);
    for (size_t i = 0; i < json_array_size(value); i++) {
        add(text, sizeof(text), i ? " " : "");
        add_value(text, sizeof(text), json_array_get(value, i));
    }
    if (!json_is_null(value))
        set_text(name, text);
}

static void set_bytes(int bytes)
{
    static uint8_t data[TOLD_MAX / 2];
    struct stat st;
    char path[40];

    if (fstat(bytes, &st) != 0)
        return;
    snprintf(path, sizeof(path), "/dev/fd/%d", bytes);
    set_text("file", path);
    set_number("length", st.st_size);
    if (st.st_size >= TOLD_MAX / 2 || pread(bytes, data, (size_t)st.st_size, 0) != st.st_size)
        return;
    json_t *hex = uet_ut_hex(data, (size_t)st.st_size);
    set_value("data", hex);
    json_decref(hex);
}

void told_environment(const json_t *request, json_int_t handle, int bytes)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)request, name, value)
    {
        set_value(name, value);
    }
    if (bytes >= 0)
        set_bytes(bytes);
    if (handle)
        set_number("handle", handle);
}
