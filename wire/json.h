/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets as JSON. Numbers are numbers, addresses and byte strings are text, enumerated values are
 * numbers with their name beside them in "names". Objects are new references: the caller owns
 * them (json_decref). NULL when memory ran out.
 */
#ifndef UET_WIRE_JSON_H
#define UET_WIRE_JSON_H

#include <jansson.h>

#include "wire/packet.h"

/*
 * The packet: {"layers": [{"header": "rud_rod_req", "offset": 42, "fields": {"type": 2, ...},
 * "names": {"type": "RUD_REQ", ...}}, ...], "computed": {"clear_psn": ...},
 * "payload": {"offset", "length"}, "crc": "good", "error": {"what", "offset"}}.
 * Members that do not apply are left out.
 */
json_t *uet_json_packet(const struct uet_packet *p);

/* One whole header at h: {"header", "fields", "names"}. */
json_t *uet_json_header(enum uet_header_id id, const uint8_t *h);

#endif
