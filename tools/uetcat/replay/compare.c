/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/replay/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "wire/print.h"

/* ---- notes ---- */

void replay_note(struct replay_differences *d, uint32_t number, const char *words, ...)
{
    struct replay_difference made = {.first = number, .n = 1};
    va_list args;
    va_start(args, words);
    vsnprintf(made.what, sizeof made.what, words, args);
    va_end(args);
    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->at[i].what, made.what) == 0) {
            d->at[i].n++;
            return;
        }
    if (d->n == d->room) {
        size_t room = d->room ? 2 * d->room : 16;
        void *grown = realloc(d->at, room * sizeof *d->at);
        if (!grown) {
            d->failed = true;
            return;
        }
        d->at = grown;
        d->room = room;
    }
    d->at[d->n++] = made;
}

void replay_differences_free(struct replay_differences *d)
{
    free(d->at);
    *d = (struct replay_differences){0};
}

/* ---- which belongs to which ---- */

bool replay_keeps_house(const struct uet_packet *p)
{
    static const bool house[16] = {[UET_CTL_ACK_REQUEST] = true,   [UET_CTL_CLEAR_COMMAND] = true,
                                   [UET_CTL_CLEAR_REQUEST] = true, [UET_CTL_PROBE] = true,
                                   [UET_CTL_CREDIT] = true,        [UET_CTL_CREDIT_REQUEST] = true};
    return uet_is_cp(p) && house[uet_cp_ctl_type(uet_pds(p)) & 15];
}

static bool is_probe_answer(const struct uet_packet *p)
{
    return uet_is_ack(p) && uet_ack_p(uet_pds(p));
}

enum sort { SORT_NONE, SORT_ANSWER, SORT_PROBE_ANSWER, SORT_RUDI_ANSWER, SORT_REQUEST, SORT_CP };

static enum sort sort_of(const struct uet_packet *p)
{
    if (is_probe_answer(p))
        return SORT_PROBE_ANSWER;
    if (uet_is_nack_rudi(p) || p->pds == UET_H_RUDI_RESP)
        return SORT_RUDI_ANSWER;
    if (uet_is_ack(p) || uet_is_nack(p))
        return SORT_ANSWER;
    if (uet_is_request(p))
        return SORT_REQUEST;
    return uet_is_cp(p) ? SORT_CP : SORT_NONE;
}

/* What names the packet among those of its sort. */
static uint32_t name_of(const struct uet_packet *p, enum sort sort)
{
    const uint8_t *h = uet_pds(p);
    if (sort == SORT_PROBE_ANSWER)
        return uet_ack_probe_opaque(h);
    return sort == SORT_RUDI_ANSWER ? uet_pkt_id(p) : uet_packet_psn(p);
}

enum replay_fit replay_fits(const struct replay_item *expected, const struct replay_item *got)
{
    const struct uet_packet *e = &expected->packet, *g = &got->packet;
    enum sort sort = sort_of(e);
    if (expected->pdc != got->pdc || sort == SORT_NONE || sort != sort_of(g) ||
        name_of(e, sort) != name_of(g, sort))
        return REPLAY_FIT_NOT;
    if (sort == SORT_CP)
        return uet_cp_ctl_type(uet_pds(e)) == uet_cp_ctl_type(uet_pds(g)) ? REPLAY_FIT_SAME
                                                                          : REPLAY_FIT_NOT;
    return uet_is_nack(e) == uet_is_nack(g) ? REPLAY_FIT_SAME : REPLAY_FIT_INSTEAD;
}

bool replay_is_plain_ack(const struct uet_packet *p)
{
    const uint8_t *ses = uet_ses(p);
    if (!uet_is_ack(p) || is_probe_answer(p))
        return false;
    return !ses || (uet_is_ses_response(p) && uet_ses_rsp_opcode(ses) == UET_RSP_DEFAULT_RESPONSE);
}

/* ---- in what they differ ---- */

