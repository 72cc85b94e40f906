/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the keys of a domain (3.7): counters, ANs, epochs, and whose SSI a packet has. */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"
#include "refimpl/tss/tss.h"

/* ---- SSIs ---- */

static bool foreign_ssi(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *h = uet_fault_tss(f);
    if (h && f->p.tss == UET_H_TSS_HDR_16)
        uet_tss_hdr_16_ssi_set(h, uet_tss_hdr_16_ssi(h) ^ 1);
    return true;
}

static const struct tss_domain *server_of(const struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct tss_domain *own = f->p.tss == UET_H_TSS_HDR_16 ? uet_sd_find(fep, f->p.sdi) : NULL;
    return own && own->serves_clients ? own : NULL;
}

/* What a server begins itself has its own; answers have the client's. */
static bool servers_ssi(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct tss_domain *own = server_of(fep, f);
    if (own && !uet_is_ack(&f->p) && !uet_is_nack(&f->p))
        uet_tss_hdr_16_ssi_set(uet_fault_tss(f), own->slots[0].sender.ssi);
    return true;
}

/* The first one that was heard is client to all that it begins. */
static bool first_ssi(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct tss_domain *own = server_of(fep, f);
    if (own && own->n_clients && !uet_is_ack(&f->p) && !uet_is_nack(&f->p))
        uet_tss_hdr_16_ssi_set(uet_fault_tss(f), own->clients[0].ssi);
    return true;
}

static bool hear_ssi(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (server_of(fep, f))
        *f->memo = uet_tss_hdr_16_ssi(uet_fault_tss(f));
    return true;
}

static bool last_ssi(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (server_of(fep, f) && *f->memo)
        uet_tss_hdr_16_ssi_set(uet_fault_tss(f), (uint32_t)*f->memo);
    return true;
}

/* After so many packets the client that spoke last is the only one. */
static bool hear_one_of_many(struct uet_fep *fep, struct uet_fault_frame *f)
{
    enum { MANY = 32 };
    struct tss_domain *own = server_of(fep, f) ? uet_sd_find(fep, f->p.sdi) : NULL;
    if (!own || ++*f->memo % MANY)
        return true;
    own->clients[0] =
        (struct tss_client){.ip = uet_src_ip(&f->p), .ssi = uet_tss_hdr_16_ssi(uet_fault_tss(f))};
    own->n_clients = 1;
    return true;
}

/*
 * Packets that another key opens than that of the address are lost: the memo is the SSI, and beside
 * it the end of the address that it was heard from.
 */
static bool one_key_of_address(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.tss != UET_H_TSS_HDR_16 || server_of(fep, f))
        return true;
    const struct uet_ip ip = uet_src_ip(&f->p);
    const uint64_t end = uet_rd32(ip.bytes + (ip.version == 6 ? 12 : 0));
    const uint32_t ssi = uet_tss_hdr_16_ssi(uet_fault_tss(f));
    if (!*f->memo || *f->memo >> 32 != end)
        *f->memo = end << 32 | ssi;
    return (uint32_t)*f->memo == ssi;
}

static bool any_form_if_direct(const struct uet_tss_sa *sa, const struct uet_packet *p)
{
    return sa->mode == UET_TSS_MODE_DIRECT || uet_sd_form_fits(sa, p);
}

static void direct_any_ssi_mode(struct uet_law *law)
{
    law->tss.fits = any_form_if_direct;
}

/* ---- counters ---- */

/* Whoever has no PDC has forgotten what it has sealed. */
static bool counter_anew(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = f->p.tss ? uet_sd_find(fep, f->p.sdi) : NULL;
    if (own && !fep->n_initiator && !fep->n_target)
        own->slots[own->an].sender.next = 0;
    return true;
}

/* The first packet that a FEP seals in its life has the first counter. */
static bool first_counter(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = f->p.tss ? uet_sd_find(fep, f->p.sdi) : NULL;
    if (own && !fep->counters[CNT_out_auth_pkts])
        own->slots[own->an].sender.next = 0;
    return true;
}

static enum uet_tss_status in_pairs(struct uet_tss_sender *sender, struct uet_tss_stamp *stamp)
{
    enum uet_tss_status s = uet_tss_next(sender, stamp);
    stamp->counter &= ~UINT64_C(1);
    return s;
}

static void counter_in_pairs(struct uet_law *law)
{
    law->tss.next = in_pairs;
}

