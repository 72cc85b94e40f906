/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ut_exec/template.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ut/nearest.h"

enum { LINE_MAX_BYTES = 65536 };

struct reader {
    struct template *out;
    const char *path;
    FILE *file;
    unsigned line, first; /* of the file, and where the logical line begins */
    char *err;
    size_t errlen;
    char text[LINE_MAX_BYTES];
};

__attribute__((format(printf, 2, 3))) static int wrong(struct reader *r, const char *format, ...)
{
    va_list args;
    int n = snprintf(r->err, r->errlen, "%s:%u: ", r->path, r->first);

    va_start(args, format);
    if (n > 0 && (size_t)n < r->errlen)
        vsnprintf(r->err + n, r->errlen - (size_t)n, format, args);
    va_end(args);
    return -1;
}

static char *trimmed(char *text)
{
    size_t n;

    text += strspn(text, " \t");
    n = strlen(text);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        text[--n] = '\0';
    return text;
}

/* The next logical line into r->text: 1, 0 at the end of the file, -1. */
static int next_line(struct reader *r)
{
    size_t n = 0;

    r->first = r->line + 1;
    while (fgets(r->text + n, (int)(sizeof(r->text) - n), r->file)) {
        n += strlen(r->text + n);
        if (n && r->text[n - 1] != '\n' && !feof(r->file))
            return wrong(r, "no text, or a command of more than %d bytes", LINE_MAX_BYTES - 2);
        r->line++;
        if (n < 2 || r->text[n - 2] != '\\' || r->text[n - 1] != '\n')
            return 1;
        n -= 2;
        r->text[n] = '\0';
    }
    if (ferror(r->file))
        return wrong(r, "cannot be read: %s", strerror(errno));
    return n > 0;
}

static int unknown_verb(struct reader *r, const char *name)
{
    char near[120];

    return wrong(r, "there is no verb '%.40s'%s: docs/upper-tester.md has them", name,
                 uet_nearest_in(near, sizeof(near), name, &uet_ut_known[0].name,
                                sizeof(uet_ut_known[0]), uet_ut_n_known));
}

static int take_ignored(struct reader *r, const char *names)
{
    if (r->out->ignored)
        return wrong(r, "a second line `ignore`: put all names into one");
    r->out->ignored = strdup(names);
    return r->out->ignored ? 0 : wrong(r, "not enough memory");
}

/* "VERB: COMMAND [&]" */
static int take(struct reader *r, char *text)
{
    struct template *t = r->out;
    struct template_verb v = {0};
    char *colon = strchr(text, ':');

    if (!colon)
        return wrong(r, "no line of the form 'VERB: COMMAND': '%.60s'", text);
    *colon = '\0';
    const char *name = trimmed(text);
    char *command = trimmed(colon + 1);
    size_t n = strlen(command);

    if (strcmp(name, "ignore") == 0)
        return take_ignored(r, command);
    v.verb = uet_ut_known_find(name);
    if (!v.verb)
        return unknown_verb(r, name);
    if (template_find(t, name))
        return wrong(r, "%s has a command already", name);
    if (n && command[n - 1] == '&' && (n < 2 || command[n - 2] != '&')) {
        v.background = true;
        command[n - 1] = '\0';
        command = trimmed(command);
    }
    if (!*command)
        return wrong(r, "%s has no command: leave the line out, and the verb is not offered", name);
    if (v.background && !v.verb->operation)
        return wrong(r, "%s is no operation: its command must end before the reply (no & there)",
                     name);
    v.command = t->n < TEMPLATE_VERBS ? strdup(command) : NULL;
    if (!v.command)
        return wrong(r, "not enough memory");
    t->verbs[t->n++] = v;
    return 0;
}

static int read_lines(struct reader *r)
{
    int rc;

    while ((rc = next_line(r)) > 0) {
        char *text = trimmed(r->text);

        if (*text && *text != '#' && take(r, text))
            return -1;
    }
    r->first = r->line;
    if (!rc && !template_find(r->out, "hello"))
        return wrong(r, "no command for hello, which the suite begins with");
    return rc;
}

int template_read(struct template *t, const char *path, char *err, size_t errlen)
{
    struct reader *r = calloc(1, sizeof(*r));
    int rc = -1;

    *t = (struct template){0};
    if (!r) {
        snprintf(err, errlen, "%s: not enough memory", path);
        return -1;
    }
    *r = (struct reader){.out = t, .path = path, .err = err, .errlen = errlen};
    r->file = fopen(path, "re");
    if (r->file) {
        rc = read_lines(r);
        fclose(r->file);
    } else {
        snprintf(err, errlen, "%s: cannot be read: %s", path, strerror(errno));
    }
    free(r);
    return rc;
}

void template_free(struct template *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->verbs[i].command);
    free(t->ignored);
    *t = (struct template){0};
}

bool template_ignores(const struct template *t, const char *argument)
{
    size_t n = strlen(argument);

    for (const char *at = t->ignored; at && *at; at += strcspn(at, " \t")) {
        at += strspn(at, " \t");
        if (strncmp(at, argument, n) == 0 && strcspn(at, " \t") == n)
            return true;
    }
    return false;
}

const struct template_verb *template_find(const struct template *t, const char *verb)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->verbs[i].verb->name, verb) == 0)
            return &t->verbs[i];
    return NULL;
}
