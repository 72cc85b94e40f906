/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of transport security (3.7). */
#include "refimpl/tss/tss.h"
#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "wire/inet.h"

/* ---- what leaves: frames in clear, sealed after this ---- */

static bool reserved_bit(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_fault_tss(f))
        uet_tss_hdr_rsvd_set(uet_fault_tss(f), 1);
    return true;
}

/* As the packet had it that was opened last. */
static bool reserved_bit_as_it_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_fault_tss(f) && uet_tss_hdr_rsvd(fep->opened + f->p.tss_offset))
        uet_tss_hdr_rsvd_set(uet_fault_tss(f), 1);
    return true;
}

/* IP and UDP are longer or shorter by so much. */
static void lengths(struct uet_fault_frame *f, int more)
{
    uint8_t *ip = f->bytes + f->p.ip_offset, *udp = f->bytes + f->p.udp_offset;
    if (f->p.ip_version == 4)
        uet_ipv4_total_length_set(ip, (uint16_t)(uet_ipv4_total_length(ip) + more));
    else
        uet_ipv6_payload_length_set(ip, (uint16_t)(uet_ipv6_payload_length(ip) + more));
    if (f->p.udp_offset)
        uet_udp_length_set(udp, (uint16_t)(uet_udp_length(udp) + more));
}

/* A trailer stands before the ICV. */
static bool crc_too(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_fault_tss(f) || f->len + UET_CRC_TRAILER_BYTES > UET_FRAME_MAX)
        return true;
    size_t from = f->p.ip_offset + uet_crc_from(f->p.ip_version), icv = f->p.icv_offset;
    uet_crc_store(f->bytes + icv, uet_crc32c(0, f->bytes + from, icv - from), UET_CRC_BIG_ENDIAN);
    memset(f->bytes + icv + UET_CRC_TRAILER_BYTES, 0, UET_TSS_TRAILER_BYTES);
    f->len += UET_CRC_TRAILER_BYTES;
    lengths(f, UET_CRC_TRAILER_BYTES);
    return true;
}

/* TSS header and ICV are taken out. */
static bool in_clear(struct uet_fault_frame *f)
{
    size_t header = uet_header_bytes[f->p.tss], at = f->p.tss_offset;
    memmove(f->bytes + at, f->bytes + at + header, f->p.icv_offset - at - header);
    f->len = f->p.icv_offset - header;
    lengths(f, -(int)(header + UET_TSS_TRAILER_BYTES));
    return true;
}

static bool any_clear_may_go(const struct uet_fep *fep)
{
    (void)fep;
    return true;
}

static void clear_may_go(struct uet_law *law)
{
    law->tss.clear_may_go = any_clear_may_go;
}

static bool acks_in_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_fault_tss(f) || !uet_is_ack(&f->p) || in_clear(f);
}

static bool start_nacks_in_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_fault_tss(f) || !uet_is_nack(&f->p) ||
           uet_nack_nack_code(uet_fault_pds(f)) != UET_NACK_NEW_START_PSN || in_clear(f);
}

/* ---- what comes ---- */

static bool congested_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && uet_ecn(&f->p) == UET_ECN_CE);
}

static enum uet_tss_status without_icv(struct uet_tss_sa *sa, const uint8_t *frame,
                                       const struct uet_tss_place *at, uint8_t *plain)
{
    size_t got;
    enum uet_tss_status s = uet_tss_open_at(sa, frame, at, plain);
    if (s != UET_TSS_BAD_ICV)
        return s;
    size_t room = at->end - (size_t)UET_TSS_TRAILER_BYTES - at->tss_offset;
    size_t header = uet_tss_header_len(uet_tss_hdr_sp(frame + at->tss_offset));
    return uet_tss_peek(sa, frame, at, plain, room - header, &got);
}

static void any_icv(struct uet_law *law)
{
    law->tss.open = without_icv;
}

static enum uet_tss_status without_reserved(struct uet_tss_sa *sa, const uint8_t *frame,
                                            const struct uet_tss_place *at, uint8_t *plain)
{
    uint8_t copy[UET_FRAME_MAX];
    memcpy(copy, frame, at->end);
    uet_tss_hdr_rsvd_set(copy + at->tss_offset, 0);
    return uet_tss_open_at(sa, copy, at, plain);
}

static void reserved_not_authenticated(struct uet_law *law)
{
    law->tss.open = without_reserved;
}

