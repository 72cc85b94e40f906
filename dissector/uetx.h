/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the plugin share: one UET packet as epan sees it. Files of packet/: layout.c
 * finds the headers, below.c what stands before them, crc.c the trailer, walk.c puts the fields of
 * the tables into the tree, computed.c what follows from them, expert.c the remarks, fields.c
 * registers the fields, and packet-uetx.c above them the rest.
 */
#ifndef UETX_UETX_H
#define UETX_UETX_H

#include "dissector/prefs.h"
#include "dissector/ws_compat.h"
#include "uet_spec.h"
#include "wire/packet.h"

/* What UET travels in. Offsets count from the first byte of frame; -1: not found. */
struct uetx_below {
    tvbuff_t *frame;  /* the data source that holds it */
    int ip;           /* IP header */
    int l4;           /* UDP header, or the entropy header of native IP */
    uint8_t version;  /* 4 or 6 when ip was found */
    uint8_t dscp;     /* meaningful when ip was found */
    uint8_t ecn;      /* likewise */
    uint16_t entropy; /* meaningful when l4 was found */
    bool native;      /* UET stands right above IP */
    bool df_clear;    /* IPv4 with DF 0 */
    bool damaged;     /* the checksum of the IPv4 header is wrong */
};

/*
 * One packet, valid while it is dissected. In p, frame is the UDP payload as captured, len its
 * length on the wire (more than was captured when the capture was cut), and offsets count from
 * the first byte of the PDS header.
 */
struct uetx_pdu {
    struct uet_packet p;
    tvbuff_t *tvb;
    packet_info *pinfo;
    struct uetx_below below;
    unsigned captured;          /* bytes of p.frame that may be read, at most p.len */
    unsigned end;               /* one past the payload: p.len, or the CRC trailer's offset */
    enum uet_header_id partial; /* the header in which the capture stops, or UET_H_NONE */
    unsigned partial_offset;
    bool crc_mismatch; /* whether there is a trailer is not known; if there is, it is wrong */
    bool trimmed;      /* a switch cut it (4.1): DSCP or UDP length tell */
    bool mirror_cut;   /* bytes lack that IP and UDP name: a mirror that truncates left them away */
    bool trimmed_dscp; /* the DSCP tells */
    bool udp_checksum; /* the UDP checksum is not 0 */
    const uint8_t *tss;          /* of a packet that was opened: its TSS header, else NULL */
    struct uet_packet_seal seal; /* ... its key, and the beginning of its ICV */
    uint8_t tss_header;          /* ... enum uet_header_id of it */
    bool refused;                /* sealed, and none of the keys for it opens it */

    /* Items that remarks are hung on; NULL when there is no tree. */
    proto_item *root;
    proto_item *type_item;
    proto_item *next_hdr_item;
    proto_item *nack_code_item;
    proto_item *return_code_item;
    proto_item *opcode_item;
};

/* Was it cut by something that told epan nothing of it? What lacks is then no exception of epan's.
 */
static inline bool uetx_ends_early(const struct uetx_pdu *u)
{
    return u->trimmed || u->mirror_cut;
}

/* below.c: finds what stands before uet, the bytes of UET as epan gave them. */
void uetx_below_find(struct uetx_below *b, tvbuff_t *uet, const packet_info *pinfo, bool native);
/* The UDP header; NULL on native IP and when it is not there. */
const uint8_t *uetx_below_udp(const struct uetx_below *b);

/*
 * Puts what epan and the frame know of the layers below into p, as uet_parse_transport wants it.
 * False when the addresses are not those of IP.
 */
bool uetx_below_values(const struct uetx_pdu *u, struct uet_packet *p);

/*
 * Notes what IP and UDP tell of the packet: u->udp_checksum, u->trimmed, and u->mirror_cut, with
 * the lengths that the packet had before the mirror.
 */
void uetx_below_read(struct uetx_pdu *u);
/* Entropy, and the roles of the DSCP where preferences name them. tvb: the entropy header of native
 * IP, or UET. */
void uetx_below_show(struct uetx_pdu *u, tvbuff_t *tvb, proto_tree *tree);
void uetx_below_register(int proto);

/* layout.c: fills u->p from the bytes; u->tvb, u->captured, u->end and u->p.len are set. */
void uetx_layout(struct uetx_pdu *u);

