/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/replay/plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "port/capture.h"
#include "wire/captured/reader.h"

const char *replay_left_text(enum replay_left why)
{
    static const char *const texts[REPLAY_LEFT_KINDS] = {
        [REPLAY_LEFT_NONE] = "",
        [REPLAY_LEFT_OTHER] = "not UET",
        [REPLAY_LEFT_STRANGERS] = "of other FEPs",
        [REPLAY_LEFT_SEALED] = "encrypted",
        [REPLAY_LEFT_START] = "of a first try to open a sealed PDC",
        [REPLAY_LEFT_CUT] = "cut short",
        [REPLAY_LEFT_LONG] = "too long",
        [REPLAY_LEFT_DAMAGED] = "damaged",
        [REPLAY_LEFT_NO_SYN] = "of a PDC whose SYN is not in the capture",
        [REPLAY_LEFT_THEIRS] = "of a PDC that the other side opened",
        [REPLAY_LEFT_ANSWERS] = "answers to packets that are left out",
    };
    return texts[why];
}

/* ---- memory ---- */

/* One more; NULL without memory. */
static void *one_more(void **all, size_t *n, size_t *room, size_t size)
{
    if (*n == *room) {
        size_t more = *room ? 2 * *room : 64;
        void *grown = realloc(*all, more * size);
        if (!grown)
            return NULL;
        *all = grown;
        *room = more;
    }
    return (char *)*all + (*n)++ * size;
}

bool replay_item_make(struct replay_item *item, const uint8_t *bytes, size_t len)
{
    const struct uet_parse_options options = {.start = UET_START_PDS};
    item->bytes = malloc(len ? len : 1);
    if (!item->bytes)
        return false;
    memcpy(item->bytes, bytes, len);
    item->len = (uint32_t)len;
    uet_parse(&item->packet, item->bytes, len, &options);
    return true;
}

void replay_plan_free(struct replay_plan *p)
{
    for (size_t i = 0; i < p->n_items; i++)
        free(p->items[i].bytes);
    free(p->items);
    free(p->pdcs);
    *p = (struct replay_plan){0};
}

size_t replay_end(const struct uet_packet *p)
{
    return p->icv_offset ? p->icv_offset : p->crc_offset ? p->crc_offset : p->ip_end;
}

/* ---- which packets ---- */

/* What can be said of a packet without the tracker. */
static enum replay_left look(const struct uet_packet *p, bool whole)
{
    if (!whole || p->error == UET_PARSE_TRIMMED || p->trim)
        return REPLAY_LEFT_CUT;
    if (p->error == UET_PARSE_SEALED)
        return REPLAY_LEFT_SEALED;
    if (!p->pds || p->crc_state == UET_CRC_BAD)
        return REPLAY_LEFT_DAMAGED;
    if (p->ip_end - p->pds_offset > REPLAY_ITEM_MAX)
        return REPLAY_LEFT_LONG;
    return REPLAY_LEFT_NONE;
}

/* Who is who: from the first packet that opens something; false while nobody has. */
static bool choose_sides(struct replay_plan *p, const struct uet_ip *as,
                         const struct uet_tracked *t)
{
    const struct uet_packet *q = &t->packet;
    struct uet_ip src = uet_src_ip(q), dst = uet_dst_ip(q);
    if (p->ours.version)
        return true;
    bool opens = t->pdc ? t->opens : q->pds == UET_H_RUDI_REQ;
    if (!(as ? uet_ip_equal(as, &src) || uet_ip_equal(as, &dst) : opens))
        return false;
    p->ours = as ? *as : src;
    p->theirs = uet_ip_equal(&p->ours, &src) ? dst : src;
    return true;
}

