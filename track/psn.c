/* SPDX-License-Identifier: BSD-2-Clause */
/* The PSNs of each direction (3.5.11.4, 3.5.12), and packets that take none. */
#include <string.h>

#include "track/internal.h"

/*
 * What the map holds: the public record; in the place of its first fields, among those that are
 * free, the next one.
 */
struct psn_entry {
    union {
        struct uet_track_psn psn;
        struct psn_entry *next;
    };
};

struct loose_entry {
    const struct uet_pair *pair;
    uint64_t key;
    uint16_t spdcid;
    uint8_t src; /* which of the pair */
    struct uet_track_psn *psn;
    struct loose_entry *next; /* the next younger one, or the next that is free */
};

/* With a window headers have rooms of one size, so that they can be used again. */
#define ROOM 64
_Static_assert(UET_RUD_ROD_CC_REQ_BYTES + UET_SES_REQ_STD_SOM1_BYTES <= ROOM, "no room");
_Static_assert(UET_CP_BYTES <= ROOM, "no room");

struct uet_track_psn *uet_psn_find(const struct uet_track *track, const struct uet_track_pdc *pdc,
                                   bool forward, uint32_t psn)
{
    return uet_pages_find(&track->psns, pdc, forward,
                          psn); /* its record is its entry's beginning */
}

const struct uet_track_psn *uet_track_find_psn(const struct uet_track *track,
                                               const struct uet_track_pdc *pdc, bool forward,
                                               uint32_t psn)
{
    return uet_psn_find(track, pdc, forward, psn);
}

/* retx stands in the same place in Requests, CPs and ACKs (3.5.10). */
static struct uet_track_copy copy_of(const struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    return (struct uet_track_copy){.number = track->t.number,
                                   .entropy = uet_entropy(p),
                                   .ecn = uet_ecn(p),
                                   .retx = uet_rud_rod_req_retx(uet_pds(p)),
                                   .trimmed = p->trim != UET_TRIM_NO,
                                   .lasthop = p->trim == UET_TRIM_LASTHOP};
}

static void add_copy(struct uet_track *track, struct uet_track_psn *psn)
{
    struct uet_track_copy copy = copy_of(track);
    if (psn->n_copies < UET_TRACK_COPIES)
        psn->copy[psn->n_copies] = copy;
    if (psn->n_copies < UINT32_MAX)
        psn->n_copies++;
    psn->last = copy;
    psn->last_ns = track->t.time_ns;
    if (!copy.retx)
        psn->retx_clear_seen = true;
    if (copy.trimmed)
        psn->trimmed_seen = true;
    else
        psn->whole_seen = true;
}

static size_t header_bytes(const struct uet_packet *p)
{
    return (size_t)uet_headers[p->pds].bytes + (p->ses ? uet_headers[p->ses].bytes : 0u);
}

/* PDS and SES header side by side: between them stands nothing (3.5.10). */
static void copy_headers(const struct uet_packet *p, uint8_t *out)
{
    size_t n = uet_headers[p->pds].bytes;
    memcpy(out, uet_pds(p), n);
    if (p->ses)
        memcpy(out + n, uet_ses(p), uet_headers[p->ses].bytes);
}

/* What the packet in hand says, as what its PSN says. */
static void set_content(struct uet_track *track, struct uet_track_psn *psn)
{
    const struct uet_packet *p = &track->t.packet;
    size_t n = header_bytes(p);
    /* The room of a record that is used again, or that was a trimmed copy's, is big enough. */
    uint8_t *headers = track->config.window ? (uint8_t *)(uintptr_t)psn->headers : NULL;
    if (!headers)
        headers = uet_pool_get(&track->pool, track->config.window && n < ROOM ? ROOM : n);
    copy_headers(p, headers);
    psn->payload_len = p->payload_len;
    psn->pds = p->pds;
    psn->ses = p->ses;
    psn->headers = headers;
}

static void fill(struct uet_track *track, struct uet_track_psn *psn, uint32_t number)
{
    set_content(track, psn);
    psn->psn = number;
    psn->time_ns = track->t.time_ns;
    psn->pdc = track->t.pdc;
    add_copy(track, psn);
}

static bool same_bytes(const struct uet_packet *p, const struct uet_track_psn *psn)
{
    size_t n = uet_headers[p->pds].bytes;
    return p->pds == psn->pds && p->ses == psn->ses && p->payload_len == psn->payload_len &&
           memcmp(uet_pds(p), psn->headers, n) == 0 &&
           (!p->ses || memcmp(uet_ses(p), psn->headers + n, uet_headers[p->ses].bytes) == 0);
}

