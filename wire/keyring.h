/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The keys of a key-log file, and opening captured packets with them (3.7). A line for each key:
 *
 *     UET_SD sdi=0x000001 an=0 mode=cluster key=<64 hexadecimal digits>
 *
 * further columns: ssi=any|no|yes iv_mask=<24 digits> rekey_mask= rekey_shift= encrypt_from= name=.
 * an is any and mode cluster by default; mode direct is also that of a client of a server. Other
 * lines are for others and passed over. Neither a message nor anything else shows a key.
 */
#ifndef UET_WIRE_KEYRING_H
#define UET_WIRE_KEYRING_H

#include <stdio.h>

#include "wire/tss.h"

struct uet_keyring;

/*
 * Reads a key log, named `name` in messages. NULL when a line is wrong, has an unknown column, or
 * there is no key at all: err then says where, what and how to mend it. The caller frees it.
 */
struct uet_keyring *uet_keyring_read(FILE *file, const char *name, char *err, size_t err_size);

/* Wipes the keys, too. NULL is fine. */
void uet_keyring_free(struct uet_keyring *ring);

/*
 * Goes on with a packet that uet_parse left sealed. Every key of its SDI and AN is tried, in every
 * reading that public sources leave open. When one opens it, clear becomes a copy of the frame with
 * what was encrypted in clear, and p the packet in it, as by uet_parse_opened; true. clear has
 * p->len bytes and lives as long as p.
 *
 * captured: bytes of the frame that are there, at most p->len. A packet that a switch or the
 * capture has cut has no ICV to verify: its beginning must then make sense as a PDS header, and
 * only what is in the frame is read (p->partial).
 *
 * false: no key fits, and p and what clear points to are as they were.
 */
bool uet_keyring_open(struct uet_keyring *ring, struct uet_packet *p, size_t captured,
                      const struct uet_parse_options *options, uint8_t *clear);

#endif
