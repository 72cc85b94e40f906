/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spec-map/spec.h"
#include "ut/known.h"
#include "ut/ut.h"
#include "ut/value.h"

void uet_arg_refuse(struct uet_args *args, const char *format, ...)
{
    va_list list;

    if (args->error[0])
        return;
    va_start(list, format);
    vsnprintf(args->error, sizeof(args->error), format, list);
    va_end(list);
}

void uet_arg_no_verb(struct uet_args *args, const char *name)
{
    char why[100];

    uet_ut_not_there(name, why, sizeof(why));
    uet_arg_refuse(args, "%s", why);
}

void uet_arg_only(struct uet_args *args, const char *const *names)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)args->request, key, value)
    {
        size_t i = 0;

        if (strcmp(key, "id") == 0 || strcmp(key, "verb") == 0)
            continue;
        while (names[i] && strcmp(key, names[i]) != 0)
            i++;
        if (!names[i])
            uet_arg_refuse(args, "this verb has no argument \"%.40s\"", key);
    }
}

bool uet_arg_present(const struct uet_args *args, const char *key)
{
    const json_t *value = json_object_get(args->request, key);

    return value && !json_is_null(value);
}

uint64_t uet_arg_number(struct uet_args *args, const char *key, uint64_t max, bool required)
{
    uint64_t value = 0;
    int rc = uet_ut_get_number(args->request, key, max, &value);

    if (rc == -ENOENT && required)
        uet_arg_refuse(args, "\"%s\" is missing: give a number", key);
    else if (rc == -ERANGE)
        uet_arg_refuse(args, "\"%s\" is out of range: give 0 to %" PRIu64, key, max);
    else if (rc == -EINVAL)
        uet_arg_refuse(args, "\"%s\" is no number: give an integer or a string \"0x...\"", key);
    return rc ? 0 : value;
}

bool uet_arg_bool(struct uet_args *args, const char *key)
{
    bool value = false;

    if (uet_ut_get_bool(args->request, key, &value) == -EINVAL)
        uet_arg_refuse(args, "\"%s\" is neither true nor false", key);
    return value;
}

const char *uet_arg_text(struct uet_args *args, const char *key, bool required)
{
    const json_t *value = json_object_get(args->request, key);

    if (!uet_arg_present(args, key)) {
        if (required)
            uet_arg_refuse(args, "\"%s\" is missing: give a string", key);
        return NULL;
    }
    if (!json_is_string(value))
        uet_arg_refuse(args, "\"%s\" is not a string", key);
    return json_string_value(value);
}

static void refuse_choice(struct uet_args *args, const char *key, const char *text,
                          const char *const *names, size_t n)
{
    char all[80] = "";

    for (size_t i = 0, at = 0; i < n && at < sizeof(all); i++)
        at += (size_t)snprintf(all + at, sizeof(all) - at, "%s%s", names[i],
                               i + 2 < n   ? ", "
                               : i + 1 < n ? " or "
                                           : "");
    uet_arg_refuse(args, "\"%s\" is \"%.20s\": give %s", key, text, all);
}

uint8_t uet_arg_choice(struct uet_args *args, const char *key, const char *const *names, size_t n)
{
    const char *text = uet_arg_text(args, key, false);

    for (size_t i = 0; text && i < n; i++)
        if (strcmp(text, names[i]) == 0)
            return (uint8_t)i;
    if (text)
        refuse_choice(args, key, text, names, n);
    return 0;
}

uint8_t uet_arg_enumerator(struct uet_args *args, const char *key, uint8_t enumeration)
{
    const char *text = uet_arg_text(args, key, true);
    char name[UET_ENUM_VALUE_NAME];

    for (uint32_t value = 0; text && value <= UINT8_MAX; value++)
        if (strcmp(text, uet_enum_value_name(enumeration, value, name)) == 0)
            return (uint8_t)value;
    if (text)
        uet_arg_refuse(args, "\"%s\" is \"%.40s\": no name of %s", key, text,
                       uet_enumerations[enumeration].name);
    return 0;
}

bool uet_arg_address(struct uet_args *args, const char *key, bool required, struct uet_ip *ip)
{
    const char *text = uet_arg_text(args, key, required);

    if (!text)
        return false;
    if (uet_ip_parse(ip, text) == 0)
        return true;
    uet_arg_refuse(args, "\"%s\" is \"%.50s\": give an IPv4 or IPv6 address", key, text);
    return false;
}

uint32_t uet_arg_hex_bytes(struct uet_args *args, const char *key)
{
    size_t len = json_string_length(json_object_get(args->request, key));

    if (!uet_arg_text(args, key, false))
        return 0;
    if (len % 2)
        uet_arg_refuse(args, "\"%s\" has an odd number of hex digits", key);
    if (len / 2 > UET_UT_DATA_MAX)
        uet_arg_refuse(args, "\"%s\" has more than %u bytes", key, UET_UT_DATA_MAX);
    return args->error[0] ? 0 : (uint32_t)(len / 2);
}

void uet_reply_set(struct uet_args *args, json_t *reply, const char *key, json_t *value)
{
    if (json_object_set_new(reply, key, value))
        uet_arg_refuse(args, "no memory for the reply");
}
