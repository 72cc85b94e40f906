/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Secure domains as the user knows them: rows of the table "uetx_sd" and lines of a key-log file.
 * Nothing on the wire tells these settings (3.7.4). Keys are never shown.
 */
#ifndef UETX_KEYS_H
#define UETX_KEYS_H

#include "dissector/ws_compat.h"

#define UETX_KEY_BYTES     32u
#define UETX_IV_MASK_BYTES 12u

enum uetx_keying {
    UETX_KEYING_DIRECT,  /* key and IV mask are used as they stand; a client of a server, too */
    UETX_KEYING_CLUSTER, /* derived for the sender */
    UETX_KEYING_SERVER,  /* derived for the client */
};

enum { UETX_AN_ANY = 2 };
enum uetx_ssi_mode { UETX_SSI_ANY, UETX_SSI_NO, UETX_SSI_YES };

struct uetx_key {
    char *name; /* for people */
    guint32 sdi;
    guint an;             /* 0, 1 or UETX_AN_ANY */
    guint mode;           /* enum uetx_keying */
    guint ssi;            /* enum uetx_ssi_mode */
    uetx_uat_byte_t *key; /* key_len is UETX_KEY_BYTES */
    guint key_len;
    uetx_uat_byte_t *iv_mask; /* NULL, or iv_mask_len is UETX_IV_MASK_BYTES */
    guint iv_mask_len;
    guint64 rekey_mask; /* 0: no automatic rekey */
    guint rekey_shift;
    guint encrypt_from; /* bytes from the first of TSS; 0: right behind its header */
};

/*
 * The next key for an SDI and AN after k (NULL: the first), or NULL. Valid until the preferences
 * change.
 */
const struct uetx_key *uetx_keys_next(uint32_t sdi, uint8_t an, const struct uetx_key *k);

/* Counts up with every change of the keys. */
unsigned uetx_keys_version(void);

/* Which of all keys it is, from 1 on. */
uint16_t uetx_keys_number(const struct uetx_key *k);

/* Reads the key-log file again when it has grown (a capture that is still being made). */
void uetx_keys_refresh(void);

void uetx_keys_register(module_t *module);

#endif