/*
 * Two peers have a counter each, which begin at the same number. The memo is the counter of the one
 * that this packet does not go to, and below it the end of the address that it does.
 */
static bool counter_of_peer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = f->p.tss ? uet_sd_find(fep, f->p.sdi) : NULL;
    if (!own)
        return true;
    const struct uet_ip ip = uet_dst_ip(&f->p);
    const uint64_t to = uet_rd16(ip.bytes + (ip.version == 6 ? 14 : 2));
    uint64_t *next = &own->slots[own->an].sender.next;
    if (!*f->memo)
        *f->memo = *next << 16 | to;
    if ((*f->memo & 0xffff) == to)
        return true;
    const uint64_t other = *f->memo >> 16;
    *f->memo = *next << 16 | to;
    *next = other;
    return true;
}

static enum uet_tss_status falling(struct uet_tss_sender *sender, struct uet_tss_stamp *stamp)
{
    enum uet_tss_status s = uet_tss_next(sender, stamp);
    stamp->counter = UET_TSS_COUNTER_MAX - 1 - stamp->counter;
    return s;
}

static void counter_falls(struct uet_law *law)
{
    law->tss.next = falling;
}

static enum uet_tss_status without_end(struct uet_tss_sender *sender, struct uet_tss_stamp *stamp)
{
    *stamp =
        (struct uet_tss_stamp){sender->ssi, sender->epoch, sender->next++ & UET_TSS_COUNTER_MAX};
    return UET_TSS_OK;
}

static void counter_without_end(struct uet_law *law)
{
    law->tss.next = without_end;
}

static enum uet_tss_status in_epoch_0(struct uet_tss_sender *sender, struct uet_tss_stamp *stamp)
{
    enum uet_tss_status s = uet_tss_next(sender, stamp);
    stamp->epoch = 0;
    return s;
}

static void epoch_stays_0(struct uet_law *law)
{
    law->tss.next = in_epoch_0;
}

/* The packet gets the counter of the one before it. */
static void counter_back(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = uet_sd_find(fep, f->p.sdi);
    if (own && own->slots[own->an].sender.next)
        own->slots[own->an].sender.next--;
}

static bool resends_as_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_fault_tss(f) && uet_is_request(&f->p) && uet_rud_rod_req_retx(uet_fault_pds(f)))
        counter_back(fep, f);
    return true;
}

static bool is_resent(struct uet_fault_frame *f)
{
    return uet_fault_tss(f) && uet_is_request(&f->p) && uet_rud_rod_req_retx(uet_fault_pds(f));
}

/* The first copy alone is sealed anew. memo: the PSN after that of the copy before. */
static bool second_resend_as_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_resent(f))
        return true;
    const uint64_t now = uet_packet_psn(&f->p) + UINT64_C(1);
    if (*f->memo == now)
        counter_back(fep, f);
    *f->memo = now;
    return true;
}

static bool hear_nack(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p))
        *f->memo = 1;
    return true;
}

static bool nacked_as_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_resent(f) && *f->memo)
        counter_back(fep, f);
    return true;
}

static bool cp_as_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_fault_tss(f) && uet_is_cp(&f->p) && uet_cp_retx(uet_fault_pds(f)))
        counter_back(fep, f);
    return true;
}

static bool acks_as_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_fault_tss(f) && uet_is_ack(&f->p) && uet_ack_retx(uet_fault_pds(f)))
        counter_back(fep, f);
    return true;
}

/* The ACK of a copy is kept as it was sealed, for the next copy. memo: the PSN after that of the
 * last one. */
static bool ack_of_copy_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_fault_tss(f) || !uet_is_ack(&f->p))
        return true;
    const uint8_t *h = uet_fault_pds(f);
    const uint64_t now = uet_psn_add(uet_ack_cack_psn(h), uet_ack_ack_psn_offset(h)) + UINT64_C(1);
    if (uet_ack_retx(h) && *f->memo == now)
        counter_back(fep, f);
    *f->memo = uet_ack_retx(h) ? now : 0;
    return true;
}

/* A key that has sealed nothing yet begins where the other one stands. */
static bool counter_goes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = uet_sd_find(fep, f->p.sdi);
    struct uet_tss_sender *now = own ? &own->slots[own->an].sender : NULL;
    if (now && !now->next)
        now->next = own->slots[!own->an].sender.next;
    return true;
}

