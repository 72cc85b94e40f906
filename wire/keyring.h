/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opening captured packets (3.7) with the keys of a file (keyfile.h).
 */
#ifndef UET_WIRE_KEYRING_H
#define UET_WIRE_KEYRING_H

#include "wire/keyfile.h"

struct uet_keyring;

/*
 * Reads a file of keys. NULL with a message, or err as uet_keyfile_read leaves it. The caller frees
 * it.
 */
struct uet_keyring *uet_keyring_read(const char *path, char *err, size_t size);

/* The same of keys that are read; they are needed no longer than during the call. */
struct uet_keyring *uet_keyring_new(const struct uet_keyfile *file, const char *name, char *err,
                                    size_t size);

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
 * p->seal tells the key and the readings that opened it.
 *
 * false: no key fits, and p and what clear points to are as they were, but for p->seal.refused.
 */
bool uet_keyring_open(struct uet_keyring *ring, struct uet_packet *p, size_t captured,
                      const struct uet_parse_options *options, uint8_t *clear);

#endif
