/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of how sealed packets are opened (3.7): what is authenticated, keys, epochs, forms. */
#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"
#include "wire/inet.h"

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

static enum uet_tss_status either_way(struct uet_tss_sa *sa, const uint8_t *frame,
                                      const struct uet_tss_place *at, uint8_t *plain)
{
    uint8_t copy[UET_FRAME_MAX];
    const size_t n = at->ip_version == 6 ? 16 : 4,
                 source = at->ip_offset + (at->ip_version == 6 ? 8u : 12u);
    enum uet_tss_status s = uet_tss_open_at(sa, frame, at, plain);
    if (s != UET_TSS_BAD_ICV)
        return s;
    memcpy(copy, frame, at->end);
    memcpy(copy + source, frame + source + n, n);
    memcpy(copy + source + n, frame + source, n);
    return uet_tss_open_at(sa, copy, at, plain);
}

static void addresses_swapped(struct uet_law *law)
{
    law->tss.open = either_way;
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

static enum uet_tss_status without_port(struct uet_tss_sa *sa, const uint8_t *frame,
                                        const struct uet_tss_place *at, uint8_t *plain)
{
    return open_without(sa, frame, at, plain, at->tss_offset - 7u, 1);
}

static void port_not_authenticated(struct uet_law *law)
{
    law->tss.open = without_port;
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

static bool any_type_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.tss && f->p.error == UET_PARSE_PDS_TYPE)
        uet_pds_prologue_type_set(uet_fault_tss(f) + uet_header_bytes[f->p.tss], UET_PDS_RUD_REQ);
    return true;
}

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

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_040_LIVE, .rows = live_any_ssi_mode},
    {VIOLATION_TSS_008, .rows = target_not_authenticated},
    {VIOLATION_TSS_008_SWAPPED, .rows = addresses_swapped},
    {VIOLATION_TSS_011, .rows = entropy_not_authenticated},
    {VIOLATION_TSS_012, .rows = port_not_authenticated},
    {VIOLATION_TSS_041, .rows = any_ssi_mode},
    {VIOLATION_TSS_013, .rows = icv_of_15_bytes},
    {VIOLATION_TSS_025, .rows = epoch_swapped},
    {VIOLATION_TSS_076, .in = any_type_taken},
    {VIOLATION_TSS_076_TWICE, .in = opened_again},
    {VIOLATION_TSS_010, .rows = reserved_not_authenticated},
    {VIOLATION_TSS_042, .rows = any_icv},
    {VIOLATION_TSS_032, .rows = rekey_shifted_first},
    {VIOLATION_TSS_032_BACK, .rows = rekey_forwards_alone},
    {VIOLATION_TSS_037, .rows = epochs_overlooked},
    {VIOLATION_TSS_037_ONE, .rows = one_epoch_alone},
    {VIOLATION_TSS_039, .rows = disabled_taken},
    {VIOLATION_TSS_040, .rows = any_ssi_mode},
};

UET_FAULT_WAYS(uet_faults_of_tss_opening, ways);
