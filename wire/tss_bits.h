/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the Transport Security Sublayer (3.7) puts where, without any cryptography: the header, the
 * place of header and ICV in a frame, which bytes are authenticated, the IV, and the input of the
 * key derivation. wire/tss.h seals and opens with it; a reader with another cryptographic library
 * can use it too.
 *
 * Order on the wire: IP, UDP (8 bytes) or entropy header (4), TSS header (12 or 16), PDS, SES,
 * payload, ICV (16). There is no CRC trailer (3.5.25). Cipher, key mode, where encryption begins
 * and rekeying stand nowhere on the wire: they are settings of the secure domain.
 *
 * Readings. Where sources disagree, struct uet_tss_readings chooses; all zero is the recommended
 * reading of spec-map/readings.csv. Not contested there, and without a better source:
 *  - the reserved bit is authenticated and otherwise ignored;
 *  - IPv4 options stand between the addresses and UDP and so in the additional data;
 *  - a packet that ends before encryption would begin is authenticated only.
 */
#ifndef UET_WIRE_TSS_BITS_H
#define UET_WIRE_TSS_BITS_H

#include "wire/inet.h"
#include "wire/packet.h"

#define UET_TSS_KEY_LEN     32u /* AES-256 */
#define UET_TSS_IV_LEN      12u
#define UET_TSS_DERIVED_LEN (UET_TSS_KEY_LEN + UET_TSS_IV_LEN) /* 352 bits: key, IV mask */
#define UET_TSS_CONTEXT_MAX 26u
#define UET_TSS_FIXED_MAX   (1u + 2u + 1u + UET_TSS_CONTEXT_MAX + 2u)
#define UET_TSS_COUNTER_MAX ((UINT64_C(1) << 48) - 1)

/* Why a packet was not sealed or opened. Keep uet_tss_status_text in step. */
enum uet_tss_status {
    UET_TSS_OK,
    UET_TSS_NOT_UET,     /* no UDP port of UET and no native IP, or a broken IP header */
    UET_TSS_CLEAR,       /* UET, but its first five bits are not TSS: a packet in clear */
    UET_TSS_SHORT,       /* no room for TSS header and ICV (TSS-044) */
    UET_TSS_UNKNOWN_SDI, /* no key for this secure domain (TSS-038) */
    UET_TSS_NO_KEY,      /* the domain is known, but the AN slot holds no key (TSS-033) */
    UET_TSS_SSI,         /* sp does not fit ssi-mode, or IPv6 needs an SSI (TSS-040, TSS-041) */
    UET_TSS_BAD_ICV,     /* not authentic: altered, or another key, epoch, source (TSS-042) */
    UET_TSS_COUNTER_END, /* the counter reached its limit (TSS-022) */
    UET_TSS_NO_ROOM,     /* the buffer, or a 16-bit length field, is too small */
    UET_TSS_CRYPTO,      /* the cryptographic library failed */
    UET_TSS_STATUS_COUNT
};

/* "ICV wrong": a sentence part for a status. */
const char *uet_tss_status_text(enum uet_tss_status status);

/* Contested: the other reading when true. */
struct uet_tss_readings {
    bool udp_not_in_aad;        /* TSS-012: U2, the UDP header is not authenticated */
    bool ipv6_context_by_ip;    /* TSS-077: on IPv6 the address is derived from, not the SSI */
    bool unexpected_ssi_is_fit; /* TSS-041: sp = 1 is taken where ssi-mode is FALSE */
};

/* The TSS header (3.7.11, Table 3-90). */
struct uet_tss_header {
    uint32_t sdi; /* 24 bits */
    uint32_t ssi; /* only with sp */
    uint16_t epoch;
    uint64_t counter; /* 48 bits */
    uint8_t an;       /* 0 or 1 */
    bool sp;          /* an SSI is there */
    bool reserved;
};

/* 12 or 16. */
static inline size_t uet_tss_header_len(bool sp)
{
    return sp ? UET_TSS_HDR_16_BYTES : UET_TSS_HDR_12_BYTES;
}

/*
 * Reads a header whose uet_tss_header_len bytes are there; the type is not looked at. With or
 * without SSI it ends in epoch and counter, which is one load.
 */
static inline void uet_tss_read(struct uet_tss_header *h, const uint8_t *bytes)
{
    bool sp = uet_tss_hdr_sp(bytes);
    uint64_t tsc = uet_rd64(bytes + uet_tss_header_len(sp) - 8);
    *h = (struct uet_tss_header){
        .sdi = uet_tss_hdr_sdi(bytes),
        .ssi = sp ? uet_tss_hdr_16_ssi(bytes) : 0,
        .epoch = (uint16_t)(tsc >> 48),
        .counter = tsc & UET_TSS_COUNTER_MAX,
        .an = uet_tss_hdr_an(bytes),
        .sp = sp,
        .reserved = uet_tss_hdr_rsvd(bytes),
    };
}

