/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One header alone: bytes to fields and back, by the names of the data. JSON is written and read
 * here and not by a library because numbers have up to 128 bits.
 */
#ifndef UET_GEN_HEADER_H
#define UET_GEN_HEADER_H

#include <stdio.h>

#include "gen/lang.h"

/*
 * The header of that name, or short name ("pds.ack"). UET_H_NONE with error->text filled (nearest
 * names in it) when there is none.
 */
enum uet_header_id uet_gen_header(const char *name, struct uet_gen_error *error);

/*
 * {"header":"ack","fields":{"type":7,...}}, without a newline: every field in wire order, numbers
 * as numbers however long, addresses as text. bytes: all of the header.
 */
void uet_gen_header_json(FILE *out, enum uet_header_id id, const uint8_t *bytes);

/*
 * Fills a header (uet_headers[id].bytes at out) from "psn=5,syn=1", from a JSON object of fields,
 * or from such a one as uet_gen_header_json writes. What is not given is 0, except what makes the
 * header the one it is. Any value that fits is taken, reserved bits too. 0, or -EINVAL with *error
 * saying what, at which place of the text.
 */
int uet_gen_header_fill(enum uet_header_id id, const char *text, uint8_t *out,
                        struct uet_gen_error *error);

#endif
