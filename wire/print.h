/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets in words: one line for logs and failure messages, and a full dump for people.
 *
 * The functions here that write work as snprintf does: they write at most n bytes into out (NUL
 * included when n > 0) and return the length that the whole text has, without the NUL. out may be
 * NULL when n is 0. No heap, no global state; any thread.
 */
#ifndef UET_WIRE_PRINT_H
#define UET_WIRE_PRINT_H

#include <stddef.h>

#include "wire/packet.h"

#define UET_LINE_MAX 512 /* bytes that hold any uet_print_line, with the NUL */

/*
 * One line, without addresses and newline:
 *   RUD_REQ syn ar psn=0x12345678+0 0x1001>new WRITE id=7 job=1 pid=3 ri=5 off=0 len=64 som eom ..
 *   ACK cack=0x12345678 ack=0x12345679 0x2001>0x1001 req=CLEAR RESPONSE RC_BAD_MKEY id=7 ..
 *   NACK UET_INV_DPDCID psn=0x12345678 0x0000>0x1001
 *   CP CLOSE_COMMAND ar psn=0x12345680 0x1001>0x2001
 *   RUDI_REQ pkt=0x00000007 READ small job=1 pid=3 ri=5 off=0 len=8 som eom
 *   TSS sdi=0x000001 an=0 epoch=0 counter=7 sealed +80 bytes
 * PDCIDs are spdcid>dpdcid; a syn packet shows "new" in the place of dpdcid and its psn_offset
 * after the psn. What only one implementation sends is named in square brackets. A trimmed packet
 * says so, with the bytes it lost. A packet with a parse error shows what was read, then "!" and
 * the error with its offset.
 */
int uet_print_line(char *out, size_t n, const struct uet_packet *p);

/* The same with the IP addresses before it: "192.0.2.1 > 192.0.2.2 RUD_REQ ...". */
int uet_print_addressed(char *out, size_t n, const struct uet_packet *p);

/*
 * Everything, layer by layer and field by field with the names of the specification, the names of
 * enumerated values and what follows from the fields (CLEAR_PSN, ACK_PSN, Start_PSN ...). Ends
 * with a newline.
 */
int uet_print_packet(char *out, size_t n, const struct uet_packet *p);

/* The name of an enumerator as lines have it: "WRITE" for UET_WRITE. See uet_enum_name. */
const char *uet_print_name(uint8_t enumeration, uint32_t value);

/* One field's value in words: "0x12345678", "-1", "RUD_REQ (2)", "192.0.2.1". h is its header. */
int uet_print_field(char *out, size_t n, const struct uet_field *f, const uint8_t *h);

#endif
