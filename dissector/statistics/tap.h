/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the statistics get of each packet: tap "uetx". Lives as long as the packet. */
#ifndef UETX_TAP_H
#define UETX_TAP_H

#include "dissector/state/state.h"

enum { UETX_TAP_NONE = 0xffff };

struct uetx_tap {
    const struct uetx_state *state; /* NULL: none */
    uint8_t type;                   /* enum uet_pds_type */
    uint16_t opcode;                /* of a SES request, else UETX_TAP_NONE */
    uint16_t return_code;           /* of a SES response, else UETX_TAP_NONE */
    uint16_t nack_code;             /* else UETX_TAP_NONE */
    uint16_t ctl_type;              /* of a Control Packet, else UETX_TAP_NONE */
    uint8_t crc_state;              /* enum uet_crc_state */
    uint16_t icv_status;            /* enum of proto_checksum_vals, or UETX_TAP_NONE */
    bool trimmed;
    bool job_known;
    uint32_t job_id;
    uint32_t payload; /* bytes */
};

/* tap.c: gives the packet to whoever listens. icv_status: UETX_TAP_NONE without TSS. */
void uetx_tap(const struct uetx_pdu *u, const struct uetx_state *s, uint16_t icv_status);
void uetx_tap_register(void);

/* The JobID of a message, or of the one that a response answers. False: the packet has none. */
bool uetx_job_of(const struct uetx_pdu *u, const struct uetx_state *s, uint32_t *job_id);

/* conversations.c: gives the packet to the tables by PDC and by job. */
bool uetx_conversations_wanted(void);
void uetx_conversations(packet_info *pinfo, const struct uetx_tap *t);
void uetx_conversations_register(int proto); /* -z conv,uetx, conv,uetx_pdc, endpoints,uetx ... */

/* conversation_filter.c: keeps what the filters need; when the packet has a tree. */
void uetx_conversation_note(const struct uetx_pdu *u, const struct uetx_state *s);
void uetx_conversation_filter_register(int proto);

void uetx_counters_register(void);    /* -z uetx,tree */
void uetx_trees_register(void);       /* -z uetx_pdcs,tree, uetx_times,tree */
void uetx_pdc_table_register(void);   /* -z uetx,pdc */
void uetx_times_register(int proto);  /* -z uetx,srt */
void uetx_flow_register(int proto);   /* -z flow,uetx,standard */
void uetx_export_register(void);      /* -U UETX */
void uetx_follow_register(int proto); /* -z follow,uetx,hex,0; Analyze > Follow */

/* export.c: the packet in clear, for saving. */
void uetx_export(const struct uetx_pdu *u);

/* follow.c: the payload of a packet, for following. */
void uetx_follow(const struct uetx_state *s, packet_info *pinfo, tvbuff_t *payload);

/* objects.c: a whole message, for who saves them. */
void uetx_object(const struct uetx_state *s, const struct uetx_pdu *u, tvbuff_t *message,
                 uint16_t resource_index);
void uetx_objects_register(int proto); /* --export-objects uetx,DIRECTORY */

#endif