/* (counter >> shift) & mask is the rule's with a mask that stands so much higher. */
static enum uet_tss_status shifted_first(struct uet_tss_sa *sa, const uint8_t *frame,
                                         const struct uet_tss_place *at, uint8_t *plain)
{
    const uint64_t mask = sa->rekey_mask;
    sa->rekey_mask = mask << sa->rekey_shift & UET_TSS_COUNTER_MAX;
    enum uet_tss_status s = uet_tss_open_at(sa, frame, at, plain);
    sa->rekey_mask = mask;
    return s;
}

static void rekey_shifted_first(struct uet_law *law)
{
    law->tss.open = shifted_first;
}

/* Nothing opens below the highest rekey value that a sender has had. */
static enum uet_tss_status forwards_alone(struct uet_tss_sa *sa, const uint8_t *frame,
                                          const struct uet_tss_place *at, uint8_t *plain)
{
    struct uet_tss_header h;
    struct uet_tss_purpose p;
    uet_tss_read(&h, frame + at->tss_offset);
    uet_tss_purpose_of(&p, &h, uet_tss_rekey(h.counter, sa->rekey_mask, sa->rekey_shift), false,
                       frame, at, &sa->readings);
    for (uint8_t i = 0; i < sa->n_keys; i++) {
        struct uet_tss_purpose had = sa->keys[i].purpose;
        bool later = had.when >> 32 > p.when >> 32;
        had.when = p.when >> 32 << 32 | (uint32_t)had.when; /* but for the rekey value */
        if (later && uet_tss_same_purpose(&had, &p))
            return UET_TSS_BAD_ICV;
    }
    return uet_tss_open_at(sa, frame, at, plain);
}

static void rekey_forwards_alone(struct uet_law *law)
{
    law->tss.open = forwards_alone;
}

static bool never_late(uint16_t current, uint16_t packet, uint16_t lifetime)
{
    (void)current, (void)packet, (void)lifetime;
    return false;
}

static void epochs_overlooked(struct uet_law *law)
{
    law->tss.is_late = never_late;
}

static bool other_epoch(uint16_t current, uint16_t packet, uint16_t lifetime)
{
    (void)lifetime;
    return current != packet;
}

static void one_epoch_alone(struct uet_law *law)
{
    law->tss.is_late = other_epoch;
}

static bool always_in_use(const struct tss_domain *own)
{
    (void)own;
    return true;
}

static void disabled_taken(struct uet_law *law)
{
    law->tss.in_use = always_in_use;
}

static bool any_form(const struct uet_tss_sa *sa, const struct uet_packet *p)
{
    (void)sa, (void)p;
    return true;
}

static void any_ssi_mode(struct uet_law *law)
{
    law->tss.fits = any_form;
}

/* What must never come. */
static void answer(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_build b;
    if (!uet_reply_start(fep, &b, p, NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, UET_NACK_UNEXP_EVENT);
    uet_reply_finish(fep, &b, 0);
}

/* In clear where the domain is not known. */
static void answer_clear(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_packet clear = *p;
    clear.tss = UET_H_NONE;
    answer(fep, &clear);
}

static void drop_answering_unknown(struct uet_fep *fep, const struct uet_packet *p,
                                   struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (counter == CNT_in_errored_pkts)
        answer_clear(fep, p);
}

static bool wide_sdis_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !f->p.tss || f->p.sdi <= UINT16_MAX;
}

/* It passes for one of the first domain. */
static bool rudi_of_first_domain(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_fault_tss(f) && f->p.pds == UET_H_RUDI_RESP)
        uet_tss_hdr_sdi_set(uet_fault_tss(f), fep->domains[0].sdi);
    return true;
}

static void unknown_answered(struct uet_law *law)
{
    law->tss.drop = drop_answering_unknown;
    clear_may_go(law);
}

static void drop_answering_bad(struct uet_fep *fep, const struct uet_packet *p,
                               struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (counter == CNT_in_auth_fail_pkts)
        answer(fep, p);
}

static void bad_icv_answered(struct uet_law *law)
{
    law->tss.drop = drop_answering_bad;
}

static void drop_without_latch(struct uet_fep *fep, const struct uet_packet *p,
                               struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (own)
        own->latched = false;
}

static void no_latch(struct uet_law *law)
{
    law->tss.drop = drop_without_latch;
}

