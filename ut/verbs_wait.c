/* SPDX-License-Identifier: BSD-2-Clause */
/* Completions as the upper tester tells them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ut/value.h"
#include "ut/verbs.h"

#define ITEMS(a) (sizeof(a) / sizeof((a)[0]))

/* In the order of enum uet_ut_kind and enum uet_ut_status. */
#define NAME(name, kind, own) #name,
static const char *const kinds[] = {UET_UT_OPERATIONS(NAME) "recv", "imm"};
static const char *const statuses[] = {"ok", "ses_error", "pds_error"};

static bool name_of(const json_t *object, const char *key, const char *const *names, size_t n,
                    uint8_t *out)
{
    const char *text = json_string_value(json_object_get(object, key));

    for (size_t i = 0; text && i < n; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (uint8_t)i;
            return true;
        }
    return false;
}

/* Numbers that a completion may leave out: they stay 0. told: the bit for it. */
static bool number_of(const json_t *object, const char *key, uint64_t max, uint64_t *out,
                      uint8_t *told, uint8_t bit)
{
    int rc = uet_ut_get_number(object, key, max, out);

    if (rc == 0)
        *told |= bit;
    return rc == 0 || rc == -ENOENT;
}

/* NULL, or the key that is missing or wrong. */
static const char *read_completion(const json_t *object, struct uet_ut_completion *c)
{
    const json_t *peer = json_object_get(object, "peer");
    uint64_t return_code = 0, length = 0, job_id = 0, initiator = 0;

    memset(c, 0, sizeof(*c));
    if (uet_ut_get_number(object, "handle", INT64_MAX, &c->handle))
        return "handle";
    if (!name_of(object, "kind", kinds, ITEMS(kinds), &c->kind))
        return "kind";
    if (!name_of(object, "status", statuses, ITEMS(statuses), &c->status))
        return "status";
    if (!number_of(object, "return_code", 63, &return_code, &c->told, UET_UT_TOLD_CODE))
        return "return_code";
    if (!number_of(object, "length", UINT32_MAX, &length, &c->told, UET_UT_TOLD_LENGTH))
        return "length";
    if (!number_of(object, "job_id", 0xffffff, &job_id, &c->told, UET_UT_TOLD_JOB))
        return "job_id";
    if (!number_of(object, "initiator", UINT32_MAX, &initiator, &c->told, UET_UT_TOLD_INITIATOR))
        return "initiator";
    if (!number_of(object, "header_data", UINT64_MAX, &c->header_data, &c->told, 0))
        return "header_data";
    if (!number_of(object, "match_bits", UINT64_MAX, &c->match_bits, &c->told, UET_UT_TOLD_TAG))
        return "match_bits";
    if (peer && (!json_is_string(peer) || uet_ip_parse(&c->peer, json_string_value(peer))))
        return "peer";
    if (peer)
        c->told |= UET_UT_TOLD_PEER;
    c->has_header_data = json_object_get(object, "header_data") != NULL &&
                         !json_is_null(json_object_get(object, "header_data"));
    c->return_code = (uint8_t)return_code;
    c->length = (uint32_t)length;
    c->job_id = (uint32_t)job_id;
    c->initiator = (uint32_t)initiator;
    return NULL;
}

static int read_completions(struct uet_ut *ut, const json_t *reply,
                            struct uet_ut_completion *completions, size_t max)
{
    const json_t *array = json_object_get(reply, "completions");
    const char *wrong = NULL;
    size_t n = json_array_size(array);

    if (!json_is_array(array) || n > max)
        wrong = "completions";
    for (size_t i = 0; i < n && !wrong; i++)
        wrong = read_completion(json_array_get(array, i), &completions[i]);
    if (!wrong)
        return (int)n;
    snprintf(ut->error, sizeof(ut->error), "wait: the reply's \"%s\" is missing or wrong", wrong);
    return -EBADMSG;
}

int uet_ut_wait(struct uet_ut *ut, struct uet_ut_completion *completions, size_t max)
{
    json_t *reply, *request = json_pack("{s:s, s:I}", "verb", "wait", "max", (json_int_t)max);
    int rc = -ENOMEM;

    if (!request)
        return rc;
    rc = uet_ut_call(ut, request, &reply);
    if (rc == 0)
        rc = read_completions(ut, reply, completions, max);
    json_decref(reply);
    return rc;
}