/* Writes 12 or 16 bytes, type included; wider values are cut. Returns how many bytes. */
static inline size_t uet_tss_write(uint8_t *bytes, const struct uet_tss_header *h)
{
    uet_tss_hdr_type_set(bytes, UET_PDS_TSS);
    uet_tss_hdr_sp_set(bytes, h->sp);
    uet_tss_hdr_rsvd_set(bytes, h->reserved);
    uet_tss_hdr_an_set(bytes, h->an);
    uet_tss_hdr_sdi_set(bytes, h->sdi);
    if (h->sp) {
        uet_tss_hdr_16_ssi_set(bytes, h->ssi);
        uet_tss_hdr_16_epoch_set(bytes, h->epoch);
        uet_tss_hdr_16_counter_set(bytes, h->counter);
    } else {
        uet_tss_hdr_12_epoch_set(bytes, h->epoch);
        uet_tss_hdr_12_counter_set(bytes, h->counter);
    }
    return uet_tss_header_len(h->sp);
}

/* Where things stand in a frame; offsets from its first byte. */
struct uet_tss_place {
    uint8_t ip_version;  /* 4 or 6 */
    uint16_t ip_offset;  /* the IP header */
    uint16_t udp_offset; /* 0 on native IP, where the entropy header stands instead */
    uint16_t tss_offset; /* after UDP or entropy header: TSS header, or PDS of a packet in clear */
    uint16_t end;        /* one past the last byte that IP carries */
};

/*
 * Finds the place in a frame. options may be NULL, as for uet_parse; protect is not looked at.
 * Native IP is protocol 253 (UET_IPPROTO_UET_EXPERIMENTAL). Returns UET_TSS_OK when UET bytes begin
 * at tss_offset, in clear or not; UET_TSS_NOT_UET otherwise.
 */
enum uet_tss_status uet_tss_locate(struct uet_tss_place *at, const uint8_t *frame, size_t len,
                                   const struct uet_parse_options *options);

/*
 * Reads the header at tss_offset. UET_TSS_CLEAR when the type is another; UET_TSS_SHORT when
 * header and ICV do not fit, or without want_icv (a trimmed packet) the header alone does not.
 */
static inline enum uet_tss_status uet_tss_header_at(struct uet_tss_header *h, const uint8_t *frame,
                                                    const struct uet_tss_place *at, bool want_icv)
{
    size_t room = (size_t)at->end - at->tss_offset;
    const uint8_t *tss = frame + at->tss_offset;
    if (room == 0)
        return UET_TSS_SHORT;
    if (uet_tss_hdr_type(tss) != UET_PDS_TSS)
        return UET_TSS_CLEAR;
    if (room < uet_tss_header_len(uet_tss_hdr_sp(tss)) + (want_icv ? UET_TSS_TRAILER_BYTES : 0))
        return UET_TSS_SHORT;
    uet_tss_read(h, tss);
    return UET_TSS_OK;
}

/* Encrypt nothing, authenticate all. */
#define UET_TSS_ENCRYPT_NOTHING UINT16_MAX

/*
 * Offset in the frame of the first encrypted byte. `from` is the domain's setting: bytes from the
 * first TSS byte, at least the header; 0 stands for right after the header. Never beyond limit,
 * the place of the ICV.
 */
static inline size_t uet_tss_encrypted_from(const struct uet_tss_place *at, bool sp, uint16_t from,
                                            size_t limit)
{
    size_t header = uet_tss_header_len(sp);
    size_t offset = at->tss_offset + (from > header ? from : header);
    return offset < limit ? offset : limit;
}

/* Where the IP source address stands in the frame, or with dst the destination's. */
static inline size_t uet_tss_address(const struct uet_tss_place *at, bool dst)
{
    size_t src = at->ip_offset + uet_crc_from(at->ip_version);
    return src + (dst ? at->ip_version == 4 ? 4u : 16u : 0);
}

/* A run of bytes in the frame. */
struct uet_tss_run {
    size_t offset, len;
};

/*
 * The additional authenticated data: one run from the IP source address to the first encrypted
 * byte, or with the other reading of TSS-012 two runs that leave UDP out. Returns how many.
 */
static inline size_t uet_tss_aad(const struct uet_tss_place *at, size_t encrypted_from,
                                 const struct uet_tss_readings *r, struct uet_tss_run runs[2])
{
    size_t src = uet_tss_address(at, false), after = uet_tss_address(at, true) * 2 - src;
    if (!r->udp_not_in_aad || !at->udp_offset) {
        runs[0] = (struct uet_tss_run){src, encrypted_from - src};
        return 1;
    }
    runs[0] = (struct uet_tss_run){src, after - src};
    runs[1] = (struct uet_tss_run){at->tss_offset, encrypted_from - at->tss_offset};
    return 2;
}