static void drop_latching_all(struct uet_fep *fep, const struct uet_packet *p,
                              struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    for (size_t i = 0; own && own->latched && i < fep->config.max_domains; i++)
        fep->domains[i].latched = true;
}

static void one_latch(struct uet_law *law)
{
    law->tss.drop = drop_latching_all;
}

/* ---- isolation ---- */

/* Of the PDC nothing is asked. */
static bool pdc_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                           const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, of_pdc && p->tss ? NULL : of_pdc);
}

static void other_sdi_on_pdc(struct uet_law *law)
{
    law->tss.bound = pdc_overlooked;
}

/* Of an answer nothing is asked. */
static bool answers_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                               const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, of_pdc && p->tss && !uet_is_request(p) ? NULL : of_pdc);
}

static void other_sdi_in_ack(struct uet_law *law)
{
    law->tss.bound = answers_overlooked;
}

/* The peer is told that it stands on a PDC of another domain, if there is one. */
static bool on_pdc_of_another(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!f->p.tss || !uet_has_syn(&f->p) || !uet_is_request(&f->p))
        return true;
    for (uint16_t id = 1; id <= fep->config.max_pdcs; id++) {
        const struct pdc *pdc = uet_pdc_by_id(fep, id);
        if (pdc && pdc->initiator && pdc->tss.sealed && pdc->tss.sdi != f->p.sdi)
            uet_rud_rod_req_spdcid_set(uet_fault_pds(f), id);
    }
    return true;
}

/* The TSS packet that stands at the place of this one's PDS header, by itself; its length. */
static size_t unwrapped(const struct uet_fep *fep, uint8_t *to, const struct uet_packet *p)
{
    const size_t below = fep->built.tss_offset;
    const size_t n = p->icv_offset + (size_t)UET_TSS_TRAILER_BYTES - p->tss_offset, len = below + n;
    memcpy(to, p->frame, below);
    memcpy(to + below, p->frame + p->tss_offset, n);
    uint8_t *ip = to + p->ip_offset;
    if (p->udp_offset)
        uet_udp_length_set(to + p->udp_offset, (uint16_t)(len - p->udp_offset));
    if (p->ip_version == 6) {
        uet_ipv6_payload_length_set(ip, (uint16_t)(len - p->ip_offset - UET_IPV6_BYTES));
        return len;
    }
    uet_ipv4_total_length_set(ip, (uint16_t)(len - p->ip_offset));
    uet_ipv4_header_checksum_set(ip, 0);
    uet_ipv4_header_checksum_set(ip, uet_ipv4_checksum(ip, (size_t)uet_ipv4_ihl(ip) * 4));
    return len;
}

static bool opened_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t inner[UET_FRAME_MAX];
    struct uet_packet p;
    if (f->p.error != UET_PARSE_SEALED) /* nothing else is, once it has been opened */
        return true;
    size_t len = unwrapped(fep, inner, &f->p);
    uet_edge_parse(fep, inner, len, &p);
    const uint8_t *clear = p.error == UET_PARSE_SEALED ? uet_sd_open(fep, &p) : NULL;
    if (clear) {
        memcpy(f->bytes, clear, len);
        f->len = len;
    }
    return clear != NULL;
}

static bool clear_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    return !p->tss || uet_sd_fits(fep, p, of_pdc);
}

static void clear_taken(struct uet_law *law)
{
    law->tss.bound = clear_overlooked;
    clear_may_go(law);
}

/* The half of the rule that is about PDCs. */
static bool fits_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                     const struct tss_context *of_pdc)
{
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    return !of_pdc || uet_sd_same(of_pdc, &tss);
}

/* A FEP that seals all it has is right here and below: there must be jobs in clear. */
static bool clear_to_any_job(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    bool overlooked = !p->tss && !fep->all_sealed && of_pdc;
    return overlooked ? fits_pdc(fep, p, of_pdc) : uet_sd_fits(fep, p, of_pdc);
}

static void clear_reaches_jobs(struct uet_law *law)
{
    law->tss.bound = clear_to_any_job;
}

static bool clear_on_any_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, !p->tss && uet_is_ses_request(p) ? NULL : of_pdc);
}

static void clear_reaches_pdcs(struct uet_law *law)
{
    law->tss.bound = clear_on_any_pdc;
}

