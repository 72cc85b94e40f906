/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TSS seal and open (3.7): AES-256-GCM and the key derivation of 3.7.8, with OpenSSL 3.
 *
 * A security association (struct uet_tss_sa) is one AN slot of one secure domain: its key and its
 * settings. It is made once; after that nothing of it changes but the cache of derived keys, and
 * sealing and opening take no memory. It lies in the caller's memory and must not be moved or
 * copied. One thread at a time.
 *
 * What this is not: state. Counters are the caller's (struct uet_tss_sender), and replay, epoch
 * age, the latch after too many failures and the binding of SDI to PDC are decided above.
 *
 * Keys: the derived ones live only in the cryptographic contexts, which are wiped with
 * uet_tss_erase; nothing here prints a key or an IV mask. The caller wipes its uet_tss_params with
 * uet_tss_wipe.
 *
 * A packet in 6 lines:
 *     struct uet_tss_params p = {.sdi = 1, .mode = UET_TSS_MODE_CLUSTER, .key = {...}};
 *     struct uet_tss_sa sa;
 *     int e = uet_tss_setup(&sa, &p);
 *     uet_tss_wipe(&p, sizeof p);
 *     struct uet_tss_stamp stamp = {.counter = 7};
 *     s = uet_tss_seal(&sa, &stamp, clear, clear_len, NULL, sealed, sizeof sealed, &sealed_len);
 */
#ifndef UET_WIRE_TSS_H
#define UET_WIRE_TSS_H

#include "wire/tss_bits.h"

/*
 * How the packet key comes from the slot's key (3.7.8), by enum uet_tss_mode:
 *  direct   it is the slot's key; the IV mask is stored, or zero (TSS-031)
 *  cluster  derived for the sender (TSS-027)
 *  server   derived for the client (TSS-028); at the client the result is stored
 * Who the client is, in server mode, and without an SSI which address is its:
 */
enum uet_tss_client {
    UET_CLIENT_PEER, /* at the server: destination when sealing, source when opening */
    UET_CLIENT_SELF, /* at the client: key and mask are stored, nothing is derived */
    UET_CLIENT_SRC,  /* an onlooker with the server's key, for packets to the server */
    UET_CLIENT_DST,  /* the same for packets from the server */
};

struct uet_tss_params {
    uint32_t sdi;                 /* 24 bits */
    uint8_t an;                   /* 0 or 1 */
    uint8_t mode;                 /* enum uet_tss_mode: DIRECT, CLUSTER or SERVER */
    uint8_t client;               /* enum uet_tss_client; server mode only */
    bool ssi_mode;                /* sp = 1, and the SSI is the source id */
    bool rekey;                   /* automatic rekey; cluster only */
    uint64_t rekey_mask;          /* of the counter, 48 bits */
    uint8_t rekey_shift;          /* 0..47; the masked counter shifted has at most 32 bits */
    uint8_t cached_keys;          /* derived keys to keep: 1..UET_TSS_CACHE_MAX, 0 stands for 8 */
    uint16_t encrypt_from;        /* see uet_tss_encrypted_from: 0 is right after the header */
    uint8_t key[UET_TSS_KEY_LEN]; /* SDKi; at a client the derived key */
    uint8_t iv_mask[UET_TSS_IV_LEN]; /* where nothing is derived; else zero */
    struct uet_tss_readings readings;
};

/* What is wrong with the parameters, as a sentence part with the way to mend it; NULL: nothing. */
const char *uet_tss_params_error(const struct uet_tss_params *p);

#define UET_TSS_CACHE_MAX 64
#define UET_TSS_PLANS     16

/* A packet key ready for use. Internal to tss.c. */
struct uet_tss_key {
    struct evp_cipher_ctx_st *gcm;
    uint8_t iv_mask[UET_TSS_IV_LEN];
    uint8_t next;                   /* of its bucket, as there */
    bool kept;                      /* it is in the cache, or stored: it stays as it is */
    struct uet_tss_purpose purpose; /* what it was derived for; when 0: nothing yet */
};

/*
 * What a packet leads to: key, IV, and which bytes go where. All but the counter's part of the IV
 * and the end is the same for the next packet with the same header, addresses, epoch and rekey
 * value, so it is kept. Internal to tss.c.
 */