/* Do two copies of a PSN say different things to the receiver? */
static bool differs(const struct uet_packet *p, const struct uet_track_psn *psn)
{
    bool request = uet_is_request(p);
    bool was_request = uet_in_rud_rod_req(psn->pds);
    if (request != was_request || p->ses != psn->ses || p->payload_len != psn->payload_len)
        return true;
    return p->ses && memcmp(uet_ses(p), psn->headers + uet_headers[psn->pds].bytes,
                            uet_headers[p->ses].bytes) != 0;
}

/* A copy that a switch cut says less than it did: it is compared with nothing. */
static void compare(struct uet_track *track, struct uet_track_psn *psn)
{
    struct uet_tracked *t = &track->t;
    if (t->packet.trim != UET_TRIM_NO)
        return;
    if (!psn->whole_seen) { /* the first whole copy */
        set_content(track, psn);
        return;
    }
    t->same_frame = psn->copy[0].entropy == uet_entropy(&t->packet) && same_bytes(&t->packet, psn);
    if (differs(&t->packet, psn))
        psn->mixed = true;
}

void uet_repeat(struct uet_track *track, struct uet_track_psn *psn)
{
    struct uet_tracked *t = &track->t;
    t->duplicate = true;
    t->retransmission = uet_rud_rod_req_retx(uet_pds(&t->packet));
    t->since_ns = t->time_ns - psn->last_ns;
    compare(track, psn);
    t->previous_frame = psn->last.number;
    t->request_headers = psn->headers;
    t->request_pds = psn->pds;
    t->request_ses = psn->ses;
    t->request_time_ns = psn->time_ns;
    t->request_entropy = psn->last.entropy;
    t->request_ecn = psn->last.ecn;
    t->message = psn->message;
    add_copy(track, psn);
}

static void note_clear(struct uet_track_dir *dir, uint32_t clear, const struct uet_tracked *t)
{
    if (!dir->clear_known || uet_psn_diff(clear, dir->clear_psn) > 0) {
        dir->clear_psn = clear;
        dir->clear_by = t->number;
        dir->clear_rides = uet_is_request(&t->packet);
        dir->clear_on = uet_packet_psn(&t->packet);
    }
    dir->clear_known = true;
    if (dir->uncleared_known && uet_psn_diff(clear, dir->uncleared_psn) >= 0)
        dir->uncleared_known = false;
}

static void note_psn(struct uet_track *track, struct uet_track_dir *dir, uint32_t psn)
{
    if (!dir->psn_known) {
        dir->first_psn = dir->highest_psn = psn;
        dir->psn_known = track->t.new_psn = true;
        return;
    }
    if (uet_psn_diff(psn, dir->highest_psn) > 0) {
        dir->highest_psn = psn;
        track->t.new_psn = true;
    }
    if (uet_psn_diff(psn, dir->first_psn) < 0)
        dir->first_psn = psn;
}

/*
 * A PSN so far ahead belongs to no run that began at Start_PSN: somebody miscounts, or the PDC is
 * another one. A tracker with a window would soon forget where the run stopped; one without says
 * the same.
 */
static void leave_runs(struct uet_track_dir *dir, uint32_t psn)
{
    if (uet_psn_diff(psn, dir->seen_psn) > (int32_t)UET_TRACK_WINDOW_MIN ||
        uet_psn_diff(psn, dir->acked_psn) > (int32_t)UET_TRACK_WINDOW_MIN)
        dir->runs_known = false;
}

/* New PSNs are sent in order, so the first with syn = 0 ends the time of syn (3.5.8.2). */
static void note_syn_over(struct uet_track_pdc *pdc, const struct uet_tracked *t)
{
    const uint8_t *h = uet_pds(&t->packet);
    uint32_t psn = uet_packet_psn(&t->packet);
    if (!t->forward || uet_rud_rod_req_syn(h) || uet_rud_rod_req_retx(h))
        return;
    if (!pdc->syn_over || uet_psn_diff(psn, pdc->syn_over_psn) < 0)
        pdc->syn_over_psn = psn;
    pdc->syn_over = true;
}

static void note_close(struct uet_track_pdc *pdc, uint32_t psn)
{
    pdc->closing = true;
    pdc->close_psn = psn;
    pdc->dir[0].uncleared_known = false; /* the close clears everything forward (3.5.8.3) */
}

/* A switch may cut it: what it says was not heard then. */
static void note_closing_cp(const struct uet_tracked *t, uint32_t psn)
{
    uint8_t ctl = uet_cp_ctl_type(uet_pds(&t->packet));
    if (t->forward && ctl == UET_CTL_CLOSE_COMMAND)
        note_close(t->pdc, psn);
    if (!t->forward && ctl == UET_CTL_CLOSE_REQUEST)
        uet_asks_to_close(t);
}