static bool sealed_on_any_clear_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                                    const struct tss_context *of_pdc)
{
    bool overlooked = p->tss && of_pdc && !of_pdc->sealed && uet_is_ses_request(p);
    return uet_sd_fits(fep, p, overlooked ? NULL : of_pdc);
}

static void sealed_reaches_clear_pdcs(struct uet_law *law)
{
    law->tss.bound = sealed_on_any_clear_pdc;
}

static bool sealed_to_clear_jobs(const struct uet_fep *fep, const struct uet_packet *p,
                                 const struct tss_context *of_pdc)
{
    const struct tss_context clear = {.sealed = false};
    bool to_clear = p->tss && uet_is_ses_request(p) &&
                    uet_sd_serves(fep, &clear, uet_ses_req_job_id(uet_ses(p)));
    return to_clear ? fits_pdc(fep, p, of_pdc) : uet_sd_fits(fep, p, of_pdc);
}

static void sealed_reaches_clear_jobs(struct uet_law *law)
{
    law->tss.bound = sealed_to_clear_jobs;
}

static bool sealed_alone(const struct uet_fep *fep, const struct uet_packet *p,
                         const struct tss_context *of_pdc)
{
    return (p->tss || !uet_is_ses_request(p)) && uet_sd_fits(fep, p, of_pdc);
}

static void no_clear_jobs(struct uet_law *law)
{
    law->tss.bound = sealed_alone;
}

static bool own_clear_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return uet_fault_tss(f) || !fep->secured || !uet_is_ses_request(&f->p);
}

static bool clear_rudi_taken(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    return (!p->tss && p->pds == UET_H_RUDI_REQ) || uet_sd_fits(fep, p, of_pdc);
}

static void rudi_unbound(struct uet_law *law)
{
    law->tss.bound = clear_rudi_taken;
    clear_may_go(law);
}

static bool clear_datagram_taken(const struct uet_fep *fep, const struct uet_packet *p,
                                 const struct tss_context *of_pdc)
{
    return (!p->tss && uet_is_uud(p)) || uet_sd_fits(fep, p, of_pdc);
}

static void datagrams_unbound(struct uet_law *law)
{
    law->tss.bound = clear_datagram_taken;
}

/* The answer to RUDI may also be in clear, which only its job speaks against. */
static bool clear_answer_bound(const struct uet_fep *fep, const struct uet_packet *p,
                               const struct tss_context *of_pdc)
{
    return (!p->tss && p->pds == UET_H_RUDI_RESP) || uet_sd_fits(fep, p, of_pdc);
}

static bool clear_answer_serves(const struct uet_fep *fep, const struct tss_context *tss,
                                uint32_t job_id)
{
    return !tss->sealed || uet_sd_serves(fep, tss, job_id);
}

static void clear_answers_heard(struct uet_law *law)
{
    law->tss.bound = clear_answer_bound;
    law->tss.serves = clear_answer_serves;
}

static bool sealed_answer_serves(const struct uet_fep *fep, const struct tss_context *tss,
                                 uint32_t job_id)
{
    const struct tss_context clear = {.sealed = false};
    return uet_sd_serves(fep, tss, job_id) || uet_sd_serves(fep, &clear, job_id);
}

static void sealed_answers_heard(struct uet_law *law)
{
    law->tss.serves = sealed_answer_serves;
}

static bool job_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                           const struct tss_context *of_pdc)
{
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    return !p->tss ? uet_sd_fits(fep, p, of_pdc) : !of_pdc || uet_sd_same(of_pdc, &tss);
}

static void job_of_another(struct uet_law *law)
{
    law->tss.bound = job_overlooked;
}

static bool rudi_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && f->p.pds == UET_H_RUDI_REQ);
}

static bool datagrams_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && uet_is_uud(&f->p));
}

/* ---- more of what comes ---- */

/* Opened as it is, or with these bits of one byte inverted: nobody looks at them. */
static enum uet_tss_status open_without(struct uet_tss_sa *sa, const uint8_t *frame,
                                        const struct uet_tss_place *at, uint8_t *plain, size_t byte,
                                        uint8_t bits)
{
    uint8_t copy[UET_FRAME_MAX];
    enum uet_tss_status s = uet_tss_open_at(sa, frame, at, plain);
    if (s != UET_TSS_BAD_ICV)
        return s;
    memcpy(copy, frame, at->end);
    copy[byte] ^= bits;
    return uet_tss_open_at(sa, copy, at, plain);
}