struct uet_tss_plan {
    struct uet_tss_key *key;
    uint8_t iv[UET_TSS_IV_LEN];
    size_t from, limit;        /* the encrypted bytes; the ICV stands at limit */
    struct uet_tss_run aad[2]; /* the other one is there in the other reading of TSS-012 */
    /* Of which packets: */
    size_t least; /* they end there or behind; SIZE_MAX: of no other one */
    struct uet_tss_place at;
    uint64_t addresses, key_addresses; /* and the bits of them that the key belongs to */
    uint64_t head, tsc;
};

/*
 * Derived keys stand in a ring that has one place more than is cached. The next one is derived into
 * that place, and belongs to the cache once it has sealed or opened a packet: then the oldest one
 * makes the next place. So a flood of forged sources drives no key out.
 */
struct uet_tss_sa {
    uint32_t sdi;
    uint8_t an, mode, client;
    bool ssi_mode;
    uint64_t rekey_mask; /* 0 without rekey */
    uint8_t rekey_shift;
    uint16_t encrypt_from;
    struct uet_tss_readings readings;
    struct evp_mac_ctx_st *cmac;        /* with the slot's key; NULL where nothing is derived */
    uint8_t n_keys, spare;              /* places; the one that is not cached */
    uint8_t buckets[UET_TSS_CACHE_MAX]; /* by a hash of the purpose: 1 + a place, 0: none */
    struct uet_tss_key keys[UET_TSS_CACHE_MAX + 1];
    struct uet_tss_plan plans[2][UET_TSS_PLANS]; /* opening, sealing; by a hash of the addresses */
};

/*
 * Makes an association. Returns 0; -EINVAL when uet_tss_params_error has something to say;
 * -ENOMEM when OpenSSL cannot give a context. On failure nothing is left to erase.
 */
int uet_tss_setup(struct uet_tss_sa *sa, const struct uet_tss_params *p);

/* Wipes keys and contexts. The association is unusable then; erasing it again does nothing. */
void uet_tss_erase(struct uet_tss_sa *sa);

/* Wipes memory that held a key, in a way that no compiler leaves out. */
void uet_tss_wipe(void *secret, size_t n);

/*
 * A line for people and logs: SDI, AN, settings; no key, no mask. As snprintf: writes at most cap
 * bytes with the NUL, returns the length of the whole.
 */
int uet_tss_describe(char *out, size_t cap, const struct uet_tss_sa *sa);

/* The key derivation alone (3.7.8.4): key and IV mask. Returns 0, or -EIO when OpenSSL fails. */
int uet_tss_derive(uint8_t out[UET_TSS_DERIVED_LEN], const uint8_t key[UET_TSS_KEY_LEN],
                   const char label[2], const struct uet_tss_context *context);

/* The part of the header that is not the association's. */
struct uet_tss_stamp {
    uint32_t ssi; /* with ssi-mode; in server mode the client's in both directions (TSS-029) */
    uint16_t epoch;
    uint64_t counter; /* never twice with one key and source (TSS-018) */
};

/*
 * Seals a whole frame: in is a packet in clear (from uet_build_finish without CRC trailer), out
 * becomes the packet with TSS header and ICV, its IP and UDP lengths and IPv4 checksum made right
 * (TSS-005). What stands after the IP packet, Ethernet padding, is not copied. The UDP checksum is
 * left as it is and is authenticated; it should be 0 (3.5.10.1).
 *
 * out may be in, or must not overlap it; cap is at least len + 32. options as for uet_parse, or
 * NULL. *out_len becomes the frame's length, 0 on failure.
 * Errors: NOT_UET, SSI (IPv6 in direct or server mode without SSI), NO_ROOM, CRYPTO.
 */
enum uet_tss_status uet_tss_seal(struct uet_tss_sa *sa, const struct uet_tss_stamp *stamp,
                                 const uint8_t *in, size_t len,
                                 const struct uet_parse_options *options, uint8_t *out, size_t cap,
                                 size_t *out_len);