/* The PDC in the plan, or a new one; UINT32_MAX without memory. */
static uint32_t plan_pdc(struct replay_plan *p, const struct uet_track_pdc *track)
{
    for (size_t i = p->n_pdcs; i-- > 0;) /* most packets are of the newest */
        if (p->pdcs[i].track == track)
            return (uint32_t)i;
    struct replay_pdc *made = one_more((void **)&p->pdcs, &p->n_pdcs, &p->room_pdcs, sizeof *made);
    if (!made)
        return UINT32_MAX;
    *made = (struct replay_pdc){.track = track, .rudi = !track};
    if (track) {
        made->ipdcid = track->ipdcid;
        made->start_psn = track->start_psn;
    }
    return (uint32_t)(p->n_pdcs - 1);
}

static enum replay_left look_tracked(const struct replay_plan *p, const struct uet_tracked *t)
{
    const struct uet_packet *q = &t->packet;
    struct uet_ip src = uet_src_ip(q), dst = uet_dst_ip(q);
    bool between = (uet_ip_equal(&src, &p->ours) && uet_ip_equal(&dst, &p->theirs)) ||
                   (uet_ip_equal(&src, &p->theirs) && uet_ip_equal(&dst, &p->ours));
    if (!between)
        return REPLAY_LEFT_STRANGERS;
    if (uet_is_rudi(q) || uet_is_nack_rudi(q) || uet_is_uud(q))
        return REPLAY_LEFT_NONE;
    if (!t->pdc || !t->pdc->opened_in_sight || !t->pdc->start_known)
        return REPLAY_LEFT_NO_SYN;
    return uet_ip_equal(&t->pdc->initiator_ip, &p->ours) ? REPLAY_LEFT_NONE : REPLAY_LEFT_THEIRS;
}

/* Is the packet of that number among those that are sent? */
static bool is_kept(const struct replay_plan *p, uint32_t number)
{
    for (size_t i = p->n_items; i-- > 0 && p->items[i].number >= number;)
        if (p->items[i].number == number)
            return true;
    return false;
}

/* False without memory. */
static bool keep(struct replay_plan *p, const struct uet_tracked *t)
{
    const struct uet_packet *q = &t->packet;
    struct uet_ip src = uet_src_ip(q);
    struct replay_item *item =
        one_more((void **)&p->items, &p->n_items, &p->room_items, sizeof *item);
    if (!item)
        return false;
    *item = (struct replay_item){.number = t->number,
                                 .answers = t->request_frame,
                                 .ours = uet_ip_equal(&src, &p->ours),
                                 .copy = t->duplicate,
                                 .traffic_class = q->traffic_class,
                                 .entropy = q->entropy,
                                 .sealed = q->tss != 0,
                                 .sdi = q->sdi,
                                 .time_ns = t->time_ns};
    if (item->ours && p->n_ours == 0) {
        p->native = !q->udp_offset;
        p->crc = q->crc_state == UET_CRC_GOOD;
        int order = uet_packet_crc_order(q);
        p->crc_order = (uint8_t)(order > 0 ? order : UET_CRC_BIG_ENDIAN);
    }
    *(item->ours ? &p->n_ours : &p->n_theirs) += 1;
    item->pdc = plan_pdc(p, t->pdc);
    if (item->pdc == UINT32_MAX)
        return false;
    p->pdcs[item->pdc].sealed = item->sealed;
    p->pdcs[item->pdc].sdi = item->sdi;
    return replay_item_make(item, q->frame + q->pds_offset, replay_end(q) - q->pds_offset);
}

static bool is_new_start(const struct uet_packet *q)
{
    return uet_is_nack(q) && uet_nack_nack_code(uet_pds(q)) == UET_NACK_NEW_START_PSN;
}

/* The NACK has refused its PDC: what was sent on it has come to nothing, and is sent anew behind.
 */
static void leave_refused(struct replay_plan *p, const struct uet_tracked *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->n_items; i++) {
        struct replay_item *item = &p->items[i];
        if (!t->pdc || !t->pdc->refused || p->pdcs[item->pdc].track != t->pdc) {
            p->items[kept++] = *item;
            continue;
        }
        free(item->bytes);
        *(item->ours ? &p->n_ours : &p->n_theirs) -= 1;
        p->left[REPLAY_LEFT_START]++;
    }
    p->n_items = kept;
}

