/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/listen/show.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "tools/uetcat/dump.h"
#include "wire/print.h"

enum { FIRST_BYTES = 16 };

static const char *const words[LISTEN_KINDS] = {"message", "refused", "nack"};

/* ---- JSON ---- */

static void print(const struct listen_show *s, json_t *object)
{
    if (object)
        json_dumpf(object, s->out, JSON_COMPACT);
    putc('\n', s->out);
    json_decref(object);
}

static void set_wide(json_t *object, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    json_object_set_new(object, name, json_string(text));
}

static void set_bytes(json_t *object, const struct listen_show *s, const struct listen_event *e)
{
    char first[2 * FIRST_BYTES + 1] = "", *text = first;
    uint32_t n = s->hex || e->n_bytes < FIRST_BYTES ? e->n_bytes : FIRST_BYTES;
    if (n > FIRST_BYTES)
        text = malloc(2 * (size_t)n + 1);
    for (uint32_t i = 0; text && i < n; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", e->bytes[i]);
    json_object_set_new(object, n == e->n_bytes ? "bytes" : "first_bytes", json_string(text));
    if (text != first)
        free(text);
}

static json_t *event_object(const struct listen_show *s, const struct listen_event *e)
{
    char address[UET_IP_TEXT];
    json_t *o =
        json_pack("{s:s, s:s}", "event", words[e->kind], "source", uet_ip_text(&e->peer, address));
    if (e->has_opcode)
        json_object_set_new(o, "kind",
                            json_string(uet_print_name(UET_ENUM_SES_REQ_OPCODE, e->opcode)));
    if (e->has_place) {
        json_object_set_new(o, "job", json_integer(e->job_id));
        json_object_set_new(o, "pid", json_integer(e->pid_on_fep));
        json_object_set_new(o, "ri", json_integer(e->resource_index));
    }
    if (e->has_key) {
        set_wide(o, "key", e->key);
        json_object_set_new(o, "offset", json_integer((json_int_t)e->offset));
    }
    if (e->has_tag)
        set_wide(o, "tag", e->tag);
    if (e->has_length)
        json_object_set_new(o, "length", json_integer(e->length));
    if (e->kind == LISTEN_MESSAGE)
        json_object_set_new(o, "initiator", json_integer(e->initiator));
    else
        json_object_set_new(
            o, "code",
            json_string(uet_enum_name(e->kind == LISTEN_NACK ? UET_ENUM_PDS_NACK_CODE
                                                             : UET_ENUM_SES_RETURN_CODE,
                                      e->code)));
    if (e->has_header_data)
        set_wide(o, "header_data", e->header_data);
    if (e->bytes)
        set_bytes(o, s, e);
    return o;
}

/* ---- text ---- */

static void print_first(FILE *out, const struct listen_event *e)
{
    uint32_t n = e->n_bytes < FIRST_BYTES ? e->n_bytes : FIRST_BYTES;
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%02x", i ? " " : "  ", e->bytes[i]);
    fputs(n < e->n_bytes ? " .. |" : "  |", out);
    for (uint32_t i = 0; i < n; i++)
        putc(e->bytes[i] >= 0x20 && e->bytes[i] < 0x7f ? e->bytes[i] : '.', out);
    putc('|', out);
}

static void print_event(const struct listen_show *s, const struct listen_event *e)
{
    char address[UET_IP_TEXT];
    FILE *out = s->out;
    fprintf(out, "%s %s", uet_ip_text(&e->peer, address),
            e->has_opcode ? uet_print_name(UET_ENUM_SES_REQ_OPCODE, e->opcode) : "a packet");
    if (e->has_place)
        fprintf(out, " job=%u pid=%u ri=%u", e->job_id, e->pid_on_fep, e->resource_index);
    if (e->has_key)
        fprintf(out, " key=0x%" PRIx64 " off=%" PRIu64, e->key, e->offset);
    if (e->has_tag)
        fprintf(out, " tag=0x%" PRIx64, e->tag);
    if (e->has_length)
        fprintf(out, " len=%u", e->length);
    if (e->initiator)
        fprintf(out, " init=%u", e->initiator);
    if (e->has_header_data)
        fprintf(out, " data=0x%" PRIx64, e->header_data);
    if (e->kind == LISTEN_REFUSED)
        fprintf(out, ": refused, %s", uet_enum_name(UET_ENUM_SES_RETURN_CODE, e->code));
    if (e->kind == LISTEN_NACK)
        fprintf(out, ": NACK %s", uet_enum_name(UET_ENUM_PDS_NACK_CODE, e->code));
    if (e->bytes && !s->hex)
        print_first(out, e);
    putc('\n', out);
    if (e->bytes && s->hex)
        uetcat_dump(out, 0, e->bytes, e->n_bytes);
}

/* ---- all ---- */

void listen_show_start(const struct listen_show *s, const struct uet_ip *own, const char *on)
{
    char address[UET_IP_TEXT];
    uet_ip_text(own, address);
    if (s->json)
        print(s, json_pack("{s:s, s:s, s:s}", "event", "start", "address", address, "on", on));
    else
        fprintf(stderr, "uetcat listen: %s on %s; Ctrl-C ends it\n", address, on);
    fflush(s->out);
}

void listen_show_event(struct listen_show *s, const struct listen_event *e)
{
    s->seen[e->kind]++;
    if (e->kind == LISTEN_MESSAGE)
        s->bytes += e->length;
    if (s->quiet)
        return;
    if (s->json)
        print(s, event_object(s, e));
    else
        print_event(s, e);
    fflush(s->out);
}

void listen_show_end(const struct listen_show *s)
{
    const uint64_t *n = s->seen;
    if (s->json)
        print(s, json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "event", "summary", "messages",
                           (json_int_t)n[LISTEN_MESSAGE], "bytes", (json_int_t)s->bytes, "refused",
                           (json_int_t)n[LISTEN_REFUSED], "nacks", (json_int_t)n[LISTEN_NACK],
                           "missed", (json_int_t)s->missed));
    else
        fprintf(stderr,
                "uetcat listen: %" PRIu64 " messages, %" PRIu64 " bytes; %" PRIu64
                " requests refused, %" PRIu64 " NACKs sent, %" PRIu64 " packets missed\n",
                n[LISTEN_MESSAGE], s->bytes, n[LISTEN_REFUSED], n[LISTEN_NACK], s->missed);
    fflush(s->out);
}