/*
 * Opens a whole frame: out becomes the packet in clear, lengths and IPv4 checksum made right, as
 * uet_tss_seal got it. out may be in, or must not overlap it; cap is at least len. header, which
 * may be NULL, becomes the TSS header as soon as it could be read.
 *
 * Any status but OK leaves no decrypted byte behind: in is as it was, *out_len is 0.
 */
enum uet_tss_status uet_tss_open(struct uet_tss_sa *sa, const uint8_t *in, size_t len,
                                 const struct uet_parse_options *options, uint8_t *out, size_t cap,
                                 size_t *out_len, struct uet_tss_header *header);

/*
 * The association of a header among n; NULL entries are skipped. Without one *status becomes
 * UET_TSS_UNKNOWN_SDI, or UET_TSS_NO_KEY when only the other AN slot has a key.
 */
struct uet_tss_sa *uet_tss_find(struct uet_tss_sa *const *sas, size_t n,
                                const struct uet_tss_header *header, enum uet_tss_status *status);

/*
 * The inner step, for those who lay out the packet themselves or want it wrong: header, lengths
 * and room for the ICV stand in the frame, and at says where. Key, IV and additional data follow
 * from the bytes of the frame; whether sp fits ssi-mode, or SDI and AN the association, is not
 * asked. plain is where the bytes to encrypt are: NULL for in place, else they do not overlap the
 * frame. After UET_TSS_CRYPTO the encrypted bytes are undefined.
 */
enum uet_tss_status uet_tss_seal_at(struct uet_tss_sa *sa, uint8_t *frame,
                                    const struct uet_tss_place *at, const uint8_t *plain);

/*
 * Its inverse. plain is where the decrypted bytes go: the frame's own place of them
 * (uet_tss_encrypted_from) or somewhere without overlap. When the packet is not authentic they are
 * encrypted again in the first case, and in the second they are nobody's to read: a flood of forged
 * packets should cost no more than their opening.
 */
enum uet_tss_status uet_tss_open_at(struct uet_tss_sa *sa, const uint8_t *frame,
                                    const struct uet_tss_place *at, uint8_t *plain);

/*
 * For a trimmed packet (4.1), which has lost its ICV: decrypts up to n bytes from the start of
 * encryption into out, WITHOUT any proof that they are authentic. Good for a loss NACK on a PDC
 * that exists and for nothing else (TSS-071, TSS-072). *got becomes the bytes written.
 */
enum uet_tss_status uet_tss_peek(struct uet_tss_sa *sa, const uint8_t *frame,
                                 const struct uet_tss_place *at, uint8_t *out, size_t n,
                                 size_t *got);

/*
 * Whether a header may be opened with the association: SDI, AN, sp against ssi-mode (TSS-040,
 * TSS-041), and an SSI where IPv6 needs one (TSS-017). Any failure is a silent drop.
 */
static inline enum uet_tss_status uet_tss_fits(const struct uet_tss_sa *sa,
                                               const struct uet_tss_header *h, uint8_t ip_version)
{
    if (sa->sdi != h->sdi)
        return UET_TSS_UNKNOWN_SDI;
    if (sa->an != h->an)
        return UET_TSS_NO_KEY;
    if (sa->ssi_mode && !h->sp)
        return UET_TSS_SSI;
    if (!sa->ssi_mode && h->sp && !sa->readings.unexpected_ssi_is_fit) /* TSS-041 */
        return UET_TSS_SSI;
    if (!h->sp && ip_version == 6 && sa->mode != UET_TSS_MODE_CLUSTER) /* TSS-017 */
        return UET_TSS_SSI;
    return UET_TSS_OK;
}

/*
 * A sender's counter under one key (TSS-019, TSS-022). After a change of AN: a fresh one, all zero.
 * A tester that shares key and SSI with its peer begins next at 2^47 (TSS-030).
 */
struct uet_tss_sender {
    uint32_t ssi;
    uint16_t epoch;
    uint64_t next;  /* counter of the next packet */
    uint64_t limit; /* no packet with it or beyond; 0 stands for 2^48-1 */
};

/* Takes the next counter. UET_TSS_COUNTER_END when there is none: the packet must not be sent. */
enum uet_tss_status uet_tss_next(struct uet_tss_sender *sender, struct uet_tss_stamp *stamp);

#endif