static enum uet_tss_status without_target(struct uet_tss_sa *sa, const uint8_t *frame,
                                          const struct uet_tss_place *at, uint8_t *plain)
{
    return open_without(sa, frame, at, plain, at->ip_offset + (at->ip_version == 6 ? 39u : 19u), 1);
}

static void target_not_authenticated(struct uet_law *law)
{
    law->tss.open = without_target;
}

static enum uet_tss_status without_entropy(struct uet_tss_sa *sa, const uint8_t *frame,
                                           const struct uet_tss_place *at, uint8_t *plain)
{
    return open_without(sa, frame, at, plain, at->tss_offset - 4u, 1);
}

static void entropy_not_authenticated(struct uet_law *law)
{
    law->tss.open = without_entropy;
}

static enum uet_tss_status without_last_byte(struct uet_tss_sa *sa, const uint8_t *frame,
                                             const struct uet_tss_place *at, uint8_t *plain)
{
    enum uet_tss_status s = UET_TSS_BAD_ICV;
    for (uint8_t bits = 1; bits && s == UET_TSS_BAD_ICV; bits = (uint8_t)(bits << 1))
        s = open_without(sa, frame, at, plain, at->end - 1u, bits);
    return s;
}

static void icv_of_15_bytes(struct uet_law *law)
{
    law->tss.open = without_last_byte;
}

/* Whose KDF has the bytes of the epoch the other way round. */
static enum uet_tss_status palindromes_alone(struct uet_tss_sa *sa, const uint8_t *frame,
                                             const struct uet_tss_place *at, uint8_t *plain)
{
    struct uet_tss_header h;
    uet_tss_read(&h, frame + at->tss_offset);
    return h.epoch >> 8 == (h.epoch & 0xff) ? uet_tss_open_at(sa, frame, at, plain)
                                            : UET_TSS_BAD_ICV;
}

static void epoch_swapped(struct uet_law *law)
{
    law->tss.open = palindromes_alone;
}

static bool tells_trim(struct uet_fault_frame *f)
{
    return uet_fault_tss(f) && uet_is_nack(&f->p) &&
           uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED;
}

static bool trimmed_syn_answered(const struct uet_fep *fep, const struct uet_packet *p,
                                 const struct tss_context *of_pdc)
{
    if (p->tss && uet_edge_trimmed(p) && uet_has_syn(p))
        answer((struct uet_fep *)fep, p);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trimmed_syns_trusted(struct uet_law *law)
{
    law->tss.bound = trimmed_syn_answered;
}

static bool trims_not_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !tells_trim(f);
}

static bool trims_want_credit(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct tss_context *of_pdc)
{
    struct pdc *pdc = of_pdc && p->tss && uet_edge_trimmed(p) && uet_is_request(p)
                          ? uet_pdc_by_id((struct uet_fep *)fep, uet_dpdcid(p))
                          : NULL;
    if (pdc)
        uet_credit_heard((struct uet_fep *)fep, pdc, p);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_get_credit(struct uet_law *law)
{
    law->tss.bound = trims_want_credit;
}

static bool trims_answered(const struct uet_fep *fep, const struct uet_packet *p,
                           const struct tss_context *of_pdc)
{
    if (of_pdc && p->tss && uet_edge_trimmed(p))
        answer((struct uet_fep *)fep, p);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_answered_twice(struct uet_law *law)
{
    law->tss.bound = trims_answered;
}

static bool bound_and_counted(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct tss_context *of_pdc)
{
    struct tss_domain *own = p->tss ? uet_sd_find(fep, p->sdi) : NULL;
    if (own && uet_edge_trimmed(p))
        uet_sd_drop((struct uet_fep *)fep, p, own, CNT_in_auth_fail_pkts);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_counted(struct uet_law *law)
{
    law->tss.bound = bound_and_counted;
}

static bool any_type_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.tss && f->p.error == UET_PARSE_PDS_TYPE)
        uet_pds_prologue_type_set(uet_fault_tss(f) + uet_header_bytes[f->p.tss], UET_PDS_RUD_REQ);
    return true;
}

static bool udp_without_icv(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *udp = f->bytes + f->p.udp_offset;
    if (uet_fault_tss(f) && f->p.udp_offset)
        uet_udp_length_set(udp, (uint16_t)(uet_udp_length(udp) - UET_TSS_TRAILER_BYTES));
    return true;
}

/* ---- of PDCs that are open, and of what the FEP begins itself ---- */

static bool ssi_overlooked_on_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                                  const struct tss_context *of_pdc)
{
    const struct tss_domain *own = p->tss ? uet_sd_find(fep, p->sdi) : NULL;
    bool fits = !own || own->ssi_mode == (p->tss == UET_H_TSS_HDR_16);
    return (of_pdc || fits) && uet_sd_fits(fep, p, of_pdc);
}

