/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of sealed frames that leave (3.7): what stands where, and what goes in clear. */
#include "refimpl/faults/tss/shared.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"
#include "wire/inet.h"

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

void uet_fault_clear_may_go(struct uet_law *law)
{
    law->tss.clear_may_go = any_clear_may_go;
}

static bool acks_in_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_fault_tss(f) || !uet_is_ack(&f->p) || in_clear(f);
}

static bool is_start_nack(struct uet_fault_frame *f)
{
    return uet_fault_tss(f) && uet_is_nack(&f->p) &&
           uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_NEW_START_PSN;
}

/* memo: how many there were. */
static bool second_start_nack_in_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_start_nack(f) || !(*f->memo)++ || in_clear(f);
}

static bool start_nack_with_crc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_start_nack(f) || crc_too(fep, f);
}

/* memo: the domain's SDI + 1, while it seals with AN 0 instead of its own. */
static bool start_nack_under_an_0(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = is_start_nack(f) ? uet_sd_find(fep, f->p.sdi) : NULL;
    if (own && own->an && own->slots[0].loaded) {
        own->an = 0;
        *f->memo = f->p.sdi + UINT64_C(1);
    }
    return true;
}

static void an_1_again(struct uet_fep *fep, uint64_t *memo)
{
    if (*memo)
        uet_sd_find(fep, (uint32_t)(*memo - 1))->an = 1;
    *memo = 0;
}

static bool start_nacks_in_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_fault_tss(f) || !uet_is_nack(&f->p) ||
           uet_nack_nack_code(uet_fault_pds(f)) != UET_NACK_NEW_START_PSN || in_clear(f);
}

static bool own_clear_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return uet_fault_tss(f) || !fep->secured || !uet_is_ses_request(&f->p);
}

static bool udp_without_icv(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *udp = f->bytes + f->p.udp_offset;
    if (uet_fault_tss(f) && f->p.udp_offset)
        uet_udp_length_set(udp, (uint16_t)(uet_udp_length(udp) - UET_TSS_TRAILER_BYTES));
    return true;
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

/* ---- after sealing ---- */

static enum uet_tss_status seal_untyped(struct uet_tss_sa *sa, uint8_t *frame,
                                        const struct uet_tss_place *at)
{
    enum uet_tss_status s = uet_tss_seal_at(sa, frame, at, NULL);
    uet_tss_hdr_type_set(frame + at->tss_offset, 0);
    return s;
}

static void untyped(struct uet_law *law)
{
    law->tss.seal = seal_untyped;
}

static enum uet_tss_status seal_other_sp(struct uet_tss_sa *sa, uint8_t *frame,
                                         const struct uet_tss_place *at)
{
    uint8_t *h = frame + at->tss_offset;
    enum uet_tss_status s = uet_tss_seal_at(sa, frame, at, NULL);
    uet_tss_hdr_sp_set(h, !uet_tss_hdr_sp(h));
    return s;
}

static void other_sp(struct uet_law *law)
{
    law->tss.seal = seal_other_sp;
}

static enum uet_tss_status seal_icv_first(struct uet_tss_sa *sa, uint8_t *frame,
                                          const struct uet_tss_place *at)
{
    const size_t limit = at->end - (size_t)UET_TSS_TRAILER_BYTES;
    const size_t from =
        uet_tss_encrypted_from(at, uet_tss_hdr_sp(frame + at->tss_offset), sa->encrypt_from, limit);
    uint8_t icv[UET_TSS_TRAILER_BYTES];
    enum uet_tss_status s = uet_tss_seal_at(sa, frame, at, NULL);
    memcpy(icv, frame + limit, sizeof icv);
    memmove(frame + from + sizeof icv, frame + from, limit - from);
    memcpy(frame + from, icv, sizeof icv);
    return s;
}

static void icv_first(struct uet_law *law)
{
    law->tss.seal = seal_icv_first;
}

static enum uet_tss_status seal_96_bits(struct uet_tss_sa *sa, uint8_t *frame,
                                        const struct uet_tss_place *at)
{
    enum uet_tss_status s = uet_tss_seal_at(sa, frame, at, NULL);
    memset(frame + at->end - 4, 0, 4);
    return s;
}

static void icv_of_96_bits(struct uet_law *law)
{
    law->tss.seal = seal_96_bits;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_001, .rows = untyped},
    {VIOLATION_TSS_002, .rows = other_sp},
    {VIOLATION_TSS_004, .rows = icv_first},
    {VIOLATION_TSS_007, .rows = icv_of_96_bits},
    {VIOLATION_TSS_051_SDI, .out = nacks_of_first_domain},
    {VIOLATION_TSS_052_OWN, .rows = uet_fault_clear_may_go, .out = rudi_in_clear},
    {VIOLATION_TSS_053_OWN, .rows = uet_fault_clear_may_go, .out = datagrams_in_clear},
    {VIOLATION_TSS_005, .out = udp_without_icv},
    {VIOLATION_TSS_003, .out = reserved_bit},
    {VIOLATION_TSS_003_ECHO, .out = reserved_bit_as_it_came},
    {VIOLATION_TSS_006, .out = crc_too},
    {VIOLATION_TSS_050_OWN, .out = own_clear_lost},
    {VIOLATION_TSS_051, .rows = uet_fault_clear_may_go, .out = acks_in_clear},
    {VIOLATION_TSS_054, .rows = uet_fault_clear_may_go, .out = start_nacks_in_clear},
    {VIOLATION_TSS_054_SECOND, .rows = uet_fault_clear_may_go, .out = second_start_nack_in_clear},
    {VIOLATION_TSS_006_NACK, .out = start_nack_with_crc},
    {VIOLATION_TSS_034_NACK, .out = start_nack_under_an_0, .after = an_1_again},
};

UET_FAULT_WAYS(uet_faults_of_tss_frames, ways);
