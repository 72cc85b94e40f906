/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/state/state.h"

#include "dissector/prefs.h"
#include "dissector/state/message.h"

#define NS        UINT64_C(1000000000)
#define PAGE      1024u
#define TOGETHER  64u
#define FEW_CACKS 4

static struct uet_track *track;
static uint32_t counted; /* frames that the tracker knows of */
static uint32_t newest;  /* frame that has a state */
/* The states by frame, in pages of PAGE frames; NULL where none has one. */
static struct uetx_state ***pages;
static uint32_t n_pages;
static struct uetx_state *rooms; /* the newest TOGETHER of them */
static uint32_t n_made;
static wmem_array_t *pdcs; /* struct uetx_pdc *, by stream */

static void *file_alloc(void *ctx, size_t bytes)
{
    (void)ctx;
    return wmem_alloc0(wmem_file_scope(), bytes);
}

static void file_free(void *ctx, void *block)
{
    (void)ctx;
    wmem_free(wmem_file_scope(), block);
}

const struct uet_track_allocator uetx_file_allocator = {.alloc = file_alloc, .free = file_free};

static uint8_t vantage(void)
{
    return uetx_prefs.rules <= UETX_RULES_MIDDLE ? UET_VANTAGE_MIDDLE
                                                 : (uint8_t)(uetx_prefs.rules - UETX_RULES_MIDDLE);
}

/* At the first UET packet of a capture. */
static void start(void)
{
    const struct uet_track_config config = {.vantage = vantage(),
                                            .protect = UET_PROTECT_NONE, /* crc.c knows better */
                                            .hash_seed = g_random_int(),
                                            .allocator = uetx_file_allocator};
    track = uet_track_new(&config);
    pages = NULL;
    n_pages = 0;
    n_made = 0;
    pdcs = wmem_array_new(wmem_file_scope(), sizeof(struct uetx_pdc *));
    counted = newest = 0;
    uetx_twice_start();
    uetx_judge_start();
}

/* A capture is opened or closed: what hung on the old one is gone with its memory. */
static void forget(void)
{
    track = NULL;
    pages = NULL;
    n_pages = 0;
    pdcs = NULL;
}

static struct uetx_pdc *pdc_of(const struct uet_track_pdc *t)
{
    if (!t)
        return NULL;
    while (wmem_array_get_count(pdcs) <= t->stream) {
        struct uetx_pdc *made = wmem_new0(wmem_file_scope(), struct uetx_pdc);
        wmem_array_append_one(pdcs, made);
    }
    struct uetx_pdc *pdc = *(struct uetx_pdc **)wmem_array_index(pdcs, t->stream);
    pdc->track = t;
    return pdc;
}

/* A NACK after which the same packet is sent on the same PDC, as for a trimmed one (Table 3-58). */
static bool asks_again(const struct uet_packet *p)
{
    return uet_is_nack(p) &&
           uet_nack_table[uet_nack_nack_code(uet_pds(p))].action == UET_ACTION_RETX;
}

/* Which of the PDC's events came with this packet. */
static void note_events(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_track_pdc *pdc = t->pdc;
    uint8_t now =
        (uint8_t)((pdc->established ? UETX_EVENT_ESTABLISHED : 0) |
                  (pdc->closing ? UETX_EVENT_CLOSING : 0) | (pdc->closed ? UETX_EVENT_CLOSED : 0) |
                  (pdc->refused ? UETX_EVENT_REFUSED : 0) | (pdc->failed ? UETX_EVENT_FAILED : 0));
    if (!pdc->opened_in_sight && pdc->first_frame == s->frame)
        s->pdc->events = UETX_EVENT_ESTABLISHED; /* before the capture began */
    if (s->pdc->events & UETX_EVENT_CLOSED)
        s->events = UETX_EVENT_AFTER;
    if (asks_again(&t->packet))
        s->pdc->events |= now & UETX_EVENT_REFUSED; /* the SYN is lost, not refused */
    s->events |= (uint8_t)(now & ~s->pdc->events);
    if (t->opens)
        s->events |= UETX_EVENT_OPENS;
    if (s->events & UETX_EVENT_CLOSED)
        s->pdc->closed_in = s->frame;
    if (s->events & (UETX_EVENT_REFUSED | UETX_EVENT_FAILED))
        s->pdc->failed_in = s->frame;
    s->pdc->events |= now;
}

