/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/unused.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/dut.h"

bool uet_condition_is_unused(const struct uet_condition *condition)
{
    return strcmp(condition->group, "fep.yaml") == 0 &&
           strcmp(condition->name, "unused_parameters") == 0;
}

json_t *uet_unused_json(const char *text)
{
    json_t *list = json_array();

    for (const char *at = text; list && *at;) {
        const size_t name = strcspn(at, " "), n = strcspn(at, ")");
        const char *claims = at + (name < n ? name + 2 : n);
        const size_t length = (size_t)(at + n - claims);
        const bool nobody =
            length == strlen(UET_DUT_NO_READER) && strncmp(claims, UET_DUT_NO_READER, length) == 0;

        if (json_array_append_new(list, json_pack("{s:s%, s:s%}", "name", at, name, "claims",
                                                  claims, nobody ? (size_t)0 : length)) < 0) {
            json_decref(list);
            return NULL;
        }
        at += n;
        at += strspn(at, "), ");
    }
    return list;
}

char *uet_unused_text(json_t *list)
{
    char *text = NULL;
    size_t size, i;
    json_t *one;
    bool good = json_is_array(list);
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    json_array_foreach(list, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        const char *claims = json_string_value(json_object_get(one, "claims"));

        good = good && name && claims;
        if (good)
            fprintf(out, "%s%s (%s)", i ? ", " : "", name, *claims ? claims : UET_DUT_NO_READER);
    }
    good = fclose(out) == 0 && good;
    if (good)
        return text;
    free(text);
    return NULL;
}