void uet_dir_advance(const struct uet_track *track, struct uet_track_pdc *pdc, bool forward)
{
    struct uet_track_dir *dir = &pdc->dir[!forward];
    if (!dir->runs_known)
        return;
    const struct uet_track_psn *next; /* what a switch cut was not received */
    while ((next = uet_psn_find(track, pdc, forward, dir->seen_psn + 1)) && next->whole_seen)
        dir->seen_psn++;
    if (dir->cack_known && uet_psn_diff(dir->cack_psn, dir->acked_psn) > 0)
        dir->acked_psn = dir->cack_psn;
    while ((next = uet_psn_find(track, pdc, forward, dir->acked_psn + 1)) && next->acked_by)
        dir->acked_psn++;
}

/* An entry with nothing in it but, maybe, a room for headers. */
static struct psn_entry *fresh_entry(struct uet_track *track)
{
    struct psn_entry *e = track->free_psns;
    if (!e)
        return uet_pool_get(&track->pool, sizeof *e);
    track->free_psns = e->next;
    const uint8_t *room = e->psn.headers;
    memset(e, 0, sizeof *e);
    e->psn.headers = room;
    return e;
}

static void forget_psn(struct uet_track *track, struct uet_track_pdc *pdc, bool forward,
                       uint32_t psn)
{
    struct uet_track_dir *dir = &pdc->dir[!forward];
    struct psn_entry *e = uet_pages_take(&track->psns, pdc, forward, psn);
    if (dir->runs_known &&
        (uet_psn_diff(psn, dir->seen_psn) > 0 || uet_psn_diff(psn, dir->acked_psn) > 0))
        dir->runs_known = false; /* the runs would stop here for ever */
    if (!e)
        return;
    if (e->psn.message)
        uet_message_forget(track, e->psn.message);
    e->next = track->free_psns;
    track->free_psns = e;
}

/* A few for each packet: what lies farther back than the window. */
static void forget_old(struct uet_track *track, struct uet_track_pdc *pdc, bool forward)
{
    struct uet_track_dir *dir = &pdc->dir[!forward];
    uint32_t keep = dir->highest_psn - track->config.window;
    if (!track->config.window)
        return;
    if (!dir->kept_known || uet_psn_diff(keep, dir->kept_from) > (int32_t)track->config.window)
        dir->kept_from = dir->kept_known ? keep : dir->first_psn;
    dir->kept_known = true;
    for (int i = 0; i < 4 && uet_psn_diff(keep, dir->kept_from) > 0; i++)
        forget_psn(track, pdc, forward, dir->kept_from++);
}

static struct psn_entry *new_psn(struct uet_track *track, uint32_t number)
{
    struct psn_entry *e = fresh_entry(track);
    const struct uet_tracked *t = &track->t;
    e->psn.forward = t->forward;
    fill(track, &e->psn, number);
    return e;
}

void uet_psn_take(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    struct uet_track_dir *dir = &t->pdc->dir[!t->forward];
    uint32_t number = uet_packet_psn(&t->packet);
    void **slot = uet_pages_slot(&track->psns, &track->pool, t->pdc, t->forward, number);
    struct uet_track_psn *psn = *slot; /* its record is its entry's beginning */
    t->acknowledged_before =
        (psn && psn->acked_by) || (dir->cack_known && uet_psn_diff(number, dir->cack_psn) <= 0);
    t->before = number % UET_PAGE ? slot[-1] : uet_psn_find(track, t->pdc, t->forward, number - 1);
    note_psn(track, dir, number);
    leave_runs(dir, number);
    if (uet_is_request(&t->packet))
        note_clear(dir, uet_clear_psn(&t->packet), t);
    uet_loss_take(track, psn);
    bool whole_before = psn && psn->whole_seen;
    if (psn)
        uet_repeat(track, psn);
    else
        *slot = psn = &new_psn(track, number)->psn;
    uet_credit_spend(track);
    uet_inflight_take(track, psn);
    psn->ack_requested |= dir->asked_ahead && dir->asked_psn == number;
    if (uet_is_request(&t->packet) && !t->packet.ses)
        dir->unread = true;
    bool first = psn->whole_seen && !whole_before;
    if (first)
        uet_message_take(track, psn);
    uet_message_data(track, NULL, first);
    if (first)
        uet_dir_advance(track, t->pdc, t->forward);
    t->own = psn;
    forget_old(track, t->pdc, t->forward);
    note_syn_over(t->pdc, t);
    if (uet_is_cp(&t->packet))
        note_closing_cp(t, number);
}

static bool same_loose(const void *value, const void *key)
{
    const struct loose_entry *a = value, *b = key;
    return a->key == b->key && a->spdcid == b->spdcid && a->src == b->src && a->pair == b->pair;
}

static uint64_t loose_hash(const struct loose_entry *e)
{
    return uet_mix(uet_mix(e->pair->hash, (uint64_t)e->spdcid << 1 | e->src), e->key);
}

/* Every record is the beginning of an entry, whoever holds it. */
static void free_record(struct uet_track *track, struct uet_track_psn *psn)
{
    struct psn_entry *e = (struct psn_entry *)psn;
    e->next = track->free_psns;
    track->free_psns = e;
}