/* Start_PSN, which is that of both directions (3.5.8.2); else the first PSN seen. */
static void note_base(struct uetx_pdc *pdc)
{
    for (int i = 0; i < 2; i++) {
        const struct uet_track_dir *dir = &pdc->track->dir[i];
        if (pdc->base_known[i] || (!pdc->track->start_known && !dir->psn_known))
            continue;
        pdc->base_known[i] = true;
        pdc->base[i] = pdc->track->start_known ? pdc->track->start_psn : dir->first_psn;
    }
}

/* Was it sent before? */
static void note_again(struct uetx_state *s, const struct uet_tracked *t, bool retx)
{
    s->own = t->own;
    s->duplicate = t->duplicate && !retx;
    s->retransmission = retx;
    s->resent = t->resent & 0xfu;
    s->unseen = retx && !t->duplicate;
    s->previous_frame = t->previous_frame;
    s->acked_before = t->duplicate && t->acknowledged_before;
}

static void note_own(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    if (uet_is_rudi(p)) {
        s->psn = uet_pkt_id(p); /* names the exchange */
        note_again(s, t, uet_rudi_retx(uet_pds(p)));
        return;
    }
    if (uet_is_uud(p)) /* nobody answers it, nothing tells it from another (3.5.7.4) */
        return;
    s->psn = uet_packet_psn(p);
    uint8_t ctl = uet_is_cp(p) ? uet_cp_ctl_type(uet_pds(p)) : UET_CTL_NOOP;
    s->psn_known = ctl != UET_CTL_CREDIT && ctl != UET_CTL_CREDIT_REQUEST; /* it is 0 (PDS-195) */
    if (t->loose)
        return;
    note_again(s, t, uet_rud_rod_req_retx(uet_pds(p)));
    int32_t ahead = uet_psn_diff(s->psn, t->was.highest_psn);
    if (!t->was.psn_known && t->opens && t->pdc)
        s->gap = s->psn - t->pdc->start_psn;
    else if (t->was.psn_known && ahead > 1)
        s->gap = (uint32_t)ahead - 1;
    else if (t->was.psn_known && ahead < 0 && !t->duplicate)
        s->out_of_order = (uint32_t)-ahead;
    if (t->was.cack_known && uet_psn_diff(s->psn, t->was.cack_psn) > 0) {
        s->in_flight_known = true;
        s->in_flight = s->psn - t->was.cack_psn;
    }
    if (t->was.mpr_known)
        s->window = (uint16_t)(t->was.mpr * 128u); /* MP_Range (3.5.10.6) */
}

/* Of the direction in which it goes, or which it answers; of a plain PDC alone. */
static void note_flight(struct uetx_state *s, const struct uet_tracked *t)
{
    bool answer = uet_is_ack(&t->packet) || uet_is_nack(&t->packet);
    if (!t->pdc || t->mismatch || t->loose || !(answer || uet_is_request(&t->packet)))
        return;
    const struct uet_track_flight *f = &t->pdc->dir[t->forward == answer].flight;
    uint64_t gone = f->passed > f->told ? f->passed : f->told;
    s->flight_known = f->sent > 0;
    s->flight = f->sent > gone ? (uint32_t)(f->sent - gone) : 0;
}

static uint64_t time_of(uint32_t frame, uint64_t otherwise)
{
    const struct uetx_state *s = frame ? uetx_state_at(frame) : NULL;
    return s ? s->time_ns : otherwise;
}

static void note_answer(struct uetx_state *s, const struct uet_tracked *t)
{
    s->request_frame = t->request_frame;
    s->psn = uet_packet_psn(&t->packet);
    const struct uet_packet *p = &t->packet;
    s->psn_known =
        (uet_is_ack(p) && !uet_ack_p(uet_pds(p))) || (uet_is_nack(p) && !uet_is_nack_rudi(p));
    if (t->request_headers)
        s->request_type = uet_pds_prologue_type(t->request_headers);
    if (t->request) {
        uint64_t sent = t->request->n_copies == 1 ? t->request_time_ns
                                                  : time_of(t->request_frame, t->request_time_ns);
        s->time_to_ack_ns = (int64_t)(s->time_ns - sent);
        s->answers_once = t->request->n_copies == 1 && uet_is_ack(p) && !uet_ack_p(uet_pds(p)) &&
                          !uet_ack_retx(uet_pds(p));
    }
}

