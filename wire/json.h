/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets as JSON. Fields of at most 32 bits are numbers, flags are booleans; addresses, byte
 * strings and wider fields (keys, offsets, header data: JSON readers keep 53 bits) are text,
 * "0x0123456789abcdef". Enumerated values are numbers, their names stand in "names". Objects are
 * new references, the caller's (json_decref). NULL when memory ran out.
 */
#ifndef UET_WIRE_JSON_H
#define UET_WIRE_JSON_H

#include <jansson.h>

#include "wire/packet.h"

/*
 * The packet: {"summary": uet_print_line, "length": bytes of the frame,
 *  "layers": [{"header": "rud_rod_req", "offset": 42, "fields": {"type": 2, ...},
 *    "names": {"type": "RUD_REQ", ...}, "computed": {"clear_psn": ...}}, ...],
 *  "payload": {"offset", "length"}, "crc": "absent", "good", "bad" or "unchecked",
 *  "sealed": true, "trimmed": "trimmed", "lasthop" or "by length", "lost": bytes that a trim took,
 *  "stops in": "rud_rod_req", "error": {"what", "offset"}}.
 * A layer that only one implementation sends says whose it is: "implementation". Members that do
 * not apply are left out.
 */
json_t *uet_json_packet(const struct uet_packet *p);

/* One whole header at h: {"header", "fields", "names"}. */
json_t *uet_json_header(enum uet_header_id id, const uint8_t *h);

#endif