/*
 * crc.c: looks for the CRC trailer before the layout: sets u->p.crc_state, crc_offset,
 * crc_computed and u->end. Nothing on the wire says whether a trailer is there (3.5.25), hence the
 * preference.
 */
void uetx_crc_find(struct uetx_pdu *u, enum uetx_crc_preference preference);
void uetx_crc_show(struct uetx_pdu *u, proto_tree *tree);
void uetx_crc_register(int proto);

/* True when the last four bytes look like a trailer that does not match: no data is due there. */
bool uetx_crc_suspect(const struct uetx_pdu *u);

/* fields.c: the display filters of the specification; id is an enum uet_filter_id. */
void uetx_fields_register(int proto);
int uetx_field(uint16_t id);
/* The hf of field i of a header; UETX_NO_ID for reserved bits. */
int uetx_field_at(enum uet_header_id id, unsigned i);
/* The hf of a display filter that a field of the headers has; UETX_NO_ID when none does. */
int uetx_field_named(const char *abbrev);

/*
 * walk.c: all headers of the packet, each a subtree. The header in which the capture stops comes
 * last and by itself: it ends in epan's exception for a cut packet.
 */
void uetx_walk(struct uetx_pdu *u, proto_tree *tree);
void uetx_walk_partial(struct uetx_pdu *u, proto_tree *tree);
/* One header of n bytes at offset at of the packet; without a tree only its reserved bits. */
proto_tree *uetx_walk_header(struct uetx_pdu *u, proto_tree *tree, enum uet_header_id id,
                             unsigned at);
bool uetx_reserved_set(const struct uetx_pdu *u); /* in any header of the packet */
void uetx_walk_register(int proto);

/* values.c: is a reserved bit set, has an enumeration a reserved value, in a header of which n
 * bytes are there? */
bool uetx_reserved_in(enum uet_header_id id, const uint8_t *h, unsigned n);
/* Has field f of the header at h such bits? */
bool uetx_reserved_bits(enum uet_header_id id, const struct uet_field *f, const uint8_t *h);
bool uetx_values_in(enum uet_header_id id, const uint8_t *h, unsigned n);
/* Remarks on field f of the header at `at`, when its value is reserved. */
void uetx_value_remark(struct uetx_pdu *u, proto_item *item, const struct uet_field *f,
                       unsigned at);
void uetx_values_register(int proto);

/* vendor.c: gives a vendor's part to the dissector that registered for it: the packet, from the
 * prologue on, the n bytes behind the SES header, the state of a PDS header. False: there is none.
 */
bool uetx_vendor_packet(const struct uetx_pdu *u, proto_tree *tree);
bool uetx_vendor_payload(const struct uetx_pdu *u, unsigned at, unsigned n, proto_tree *tree);
void uetx_vendor_state(const struct uetx_pdu *u, enum uet_header_id id, unsigned at,
                       proto_tree *tree);
void uetx_vendor_register(int proto);

/* computed.c: what follows from the fields of one header, as generated items of its subtree. */
void uetx_computed_show(struct uetx_pdu *u, enum uet_header_id id, proto_tree *tree);
/* The PSNs that a SACK bitmap reports, under its item. */
void uetx_sacked_show(struct uetx_pdu *u, proto_item *bitmap);
void uetx_computed_register(int proto);

/*
 * strange.c: after uetx_walk, what stands behind the headers it read and is no payload. What is
 * shown moves u->p.payload_offset on.
 */
void uetx_strange_show(struct uetx_pdu *u, proto_tree *tree);
void uetx_strange_register(int proto);

/* expert.c: remarks on a packet whose tree is built; reserved bits while it is built. */
void uetx_expert(struct uetx_pdu *u);
void uetx_expert_reserved(struct uetx_pdu *u, proto_item *item, const struct uet_field *f);
/* f reads differently as others read it. */
void uetx_expert_contested(struct uetx_pdu *u, proto_item *item, const struct uet_field *f,
                           uint64_t here, uint64_t other);
/* Who alone sends this header, or which versions alone have it. */
void uetx_expert_variant(struct uetx_pdu *u, proto_item *item, const struct uet_header *h);
void uetx_expert_tss_short(struct uetx_pdu *u, proto_item *item);
void uetx_expert_crc_suspect(struct uetx_pdu *u, proto_item *item);
void uetx_expert_register(int proto);
expert_field *uetx_expert_crc_bad(void);

#endif
