/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transport security (3.7): the second implementation beside wire/tss.c, on libgcrypt, so that
 * one mistake does not stand in both. What a packet does not tell is tried: the ICV decides.
 */
#ifndef UETX_TSS_H
#define UETX_TSS_H

#include "dissector/sealed/keys.h"
#include "dissector/uetx.h"

struct uetx_tss {
    /* The header (Table 3-90). */
    bool sp;
    uint8_t an;
    uint32_t sdi, ssi;
    uint16_t epoch;
    uint64_t counter;
    unsigned header_bytes; /* 12 or 16 */

    uint8_t status;             /* PROTO_CHECKSUM_E_GOOD, _BAD or _UNVERIFIED */
    const char *why;            /* why it is not good */
    bool short_of_icv;          /* malformed: no room for one */
    unsigned tried;             /* keys that did not open it */
    const struct uetx_key *key; /* that opened it, or that was used without a check */
    const char *source;         /* what its key was derived for, or NULL */
    const char *aad;            /* which reading of the additional data fits, or NULL */
    unsigned protected;         /* bytes on the wire between header and ICV */
    unsigned icv_offset;        /* in the bytes of UET; 0: there is none */
    tvbuff_t *clear;            /* PDS and what follows; NULL: not known */
};

/* Does the packet begin with a TSS header that is there in whole? */
bool uetx_tss_is(tvbuff_t *uet);

/* Reads the header and opens the packet where a key is known. trimmed: a switch took the ICV. */
void uetx_tss_open(struct uetx_tss *t, const struct uetx_below *below, tvbuff_t *uet,
                   packet_info *pinfo, bool trimmed);

/* What the rules ask of a packet that was opened: its key, and the beginning of its ICV. */
void uetx_tss_seal(const struct uetx_tss *t, const struct uetx_pdu *raw,
                   struct uet_packet_seal *seal);

/* The header, before what it protects; and the ICV, after. u holds the bytes as captured. */
void uetx_tss_show_header(const struct uetx_tss *t, struct uetx_pdu *u, proto_tree *tree);
void uetx_tss_show_icv(const struct uetx_tss *t, struct uetx_pdu *u, proto_tree *tree);

/* "TSS sdi=0x000001 an=0 ": before the line of what is inside. */
void uetx_tss_columns(const struct uetx_tss *t, const struct uetx_pdu *u);

void uetx_tss_register(int proto);

#endif