/* Of the moment, or the FEP's own choice: nothing to compare. PSNs were, to find the two. */
static bool is_left_out(const char *field)
{
    static const char *const names[] = {"psn",
                                        "psn_offset",
                                        "nack_psn",
                                        "cack_psn",
                                        "ack_psn_offset",
                                        "clear_psn_offset",
                                        "clear_psn",
                                        "pkt_id",
                                        "nack_pkt_id",
                                        "spdcid",
                                        "dpdcid",
                                        "flags.m",
                                        "flags.req",
                                        "flags.ar",
                                        "flags.retx",
                                        "mpr",
                                        "cc_type",
                                        "ccx_type",
                                        "cc_flags",
                                        "sack_psn_offset",
                                        "sack_bitmap",
                                        "ack_cc_state",
                                        "ack_ccx_state",
                                        "nack_ccx_state1",
                                        "nack_ccx_state2",
                                        "expected_psn",
                                        "response_message_id"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(field, names[i]) == 0)
            return true;
    return strncmp(field, "pdc_info", 8) == 0;
}

static unsigned compare_header(struct replay_differences *d, const struct replay_item *expected,
                               unsigned e_id, const uint8_t *e, unsigned g_id, const uint8_t *g)
{
    const struct uet_header *was = &uet_headers[e_id], *is = &uet_headers[g_id];
    unsigned n = 0;
    if (e_id != g_id) {
        replay_note(d, expected->number, "the header is '%s', and was '%s'", is->title, was->title);
        n++;
    }
    for (size_t i = 0; i < was->n_fields; i++) {
        const struct uet_field *f = was->fields[i], *other = uet_field_find(is, f->name);
        char a[100], b[100];
        if (!other || is_left_out(f->name) || (e_id != g_id && strcmp(f->name, "type") == 0))
            continue;
        uet_print_field(a, sizeof a, f, e);
        uet_print_field(b, sizeof b, other, g);
        if (strcmp(a, b) == 0)
            continue;
        replay_note(d, expected->number, "%s is %s, and was %s", f->name, b, a);
        n++;
    }
    return n;
}

static unsigned compare_ses(struct replay_differences *d, const struct replay_item *expected,
                            const struct replay_item *got)
{
    const struct uet_packet *e = &expected->packet, *g = &got->packet;
    if (e->ses && g->ses)
        return compare_header(d, expected, e->ses, uet_ses(e), g->ses, uet_ses(g));
    if (!e->ses == !g->ses)
        return 0;
    replay_note(d, expected->number,
                e->ses ? "there is no SES header, and was one: '%s'"
                       : "there is a SES header, and was none: '%s'",
                uet_headers[e->ses ? e->ses : g->ses].title);
    return 1;
}

static unsigned compare_data(struct replay_differences *d, const struct replay_item *expected,
                             const struct replay_item *got)
{
    const struct uet_packet *e = &expected->packet, *g = &got->packet;
    const uint8_t *was = e->frame + e->payload_offset, *is = g->frame + g->payload_offset;
    if (e->payload_len != g->payload_len) {
        replay_note(d, expected->number, "%u bytes of data came, and were %u", g->payload_len,
                    e->payload_len);
        return 1;
    }
    for (uint16_t i = 0; i < e->payload_len; i++)
        if (was[i] != is[i]) {
            replay_note(d, expected->number, "byte %u of the data is 0x%02x, and was 0x%02x", i,
                        is[i], was[i]);
            return 1;
        }
    return 0;
}

static const char *nack_name(const struct uet_packet *p)
{
    return uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(p)));
}

bool replay_compare(struct replay_differences *d, const struct replay_item *expected,
                    const struct replay_item *got)
{
    const struct uet_packet *e = &expected->packet, *g = &got->packet;
    if (uet_is_nack(e) && !uet_is_nack(g)) {
        replay_note(d, expected->number, "an answer came in the place of the NACK %s",
                    nack_name(e));
        return false;
    }
    if (uet_is_nack(g) && !uet_is_nack(e)) {
        replay_note(d, expected->number, "the NACK %s came in the place of an answer",
                    nack_name(g));
        return false;
    }
    unsigned n = compare_header(d, expected, e->pds, uet_pds(e), g->pds, uet_pds(g));
    n += compare_ses(d, expected, got);
    n += compare_data(d, expected, got);
    return n == 0;
}
