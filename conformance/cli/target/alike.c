/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/target/alike.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `hello` tells of the FEP itself; not where it is. fep.yaml holds the rest for all. */
static const char *const of_product[] = {"name",  "version", "spec",      "verbs",
                                         "modes", "params",  "violations"};

/* Does the list hold the text? */
static bool holds(const json_t *list, const char *text)
{
    const json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        const char *one = json_string_value(item);

        if (one && strcmp(one, text) == 0)
            return true;
    }
    return false;
}

/* The first that a tells, and b does not, or otherwise; NULL: b tells all of a. */
static const char *first_other(json_t *a, const json_t *b)
{
    const char *text = json_string_value(a), *key;
    json_t *item;
    size_t i;

    if (text)
        return json_equal(a, b) ? NULL : text;
    json_array_foreach(a, i, item)
    {
        const char *one = json_string_value(item);

        if (one && !holds(b, one))
            return one;
    }
    json_object_foreach(a, key, item)
    {
        if (!json_equal(item, json_object_get(b, key)))
            return key;
    }
    return NULL;
}

/* What it tells when nothing is set any more that an earlier run has set. */
static int hello(struct uet_ut *ut, json_t **told)
{
    int rc = uet_ut_has_verb(ut, "reset");

    if (rc > 0)
        rc = uet_ut_reset(ut);
    return rc ? rc : uet_ut_told(ut, told);
}

/* Two that differ would skip other tests, and have other values in the report. */
static int check_told(const struct uet_target *t, json_t *a, json_t *b, size_t which, char *err,
                      size_t errlen)
{
    for (size_t i = 0; i < sizeof(of_product) / sizeof(*of_product); i++) {
        json_t *of_a = json_object_get(a, of_product[i]), *of_b = json_object_get(b, of_product[i]);
        const char *other = first_other(of_a, of_b);

        if (!other)
            other = first_other(of_b, of_a);
        if (!other)
            continue;
        snprintf(
            err, errlen,
            "%s: entry %zu of 'alike' is not like the first FEP: `hello` of the two differs in "
            "%s: %.80s",
            t->dut.path, which, of_product[i], other);
        return -EINVAL;
    }
    return 0;
}

static int check_alike(const struct uet_target *t, const struct uet_target *base, size_t which,
                       char *err, size_t errlen)
{
    json_t *a = NULL, *b = NULL;
    int rc = 0;

    if (!t->ut != !base->ut) {
        snprintf(err, errlen,
                 "%s: entry %zu of 'alike' is not like the first FEP: one of the two alone has a "
                 "'control'",
                 t->dut.path, which);
        return -EINVAL;
    }
    if (!t->ut)
        return 0;
    const struct uet_target *asked = base;
    rc = hello(base->ut, &a);
    if (!rc) {
        asked = t;
        rc = hello(t->ut, &b);
    }
    if (rc)
        snprintf(err, errlen, "%s: control %s: %s", asked->dut.path, asked->dut.control,
                 asked->ut->error[0] ? asked->ut->error : strerror(-rc));
    else
        rc = check_told(t, a, b, which, err, errlen);
    json_decref(a);
    json_decref(b);
    return rc;
}

static int open_one(struct uet_target *t, const struct uet_target *base, size_t which, char *err,
                    size_t errlen)
{
    int rc = uet_target_open_alike(t, base, which, err, errlen);

    return rc ? rc : check_alike(t, base, which, err, errlen);
}

int uet_alike_open(struct uet_alike *alike, const struct uet_target *base, size_t n, char *err,
                   size_t errlen)
{
    int rc = 0;

    *alike = (struct uet_alike){0};
    if (n == 0)
        return 0;
    alike->target = calloc(n, sizeof(*alike->target));
    if (!alike->target) {
        snprintf(err, errlen, "no memory left");
        return -ENOMEM;
    }
    for (; !rc && alike->n < n; alike->n++) /* one that did not open is closed, too */
        rc = open_one(&alike->target[alike->n], base, alike->n + 1, err, errlen);
    return rc;
}

void uet_alike_close(struct uet_alike *alike)
{
    for (size_t i = 0; i < alike->n; i++)
        uet_target_close(&alike->target[i]);
    free(alike->target);
    *alike = (struct uet_alike){0};
}
