/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/probe/show.h"

#include <stdio.h>
#include <string.h>

#include "tools/uetcat/result.h"

static const char *verdict_of(const struct probe_answer *a)
{
    if (a->unasked)
        return "";
    if (!a->came)
        return "silent";
    if (a->nack)
        return "refused";
    if (!a->ended || a->status == UET_STATUS_OK)
        return "yes";
    if (a->status == UET_STATUS_PDS_ERROR)
        return "refused";
    return a->return_code == UET_RC_UNSUPPORTED_OP || a->return_code == UET_RC_UNSUPPORTED_SIZE
               ? "no"
               : "known";
}

static void line(struct probe_show *s, const char *group, const char *name, const char *verdict,
                 const char *text, const char *note)
{
    const bool first = !s->group || strcmp(s->group, group) != 0;
    s->group = group;
    if (s->json)
        return;
    printf("%-9s %-29s %-8s %s%s%s\n", first ? group : "", name, verdict, text,
           note && text[0] ? "; " : "", note ? note : "");
    fflush(stdout);
}

static json_t *trial(struct probe_show *s, const char *group, const char *name, const char *verdict,
                     const char *note)
{
    if (!s->json)
        return NULL;
    json_t *o = json_pack("{s:s, s:s}", "group", group, "name", name);
    if (verdict[0])
        json_object_set_new(o, "verdict", json_string(verdict));
    if (note)
        json_object_set_new(o, "note", json_string(note));
    json_array_append_new(s->trials, o);
    return o;
}

void probe_show_start(struct probe_show *s, const struct uetcat_link *l)
{
    char own[UET_IP_TEXT], other[UET_IP_TEXT];
    uet_ip_text(&l->src, own);
    uet_ip_text(&l->dst, other);
    s->trials = json_array();
    s->object =
        json_pack("{s:s, s:s, s:s}", "address", other, "source", own, "interface", l->ifname);
    if (!s->json)
        printf("UET PROBE %s from %s on %s\n", other, own, l->ifname);
}

void probe_show_answer(struct probe_show *s, const char *group, const char *name,
                       const struct probe_answer *a, const char *note)
{
    char text[120];
    probe_text(a, text, sizeof text);
    line(s, group, name, verdict_of(a), text, note);
    json_t *o = trial(s, group, name, verdict_of(a), note);
    if (!o)
        return;
    json_object_set_new(o, "answer", json_string(text));
    if (a->came)
        json_object_set_new(o, "rtt_us", json_real((double)a->after_ns / 1e3));
    if (a->nack)
        json_object_set_new(o, "nack_code", json_integer(a->nack_code));
    else if (a->came && a->ended && a->status != UET_STATUS_PDS_ERROR)
        json_object_set_new(o, "return_code",
                            json_integer(a->status == UET_STATUS_OK ? UET_RC_OK : a->return_code));
}

void probe_show_fact(struct probe_show *s, const char *group, const char *name, bool holds,
                     const char *note)
{
    line(s, group, name, holds ? "yes" : "no", "", note);
    (void)trial(s, group, name, holds ? "yes" : "no", note);
}

void probe_show_note(struct probe_show *s, const char *group, const char *name, const char *note)
{
    line(s, group, name, "-", "", note);
    (void)trial(s, group, name, "", note);
}

void probe_show_silence(struct probe_show *s, const char *why)
{
    if (s->json)
        json_object_set_new(s->object, "silence", json_string(why));
    else
        printf("No answer: %s\n", why);
}

void probe_show_end(struct probe_show *s, const char *wrapping, unsigned payload)
{
    if (!s->json && wrapping)
        printf("It answers over %s; the largest payload that was answered has %u bytes.\n",
               wrapping, payload);
    json_object_set_new(s->object, "answers", json_boolean(wrapping != NULL));
    if (wrapping) {
        json_object_set_new(s->object, "wrapping", json_string(wrapping));
        json_object_set_new(s->object, "payload", json_integer(payload));
    }
    json_object_set(s->object, "trials", s->trials);
    json_decref(s->trials);
    if (s->json)
        uetcat_json("probe", s->object);
    else
        json_decref(s->object);
}