/* Source id, epoch, counter: the IV before the mask (TSS-015 to 017). Mask it by uet_tss_mask. */
static inline void uet_tss_raw_iv(uint8_t iv[UET_TSS_IV_LEN], const struct uet_tss_header *h,
                                  const uint8_t *frame, const struct uet_tss_place *at)
{
    if (h->sp)
        uet_wr32(iv, h->ssi);
    else if (at->ip_version == 4)
        memcpy(iv, frame + uet_tss_address(at, false), 4);
    else
        uet_wr32(iv, h->sdi);
    uet_wr64(iv + 4, (uint64_t)h->epoch << 48 | h->counter);
}

static inline void uet_tss_mask(uint8_t iv[UET_TSS_IV_LEN], const uint8_t mask[UET_TSS_IV_LEN])
{
    uet_wr32(iv, uet_rd32(iv) ^ uet_rd32(mask));
    uet_wr64(iv + 4, uet_rd64(iv + 4) ^ uet_rd64(mask + 4));
}

/* The context of the key derivation (3.7.8.4): 10 bytes with an IPv4 address or SSI, else 26. */
struct uet_tss_context {
    uint8_t len;
    uint8_t bytes[UET_TSS_CONTEXT_MAX]; /* bytes past len are 0, so that two compare as a whole */
};

/* source: 4 bytes, an IPv4 address or SSI in network order. */
void uet_tss_context_4(struct uet_tss_context *c, uint16_t epoch, uint32_t rekey,
                       const uint8_t source[4]);

/* address: 16 bytes. */
void uet_tss_context_6(struct uet_tss_context *c, uint16_t epoch, uint32_t rekey,
                       const uint8_t address[16]);

/*
 * What the key of a packet was derived for: the same as a context, in words, of which two are soon
 * compared.
 */
struct uet_tss_purpose {
    uint64_t address[2]; /* as it lies in memory; an IPv4 address or SSI is a number in the first */
    uint64_t when;       /* rekey value (32 bits), epoch (16), bytes of the address (16) */
};

static inline bool uet_tss_same_purpose(const struct uet_tss_purpose *a,
                                        const struct uet_tss_purpose *b)
{
    return !((a->address[0] ^ b->address[0]) | (a->address[1] ^ b->address[1]) |
             (a->when ^ b->when));
}

/*
 * Of a packet whose key belongs to its SSI, or without one to its IP source (or with by_dst
 * destination) address.
 */
static inline void uet_tss_purpose_of(struct uet_tss_purpose *p, const struct uet_tss_header *h,
                                      uint32_t rekey, bool by_dst, const uint8_t *frame,
                                      const struct uet_tss_place *at,
                                      const struct uet_tss_readings *r)
{
    const uint8_t *address = frame + uet_tss_address(at, by_dst);
    bool six = at->ip_version == 6 && (!h->sp || r->ipv6_context_by_ip); /* TSS-077 */
    uint32_t first;
    uet_wr32((uint8_t *)&first, h->ssi);
    if (!h->sp)
        memcpy(&first, address, sizeof first);
    p->address[0] = first;
    p->address[1] = 0;
    if (six)
        memcpy(p->address, address, sizeof p->address);
    p->when = (uint64_t)rekey << 32 | (uint64_t)h->epoch << 16 | (six ? 16 : 4);
}

/* Its context. */
void uet_tss_context_of(struct uet_tss_context *c, const struct uet_tss_purpose *p);

/* The labels of the key derivation (3.7.8.4): two bytes, without a NUL. */
#define UET_TSS_LABEL_CLUSTER "U1"
#define UET_TSS_LABEL_SERVER  "U2"

/*
 * Block i (1, 2, 3) of the derivation's input, SP 800-108 in counter mode: counter (8 bits),
 * label, 00, context, 0160 (the length of the output in bits, 16 bits wide). Returns its bytes.
 */
size_t uet_tss_kdf_input(uint8_t out[UET_TSS_FIXED_MAX], uint8_t i, const char label[2],
                         const struct uet_tss_context *c);

/* Automatic rekey (TSS-032): the masked counter, shifted right; below 2^32 by uet_tss_rekey_ok. */
static inline uint32_t uet_tss_rekey(uint64_t counter, uint64_t mask, unsigned shift)
{
    return (uint32_t)((counter & mask) >> shift);
}

/* Whether a setting is defined: a mask of 48 bits, a shift up to 47, a result of 32 bits. */
static inline bool uet_tss_rekey_ok(uint64_t mask, unsigned shift)
{
    return mask <= UET_TSS_COUNTER_MAX && shift <= 47 && mask >> shift <= UINT32_MAX;
}

/*
 * Whether a packet's epoch is older than the receiver's by more than lifetime (TSS-037), modulo
 * 2^16: half of the space is older, the rest is equal or newer. The reference provider's lifetime
 * is 16.
 */
static inline bool uet_tss_epoch_is_late(uint16_t current, uint16_t packet, uint16_t lifetime)
{
    uint16_t age = (uint16_t)(current - packet);
    return age < 0x8000 && age > lifetime;
}

#endif
