/* SPDX-License-Identifier: BSD-2-Clause */
/* What every upper tester shares: numbering requests and believing replies only as far as due. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ut/ut.h"

static const char *verb_of(const json_t *request)
{
    const char *verb = json_string_value(json_object_get(request, "verb"));

    return verb ? verb : "(no verb)";
}

/* Is this the reply to request id? 0, -EPROTO when it is and says no, or -EBADMSG. */
static int judge(struct uet_ut *ut, const char *verb, json_int_t id, const json_t *reply)
{
    const json_t *reply_id = json_object_get(reply, "id");
    const json_t *ok = json_object_get(reply, "ok");
    const char *text = json_string_value(json_object_get(reply, "error"));
    const char *what = NULL;

    /* No answer to this request, but to what came before it, or to our being here (ut/server.h). */
    if (json_is_null(reply_id) && json_is_false(ok) && text) {
        snprintf(ut->error, sizeof(ut->error), "%s", text);
        return -EBADMSG;
    }
    if (!json_is_object(reply))
        what = "is not a JSON object";
    else if (!json_is_integer(reply_id))
        what = "has no integer \"id\"";
    else if (json_integer_value(reply_id) != id)
        what = "has the \"id\" of another request";
    else if (!json_is_boolean(ok))
        what = "has no \"ok\" that is true or false";
    else if (json_is_false(ok) && !text)
        what = "is not ok, but has no \"error\" text";
    if (what) {
        snprintf(ut->error, sizeof(ut->error), "%s: the reply %s", verb, what);
        return -EBADMSG;
    }
    if (json_is_true(ok))
        return 0;
    snprintf(ut->error, sizeof(ut->error), "%s: %s", verb, text);
    return -EPROTO;
}

/* ---- what `hello` told, and how long that holds ---- */

static void keep(json_t **place, json_t *reply)
{
    json_t *old = *place;

    *place = json_incref(reply);
    json_decref(old);
}

/* After a verb, done or not: nobody knows how far one came that brought no reply. */
static void note_change(struct uet_ut *ut, const char *verb, int rc)
{
    bool reset = strcmp(verb, "reset") == 0;

    if (!reset && strcmp(verb, "set") != 0 && strcmp(verb, "violate") != 0)
        return;
    ut->was_reset = reset && rc == 0;
    keep(&ut->told, ut->was_reset ? ut->at_reset : NULL);
}

int uet_ut_told(struct uet_ut *ut, json_t **reply)
{
    ut->error[0] = 0;
    if (ut->told && !ut->lost) {
        *reply = json_incref(ut->told);
        return 0;
    }
    int rc = uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), reply);

    if (rc == 0)
        keep(&ut->told, *reply);
    if (rc == 0 && ut->was_reset)
        keep(&ut->at_reset, *reply);
    return rc;
}

/* ---- calls ---- */

int uet_ut_call(struct uet_ut *ut, json_t *request, json_t **reply)
{
    json_int_t id = (json_int_t)ut->next_id++;
    char verb[32];
    int rc;

    *reply = NULL;
    ut->error[0] = 0;
    if (!json_is_object(request)) {
        json_decref(request);
        snprintf(ut->error, sizeof(ut->error), "the request is not a JSON object");
        return -EINVAL;
    }
    snprintf(verb, sizeof(verb), "%s", verb_of(request));
    if (json_object_set_new(request, "id", json_integer(id))) {
        json_decref(request);
        snprintf(ut->error, sizeof(ut->error), "%s: no memory", verb);
        return -ENOMEM;
    }
    rc = ut->ops->call(ut, request, reply);
    json_decref(request);
    if (rc == 0)
        rc = judge(ut, verb, id, *reply);
    else if (!ut->error[0])
        snprintf(ut->error, sizeof(ut->error), "%s: %s", verb, strerror(-rc));
    if (rc && rc != -EPROTO) {
        json_decref(*reply);
        *reply = NULL;
    }
    note_change(ut, verb, rc);
    return rc;
}

void uet_ut_close(struct uet_ut *ut)
{
    if (!ut)
        return;
    json_decref(ut->told);
    json_decref(ut->at_reset);
    ut->ops->close(ut);
}