static void note_cack(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_track_dir *dir = &t->pdc->dir[t->forward]; /* the one it acknowledges */
    uint32_t cack = uet_ack_cack_psn(uet_pds(&t->packet));
    if (t->was.cack_known && uet_psn_diff(cack, t->was.cack_psn) < 0)
        s->stale_cack = t->was.cack_psn - cack;
    if (!dir->cack_known || dir->cack_psn != cack || (t->was.cack_known && t->was.cack_psn == cack))
        return; /* nothing new, or not to be believed */
    const struct uetx_cack advance = {cack, s->frame};
    wmem_array_t **cacks = &s->pdc->cacks[t->forward];
    if (!*cacks)
        *cacks = wmem_array_sized_new(wmem_file_scope(), sizeof advance, FEW_CACKS);
    wmem_array_append(*cacks, &advance, 1);
}

static void link_copies(struct uetx_state *s)
{
    struct uetx_state *before = s->previous_frame ? uetx_state_at(s->previous_frame) : NULL;
    if (!before)
        return;
    before->next_frame = s->frame;
    s->data_before = before->whole || before->data_before;
}

static void fill(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    if (t->pdc) {
        s->pdc = pdc_of(t->pdc);
        note_events(s, t);
        note_base(s->pdc);
    }
    s->forward = t->forward;
    s->sure = t->from_initiator_known;
    s->mismatch = t->mismatch;
    if (uet_is_ack(p) || uet_is_nack(p) || p->pds == UET_H_RUDI_RESP)
        note_answer(s, t);
    else if (p->pds)
        note_own(s, t);
    if (uet_is_ack(p) && t->pdc && !t->mismatch)
        note_cack(s, t);
    note_flight(s, t);
    link_copies(s);
    uetx_message_note(s, t);
}

/*
 * What is tracked of a packet: what was read of it, with the values of the layers below. False when
 * the addresses are not those of IP. The tracker knows no drafts.
 */
static bool as_packet(const struct uetx_pdu *u, struct uet_packet *p)
{
    *p = (struct uet_packet){.frame = u->p.frame, .len = u->p.len};
    if (!uetx_below_values(u, p))
        return false;
    if (uetx_prefs.crc == UETX_CRC_AUTO && u->captured < u->p.len && !u->tss)
        p->crc_state = UET_CRC_UNCHECKED; /* a trailer may or may not be there */
    uet_parse_transport(p, 0, u->end, u->captured, NULL);
    if (u->below.damaged)
        p->error = UET_PARSE_IP_CHECKSUM; /* no FEP takes it */
    if (u->tss) {
        uet_packet_take_tss(p, (enum uet_header_id)u->tss_header, u->tss);
        p->seal.mark = u->seal.mark;
        p->seal.key = u->seal.key;
        p->seal.mode = u->seal.mode;
    }
    p->seal.refused = u->refused;
    return true;
}

/* Through the tracker, and before the rules. */
static void add(struct uetx_state *s, const struct uetx_pdu *u)
{
    struct uet_packet p;
    if (!as_packet(u, &p))
        return;
    uet_track_skip(track, s->frame - counted - 1); /* its numbers are those of the frames */
    const struct uet_tracked *t = uet_track_add_packet(track, &p, s->time_ns);
    counted = s->frame;
    fill(s, t);
    uetx_judge(s, t);
}

/* The same frame again: it belongs where its first copy does. */
static void copy_from(struct uetx_state *s, const struct uetx_state *first)
{
    if (!first)
        return;
    s->pdc = first->pdc;
    s->forward = first->forward;
    s->sure = first->sure;
    s->psn = first->psn;
    s->psn_known = first->psn_known;
}

/* Where in its frame the packet stands; decrypted bytes have a place of their own. */
static uint32_t place_of(const struct uetx_pdu *u)
{
    return u->below.l4 >= 0 ? (uint32_t)u->below.l4 : (uint32_t)tvb_raw_offset(u->tvb);
}

static uint64_t now_of(const packet_info *pinfo)
{
    return (uint64_t)pinfo->abs_ts.secs * NS + (uint64_t)pinfo->abs_ts.nsecs;
}