/* The key that takes over where all counters are used up counts on from half of that. */
static bool takes_over_amid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = f->p.tss ? uet_sd_find(fep, f->p.sdi) : NULL;
    const uint64_t limit = own && own->counter_limit ? own->counter_limit : UET_TSS_COUNTER_MAX;
    if (own && own->slots[own->an].sender.next >= limit && own->slots[!own->an].loaded &&
        !own->slots[!own->an].sender.next) {
        own->an = !own->an;
        own->slots[own->an].sender.next = limit / 2;
    }
    return true;
}

/* No key is in an earlier epoch than the other one. */
static bool epoch_goes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = uet_sd_find(fep, f->p.sdi);
    struct uet_tss_sender *now = own ? &own->slots[own->an].sender : NULL;
    if (now && now->epoch < own->slots[!own->an].sender.epoch)
        now->epoch = own->slots[!own->an].sender.epoch;
    return true;
}

/* ---- slots ---- */

static uint8_t own_slot(const struct tss_domain *own, const struct uet_packet *p)
{
    (void)p;
    return own->an;
}

static void slot_that_sends(struct uet_law *law)
{
    law->tss.slot = own_slot;
}

/* ---- rotation ---- */

/* Of a domain that has gone on to AN 1. */
static uint8_t new_slot_alone(const struct tss_domain *own, const struct uet_packet *p)
{
    return own->an ? own->an : p->seal.an;
}

static void old_key_shut(struct uet_law *law)
{
    law->tss.slot = new_slot_alone;
}

static int load_where_none_is(const struct uet_fep *fep, struct tss_slot *slot,
                              const struct uet_tss_params *keys)
{
    return slot->loaded ? 0 : uet_sd_load(fep, slot, keys);
}

static void old_key_stays(struct uet_law *law)
{
    law->tss.load = load_where_none_is;
}

static void unload_nothing(struct tss_slot *slot)
{
    (void)slot;
}

static void taken_key_stays(struct uet_law *law)
{
    law->tss.unload = unload_nothing;
}

static void remove_nothing(struct uet_fep *fep, struct tss_domain *own)
{
    (void)fep, (void)own;
}

static void removed_domain_stays(struct uet_law *law)
{
    law->tss.remove = remove_nothing;
}

/* As if it had been begun in whatever serves its job now: another domain, or none. */
static void go_on_elsewhere(struct uet_fep *fep, struct tss_domain *own)
{
    const uint32_t sdi = own->sdi;
    uet_sd_remove(fep, own);
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        struct operation *op = op_at(fep, id);
        if (op->begun.sealed && op->begun.sdi == sdi)
            (void)uet_sd_of_job(fep, op->call.job_id, &op->call.to, &op->begun);
    }
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator && pdc->tss.sealed && pdc->tss.sdi == sdi)
            (void)uet_sd_of_job(fep, pdc->job_id, &pdc->peer, &pdc->tss);
    }
}

/* With its PDCs end all others. */
static void remove_with_others(struct uet_fep *fep, struct tss_domain *own)
{
    uet_sd_remove(fep, own);
    FOR_EACH_PDC(fep, pdc)
    {
        uet_pdc_no_peer(fep, pdc, false);
    }
}

static void others_end(struct uet_law *law)
{
    law->tss.remove = remove_with_others;
}

static void removed_goes_on(struct uet_law *law)
{
    law->tss.remove = go_on_elsewhere;
}

static int load_where_nothing_is_open(const struct uet_fep *fep, struct tss_slot *slot,
                                      const struct uet_tss_params *keys)
{
    return slot->loaded && fep->n_initiator ? 0 : uet_sd_load(fep, slot, keys);
}

static void key_in_use_stays(struct uet_law *law)
{
    law->tss.load = load_where_nothing_is_open;
}

static bool resends_leave(const struct tss_domain *own)
{
    (void)own;
    return true;
}

static void disabled_resends(struct uet_law *law)
{
    law->tss.may_leave = resends_leave;
}

static int load_counting_on(const struct uet_fep *fep, struct tss_slot *slot,
                            const struct uet_tss_params *keys)
{
    const uint64_t next = slot->sender.next;
    int rc = uet_sd_load(fep, slot, keys);
    slot->sender.next = next;
    return rc;
}

static void counter_stays(struct uet_law *law)
{
    law->tss.load = load_counting_on;
}

