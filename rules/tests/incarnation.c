/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/tests/incarnation.h"

static struct talk incarnation[3]; /* of the same two FEPs */

void open_scene_with(struct scene *s, uint8_t vantage, const struct uet_rules_window *window)
{
    *s = (struct scene){.now = 1000 * US};
    uet_track_arena_init(&s->arena, 0);
    const struct uet_track_config track = {
        .vantage = vantage, .from_start = true, .allocator = uet_track_arena_allocator(&s->arena)};
    const struct uet_rules_config rules = {.vantage = vantage, .window = window};
    s->track = uet_track_new(&track);
    s->rules = uet_rules_new(&rules, &track.allocator);
    assert_non_null(s->rules);
}

void open_scene(struct scene *s, uint8_t vantage)
{
    open_scene_with(s, vantage, NULL);
}

void close_scene(struct scene *s)
{
    uet_rules_free(s->rules);
    uet_track_free(s->track);
    uet_track_arena_free(&s->arena);
}

struct talk *live(unsigned i, uint16_t ipdcid, uint16_t tpdcid, uint32_t start)
{
    talk_default(&incarnation[i]);
    incarnation[i].ipdcid = ipdcid;
    incarnation[i].tpdcid = tpdcid;
    incarnation[i].start = start;
    talk_write(&incarnation[i]);
    return &incarnation[i];
}

struct uet_track_pdc *give(struct scene *s, struct talk *talk, enum talk_name name)
{
    struct uet_violation found[MAX_VIOLATIONS];
    struct talk_packet *p = &talk->packet[name];
    talk_mend(p);
    s->now += US;
    s->t = uet_track_add(s->track, p->frame, p->len, s->now);
    assert_non_null(s->t);
    size_t n = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS);
    if (n)
        fail_msg("packet %d: %s: %s", name, found[0].requirement, found[0].message);
    return s->t->pdc;
}

struct uet_track_pdc *give_sealed(struct scene *s, struct talk *talk, enum talk_name name)
{
    struct uet_packet packet;
    struct uet_violation found[MAX_VIOLATIONS];
    struct talk_packet *p = &talk->packet[name];
    talk_mend(p);
    assert_int_equal(uet_parse(&packet, p->frame, p->len, NULL), UET_PARSE_OK);
    packet.tss = UET_H_TSS_HDR_12;
    packet.sdi = 1;
    packet.seal = (struct uet_packet_seal){.counter = s->now};
    s->now += US;
    s->t = uet_track_add_packet(s->track, &packet, s->now);
    assert_non_null(s->t);
    size_t n = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS);
    if (n)
        fail_msg("packet %d: %s: %s", name, found[0].requirement, found[0].message);
    return s->t->pdc;
}

void blame(struct scene *s, struct talk *talk, enum talk_name name, const char *requirement)
{
    struct uet_violation found[MAX_VIOLATIONS];
    struct talk_packet *p = &talk->packet[name];
    talk_mend(p);
    s->now += US;
    s->t = uet_track_add(s->track, p->frame, p->len, s->now);
    assert_non_null(s->t);
    for (size_t i = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS); i-- > 0;)
        if (strcmp(found[i].requirement, requirement) == 0)
            return;
    fail_msg("packet %d: %s is not noticed", name, requirement);
}

struct uet_track_pdc *run(struct scene *s, struct talk *talk, enum talk_name from,
                          enum talk_name to)
{
    for (enum talk_name n = from; n < to; n++)
        give(s, talk, n);
    return give(s, talk, to);
}

void again(struct talk *talk, enum talk_name name)
{
    uet_rud_rod_req_retx_set(talk_pds(&talk->packet[name]), true);
    uet_rud_rod_req_ar_set(talk_pds(&talk->packet[name]), true);
}

void exchange(struct talk *talk)
{
    struct uet_ip initiator = talk->initiator;
    talk->initiator = talk->target;
    talk->target = initiator;
    talk_write(talk);
}

void nack(struct talk *talk, uint8_t code, uint16_t dpdcid, uint32_t psn)
{
    uint8_t *h = talk_pds(&talk->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, code);
    uet_nack_spdcid_set(h, 0);
    uet_nack_dpdcid_set(h, dpdcid);
    uet_nack_nack_psn_set(h, psn);
}

struct uet_track_pdc *refuse(struct scene *s, struct talk *talk, uint8_t code, uint32_t psn)
{
    uint8_t *h = talk_pds(&talk->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, code);
    uet_nack_nack_psn_set(h, psn);
    return give(s, talk, TALK_NACK7);
}