/* ---- the capture ---- */

static void *get(void *ctx, size_t bytes)
{
    (void)ctx;
    return calloc(1, bytes);
}

static void give_back(void *ctx, void *block)
{
    (void)ctx;
    free(block);
}

struct sources {
    struct uet_capture *capture;
    struct uet_reader *reader;
    struct uet_track *track;
};

/* False without memory. */
static bool take(struct replay_plan *p, const struct sources *s, const struct uet_ip *as,
                 const struct uet_capture_packet *c)
{
    struct uet_packet q;
    struct uet_inner inner;
    enum uet_decap_end end =
        uet_reader_take(s->reader, c->linktype, c->data, c->caplen, c->len, &q, &inner);
    p->packets++;
    if (end != UET_DECAP_UET) {
        uet_track_skip(s->track, 1);
        p->left[end == UET_DECAP_CUT ? REPLAY_LEFT_CUT : REPLAY_LEFT_OTHER]++;
        return true;
    }
    enum replay_left why = look(&q, inner.caplen == inner.len);
    const struct uet_tracked *t = uet_track_add_packet(s->track, &q, c->time_ns);
    if (!t)
        return false;
    if (why == REPLAY_LEFT_NONE)
        why = choose_sides(p, as, t) ? look_tracked(p, t) : REPLAY_LEFT_NO_SYN;
    if (why == REPLAY_LEFT_NONE && q.tss && is_new_start(&q)) {
        leave_refused(p, t);
        why = REPLAY_LEFT_START;
    }
    if (why == REPLAY_LEFT_NONE && t->request_frame && !is_kept(p, t->request_frame))
        why = REPLAY_LEFT_ANSWERS;
    if (why != REPLAY_LEFT_NONE) {
        p->left[why]++;
        return true;
    }
    return keep(p, t);
}

static int take_all(struct replay_plan *p, const struct sources *s, const struct uet_ip *as,
                    char *err, size_t size)
{
    struct uet_capture_packet c;
    int r;
    while ((r = uet_capture_next(s->capture, &c)) > 0)
        if (!take(p, s, as, &c)) {
            snprintf(err, size, "out of memory");
            return -1;
        }
    if (r < 0)
        snprintf(err, size, "%s", uet_capture_error(s->capture));
    return r < 0 ? -1 : 0;
}

/* What the tracker has found out of each PDC by the end of the capture. */
static void leave_tracker(struct replay_plan *p)
{
    for (size_t i = 0; i < p->n_pdcs; i++) {
        struct replay_pdc *pdc = &p->pdcs[i];
        if (pdc->track) {
            pdc->tpdcid = pdc->track->tpdcid;
            pdc->cack_known = pdc->track->dir[0].cack_known;
            pdc->cack_psn = pdc->track->dir[0].cack_psn;
        }
        pdc->track = NULL;
    }
}

int replay_plan_read(struct replay_plan *p, const char *path, const struct uet_ip *as,
                     uint8_t ip_protocol, struct uet_keyring *keys, char *err, size_t size)
{
    const struct uet_parse_options options = {
        .protect = UET_PROTECT_AUTO, .lenient = true, .ip_protocol = ip_protocol};
    const struct uet_track_config config = {.vantage = UET_VANTAGE_MIDDLE,
                                            .ip_protocol = ip_protocol,
                                            .allocator = {NULL, get, give_back}};
    struct sources s = {0};
    int r = -1;
    *p = (struct replay_plan){0};
    if (uet_capture_open(&s.capture, path, err, size) < 0)
        return -1;
    s.reader = uet_reader_new(&options, true, keys);
    s.track = uet_track_new(&config);
    if (s.reader && s.track)
        r = take_all(p, &s, as, err, size);
    else
        snprintf(err, size, "out of memory");
    leave_tracker(p);
    uet_track_free(s.track);
    uet_reader_free(s.reader);
    uet_capture_close(s.capture);
    return r;
}