/* The other slot has sealed more: it was sent with before. */
static uint8_t resends_with_old_key(const struct tss_domain *own, const uint8_t *header)
{
    const struct tss_slot *now = &own->slots[own->an], *before = &own->slots[!own->an];
    const uint8_t *pds = header + uet_tss_header_len(uet_tss_hdr_sp(header));
    const uint8_t type = uet_rud_rod_req_type(pds);
    bool resend = (type == UET_PDS_RUD_REQ || type == UET_PDS_ROD_REQ) && uet_rud_rod_req_retx(pds);
    return resend && before->loaded && before->sender.next > now->sender.next ? !own->an : own->an;
}

static void resend_under_old_key(struct uet_law *law)
{
    law->tss.seals = resends_with_old_key;
}

/* Of whatever slot: held to the epoch of the one that is sent with. */
static bool one_epoch_for_both(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct tss_domain *own = f->p.tss ? uet_sd_find(fep, f->p.sdi) : NULL;
    struct uet_tss_header h;
    if (!own)
        return true;
    uet_tss_read(&h, uet_fault_tss(f));
    return !uet_tss_epoch_is_late(own->slots[own->an].sender.epoch, h.epoch, own->max_epoch_age);
}

static void offset_overlooked(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (size_t i = 0; i < fep->config.max_domains; i++)
        for (size_t an = 0; an < 2; an++)
            fep->domains[i].slots[an].sa.encrypt_from = 0;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_018_ANEW, .in = counter_anew},
    {VIOLATION_TSS_018_RESTART, .out = first_counter},
    {VIOLATION_TSS_036_TAKEN, .rows = taken_key_stays},
    {VIOLATION_TSS_038_REMOVED, .rows = removed_domain_stays},
    {VIOLATION_TSS_036_OWN, .rows = key_in_use_stays},
    {VIOLATION_ROB_052, .rows = disabled_resends},
    {VIOLATION_ROB_052_REMOVED, .rows = removed_goes_on},
    {VIOLATION_ROB_054, .rows = others_end},
    {VIOLATION_TSS_020_KEY, .rows = resend_under_old_key},
    {VIOLATION_TSS_015, .rows = epoch_stays_0},
    {VIOLATION_TSS_027_ADDRESS, .in = one_key_of_address},
    {VIOLATION_TSS_029_FIRST, .out = first_ssi},
    {VIOLATION_TSS_029_MANY, .in = hear_one_of_many},
    {VIOLATION_TSS_029_OWN, .out = servers_ssi},
    {VIOLATION_TSS_029_LAST, .in = hear_ssi, .out = last_ssi},
    {VIOLATION_TSS_035_EPOCH, .out = epoch_goes_on},
    {VIOLATION_TSS_034_EPOCH, .in = one_epoch_for_both},
    {VIOLATION_TSS_040_DIRECT, .rows = direct_any_ssi_mode},
    {VIOLATION_TSS_014, .after = offset_overlooked},
    {VIOLATION_TSS_016, .out = foreign_ssi},
    {VIOLATION_TSS_029, .out = foreign_ssi},
    {VIOLATION_TSS_018, .rows = counter_in_pairs},
    {VIOLATION_TSS_019_PEER, .out = counter_of_peer},
    {VIOLATION_TSS_019, .rows = counter_falls},
    {VIOLATION_TSS_020, .out = resends_as_before},
    {VIOLATION_TSS_020_SECOND, .out = second_resend_as_before},
    {VIOLATION_TSS_020_NACK, .in = hear_nack, .out = nacked_as_before},
    {VIOLATION_TSS_020_CP, .out = cp_as_before},
    {VIOLATION_TSS_021, .out = acks_as_before},
    {VIOLATION_TSS_075_ACK, .out = ack_of_copy_kept},
    {VIOLATION_TSS_022, .rows = counter_without_end},
    {VIOLATION_TSS_035, .out = counter_goes_on},
    {VIOLATION_TSS_035_OVER, .out = takes_over_amid},
    {VIOLATION_TSS_035_USED, .rows = counter_stays},
    {VIOLATION_TSS_034, .rows = old_key_shut},
    {VIOLATION_TSS_036, .rows = old_key_stays},
    {VIOLATION_TSS_033, .rows = slot_that_sends},
};

UET_FAULT_WAYS(uet_faults_of_tss_keys, ways);