static void live_any_ssi_mode(struct uet_law *law)
{
    law->tss.fits = any_form;
    law->tss.bound = ssi_overlooked_on_pdc;
}

static bool over_threshold(const struct tss_domain *own)
{
    return own && own->auth_fail_threshold && own->auth_failures > own->auth_fail_threshold;
}

static bool latch_overlooked_on_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                                    const struct tss_context *of_pdc)
{
    bool shut = p->tss && over_threshold(uet_sd_find(fep, p->sdi));
    return (of_pdc || !shut) && uet_sd_fits(fep, p, of_pdc);
}

static void latched_serves_pdcs(struct uet_law *law)
{
    law->tss.drop = drop_without_latch;
    law->tss.bound = latch_overlooked_on_pdc;
}

static bool nacks_of_first_domain(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_fault_tss(f) && uet_is_nack(&f->p) &&
        uet_nack_nack_code(uet_fault_pds(f)) != UET_NACK_NEW_START_PSN)
        uet_tss_hdr_sdi_set(uet_fault_tss(f), fep->domains[0].sdi);
    return true;
}

static bool rudi_in_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_fault_tss(f) || f->p.pds != UET_H_RUDI_REQ || in_clear(f);
}

static bool datagrams_in_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_fault_tss(f) || !uet_is_uud(&f->p) || in_clear(f);
}

/* What stands in a Request whose ICV is wrong, and the PDC that it is for; NULL: none. */
static struct pdc *behind_bad_icv(struct uet_fep *fep, const struct uet_packet *p,
                                  struct uet_packet *q)
{
    const struct uet_parse_options how = {.protect = fep->config.protect};
    const uint8_t *bytes = uet_sd_peek(fep, p);
    if (!bytes)
        return NULL;
    *q = *p;
    uet_parse_opened(q, bytes, &how);
    if (q->error != UET_PARSE_OK || !uet_is_ses_request(q) || uet_is_cc_request(q) ||
        uet_has_syn(q))
        return NULL;
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(q));
    bool live = pdc && !pdc->initiator && pdc->state == PDC_ESTABLISHED &&
                pdc->peer_id == uet_spdcid(q) &&
                uet_sink_place(fep, pdc, uet_packet_psn(q)) == PSN_NEW;
    return live ? pdc : NULL;
}

static void drop_marking(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                         uint16_t counter)
{
    struct uet_packet q;
    struct pdc *pdc = counter == CNT_in_auth_fail_pkts ? behind_bad_icv(fep, p, &q) : NULL;
    if (pdc)
        uet_sink_receive(fep, pdc, uet_packet_psn(&q));
    uet_sd_drop(fep, p, own, counter);
}

static void bad_icv_marks(struct uet_law *law)
{
    law->tss.drop = drop_marking;
}

static void drop_placing(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                         uint16_t counter)
{
    struct uet_packet q;
    struct ses_plan plan;
    struct pdc *pdc = counter == CNT_in_auth_fail_pkts ? behind_bad_icv(fep, p, &q) : NULL;
    if (pdc && uet_ses_knows_form(fep, &q)) {
        uet_ses_check(fep, pdc->id, &q, false, &plan);
        if (plan.request.opcode == UET_OP_WRITE && plan.return_code == UET_RC_OK && !plan.nack &&
            !plan.held && plan.to && plan.length)
            memcpy(plan.to, q.frame + q.payload_offset, plan.length);
    }
    uet_sd_drop(fep, p, own, counter);
}