static void forget_loose(struct uet_track *track)
{
    struct loose_entry *e = track->oldest_loose;
    track->oldest_loose = e->next;
    track->n_loose--;
    uet_map_take(&track->loose, loose_hash(e), same_loose, e);
    if (e->psn)
        free_record(track, e->psn);
    e->next = track->free_loose;
    track->free_loose = e;
}

/* Room for one more, the oldest being forgotten when there are too many. Keeps its psn's record. */
static struct loose_entry *fresh_loose(struct uet_track *track, const struct loose_entry *want)
{
    if (track->config.window && track->n_loose >= track->config.window)
        forget_loose(track);
    struct loose_entry *e = track->free_loose;
    if (e)
        track->free_loose = e->next;
    else
        e = uet_pool_get(&track->pool, sizeof *e);
    *e = *want;
    if (track->newest_loose && track->n_loose)
        track->newest_loose->next = e;
    else
        track->oldest_loose = e;
    track->newest_loose = e;
    track->n_loose++;
    return e;
}

/* The entry under key, made when there is none; its psn is NULL then. */
static struct loose_entry *loose_entry(struct uet_track *track, uint64_t key)
{
    const struct loose_entry want = {
        .pair = track->pair, .src = track->src, .key = key, .spdcid = track->spdcid};
    uint64_t hash = loose_hash(&want);
    struct loose_entry *e = uet_map_find(&track->loose, hash, same_loose, &want);
    if (!e) {
        e = fresh_loose(track, &want);
        uet_map_put(&track->loose, hash, e);
    }
    return e;
}

struct uet_track_psn *uet_loose_new(struct uet_track *track, uint32_t psn)
{
    struct uet_track_psn *made = &fresh_entry(track)->psn;
    fill(track, made, psn);
    return made;
}

struct uet_track_psn **uet_loose_slot(struct uet_track *track, uint64_t key)
{
    return &loose_entry(track, key)->psn;
}

static struct uet_track_psn *loose_psn(struct uet_track *track, struct loose_entry *e, uint32_t psn)
{
    if (e->psn) {
        add_copy(track, e->psn);
        e->psn->pdc = track->t.pdc;
        e->psn->mixed = true; /* headers are those of the first copy only */
    } else {
        e->psn = uet_loose_new(track, psn);
    }
    return e->psn;
}

/* What a CP that takes no PSN says of the direction it travels in. */
static void note_cp(struct uet_track *track)
{
    const uint8_t *h = uet_pds(&track->t.packet);
    struct uet_track_pdc *pdc = track->t.pdc;
    struct uet_track_dir *dir = &pdc->dir[!track->t.forward];
    struct uet_track_psn *asked;
    switch (uet_cp_ctl_type(h)) {
    case UET_CTL_CLEAR_COMMAND:
        note_clear(dir, uet_cp_payload_value(h), &track->t);
        break;
    case UET_CTL_PROBE:
        dir->n_probes++;
        dir->runs_known = false;
        break;
    case UET_CTL_ACK_REQUEST:
        asked = uet_psn_find(track, pdc, track->t.forward, uet_cp_psn(h));
        dir->asked_by = track->t.number;
        if (asked)
            asked->ack_requested = true;
        dir->asked_ahead = !asked;
        dir->asked_psn = uet_cp_psn(h);
        break;
    case UET_CTL_CREDIT_REQUEST:
        dir->wants_credit = true;
        break;
    case UET_CTL_CREDIT:
        pdc->dir[track->t.forward].wants_credit = false;
        uet_credit_grant(track, uet_cp_payload_credit_credit(uet_cp_payload_of(&track->t.packet)));
        break;
    default:
        break;
    }
}

void uet_loose_take(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    uint32_t psn = uet_packet_psn(&t->packet);
    t->own = loose_psn(track, loose_entry(track, psn), psn);
    if (!uet_is_cp(&t->packet))
        return;
    if (uet_cp_ctl_type(uet_pds(&t->packet)) == UET_CTL_PROBE) {
        uint16_t opaque = uet_cp_probe_opaque(uet_pds(&t->packet));
        loose_psn(track, loose_entry(track, uet_probe_key(opaque)), psn);
    }
    if (t->pdc && !t->mismatch)
        note_cp(track);
}

struct uet_track_psn *uet_loose_find(const struct uet_track *track, uint64_t key)
{
    /* The answer goes to whoever sent the loose packet, under the PDCID that it gave. */
    const struct loose_entry want = {
        .pair = track->pair, .src = track->dst, .key = key, .spdcid = track->dpdcid};
    const struct loose_entry *e = uet_map_find(&track->loose, loose_hash(&want), same_loose, &want);
    return e ? e->psn : NULL;
}