/* Frame numbers come in order, most of them in a capture of UET. */
static void keep(struct uetx_state *s)
{
    uint32_t page = s->frame / PAGE;
    if (page >= n_pages) {
        uint32_t n = page + page / 2 + 16;
        pages = wmem_realloc(wmem_file_scope(), pages, n * sizeof *pages);
        memset(pages + n_pages, 0, (n - n_pages) * sizeof *pages);
        n_pages = n;
    }
    if (!pages[page])
        pages[page] = wmem_alloc0_array(wmem_file_scope(), struct uetx_state *, PAGE);
    pages[page][s->frame % PAGE] = s;
}

struct uetx_state *uetx_state_at(uint32_t frame)
{
    uint32_t page = frame / PAGE;
    return page < n_pages && pages[page] ? pages[page][frame % PAGE] : NULL;
}

uint32_t uetx_pdc_count(void)
{
    return pdcs ? wmem_array_get_count(pdcs) : 0;
}

const struct uet_track_pdc *uetx_pdc_of_stream(uint32_t stream)
{
    if (stream >= uetx_pdc_count())
        return NULL;
    return (*(struct uetx_pdc **)wmem_array_index(pdcs, stream))->track;
}

/* States are made by many: one by one, the allocator's own bytes would come to each. */
static struct uetx_state *room(void)
{
    if (n_made % TOGETHER == 0)
        rooms = wmem_alloc0_array(wmem_file_scope(), struct uetx_state, TOGETHER);
    return &rooms[n_made++ % TOGETHER];
}

static struct uetx_state *make(const struct uetx_pdu *u)
{
    struct uetx_state *s = room();
    s->frame = newest = u->pinfo->num;
    s->place = place_of(u);
    s->time_ns = now_of(u->pinfo);
    s->whole = !u->trimmed && u->partial == UET_H_NONE && u->captured >= u->end;
    s->twice_of = uetx_twice(u, s->time_ns);
    if (s->twice_of)
        copy_from(s, uetx_state_at(s->twice_of));
    else
        add(s, u);
    keep(s);
    return s;
}

/*
 * State wants packets in order and each once: frames of the first pass, the first UET packet of
 * each (a tunnel may hold two), not what an ICMP error quotes.
 */
static struct uetx_state *state_of(const struct uetx_pdu *u, bool counts)
{
    const packet_info *pinfo = u->pinfo;
    if (!uetx_prefs.track || pinfo->flags.in_error_pkt)
        return NULL;
    if (PINFO_FD_VISITED(pinfo)) {
        struct uetx_state *s = uetx_state_at(pinfo->num);
        return s && s->place == place_of(u) ? s : NULL;
    }
    if (!counts)
        return NULL;
    if (!track)
        start();
    return pinfo->num > newest ? make(u) : NULL;
}

struct uetx_state *uetx_state_of(const struct uetx_pdu *u)
{
    bool dropped = u->p.crc_state == UET_CRC_BAD || uetx_crc_suspect(u); /* by a receiver */
    return state_of(u, u->p.pds != UET_H_NONE && !dropped);
}

struct uetx_state *uetx_state_of_sealed(const struct uetx_pdu *u)
{
    return state_of(u, true);
}

uint32_t uetx_acked_in(const struct uetx_state *s)
{
    uint32_t named = s->own ? s->own->acked_by : 0;
    const wmem_array_t *cacks = s->pdc ? s->pdc->cacks[!s->forward] : NULL;
    if (!s->own || !cacks)
        return named;
    guint low = 0, high = wmem_array_get_count((wmem_array_t *)cacks);
    guint n = high;
    while (low < high) { /* the first advance that covers the PSN */
        guint mid = low + (high - low) / 2;
        const struct uetx_cack *c = wmem_array_index((wmem_array_t *)cacks, mid);
        if (uet_psn_diff(c->cack, s->psn) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == n)
        return named;
    const struct uetx_cack *c = wmem_array_index((wmem_array_t *)cacks, low);
    return named && named < c->frame ? named : c->frame;
}

bool uetx_relative(const struct uetx_state *s, uint32_t psn, bool forward, int32_t *relative)
{
    if (!s->pdc || !s->pdc->base_known[!forward])
        return false;
    *relative = uet_psn_diff(psn, s->pdc->base[!forward]);
    return true;
}

void uetx_state_register(void)
{
    register_init_routine(forget);
    register_cleanup_routine(forget);
}