static void bad_icv_placed(struct uet_law *law)
{
    law->tss.drop = drop_placing;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_042_MARKED, .rows = bad_icv_marks},
    {VIOLATION_TSS_042_PLACED, .rows = bad_icv_placed},
    {VIOLATION_TSS_040_LIVE, .rows = live_any_ssi_mode},
    {VIOLATION_TSS_043_LIVE, .rows = latched_serves_pdcs},
    {VIOLATION_TSS_051_SDI, .out = nacks_of_first_domain},
    {VIOLATION_TSS_052_OWN, .rows = clear_may_go, .out = rudi_in_clear},
    {VIOLATION_TSS_053_OWN, .rows = clear_may_go, .out = datagrams_in_clear},
    {VIOLATION_TSS_005, .out = udp_without_icv},
    {VIOLATION_TSS_008, .rows = target_not_authenticated},
    {VIOLATION_TSS_011, .rows = entropy_not_authenticated},
    {VIOLATION_TSS_013, .rows = icv_of_15_bytes},
    {VIOLATION_TSS_025, .rows = epoch_swapped},
    {VIOLATION_NET_017, .rows = trims_answered_twice},
    {VIOLATION_TSS_071, .rows = trimmed_syns_trusted},
    {VIOLATION_TSS_072, .out = trims_not_told},
    {VIOLATION_TSS_072_CREDIT, .rows = trims_get_credit},
    {VIOLATION_TSS_073, .rows = trims_counted},
    {VIOLATION_TSS_076, .in = any_type_taken},
    {VIOLATION_TSS_076_TWICE, .in = opened_again},
    {VIOLATION_TSS_003, .out = reserved_bit},
    {VIOLATION_TSS_003_ECHO, .out = reserved_bit_as_it_came},
    {VIOLATION_TSS_006, .out = crc_too},
    {VIOLATION_TSS_009, .in = congested_lost},
    {VIOLATION_TSS_010, .rows = reserved_not_authenticated},
    {VIOLATION_TSS_042, .rows = any_icv},
    {VIOLATION_TSS_032, .rows = rekey_shifted_first},
    {VIOLATION_TSS_032_BACK, .rows = rekey_forwards_alone},
    {VIOLATION_TSS_037, .rows = epochs_overlooked},
    {VIOLATION_TSS_037_ONE, .rows = one_epoch_alone},
    {VIOLATION_TSS_038, .rows = unknown_answered},
    {VIOLATION_TSS_039, .rows = disabled_taken},
    {VIOLATION_TSS_040, .rows = any_ssi_mode},
    {VIOLATION_TSS_042_TOLD, .rows = bad_icv_answered},
    {VIOLATION_TSS_043_ALL, .rows = one_latch},
    {VIOLATION_TSS_043, .rows = no_latch},
    {VIOLATION_TSS_045, .rows = other_sdi_on_pdc},
    {VIOLATION_TSS_045_ACK, .rows = other_sdi_in_ack},
    {VIOLATION_TSS_045_OWN, .out = on_pdc_of_another},
    {VIOLATION_TSS_045_CLEAR, .rows = sealed_reaches_clear_pdcs},
    {VIOLATION_TSS_048, .rows = clear_taken},
    {VIOLATION_TSS_048_JOB, .rows = clear_reaches_jobs},
    {VIOLATION_TSS_048_PDC, .rows = clear_reaches_pdcs},
    {VIOLATION_TSS_048_RUDI, .rows = rudi_unbound},
    {VIOLATION_TSS_048_UUD, .rows = datagrams_unbound},
    {VIOLATION_TSS_048_ANSWER, .rows = clear_answers_heard},
    {VIOLATION_TSS_049_CLEAR, .rows = sealed_reaches_clear_jobs},
    {VIOLATION_TSS_049_ANSWER, .rows = sealed_answers_heard},
    {VIOLATION_TSS_050, .rows = no_clear_jobs},
    {VIOLATION_TSS_050_OWN, .out = own_clear_lost},
    {VIOLATION_TSS_049, .rows = job_of_another},
    {VIOLATION_TSS_051, .rows = clear_may_go, .out = acks_in_clear},
    {VIOLATION_TSS_049_RUDI, .in = rudi_of_first_domain},
    {VIOLATION_TSS_051_WIDE, .in = wide_sdis_lost},
    {VIOLATION_TSS_052, .in = rudi_lost},
    {VIOLATION_TSS_053, .in = datagrams_lost},
    {VIOLATION_TSS_054, .rows = clear_may_go, .out = start_nacks_in_clear},
};

UET_FAULT_WAYS(uet_faults_of_tss, ways);
