/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Key files (3.7): which keys there are, and what a FEP needs to know of its secure domains. One
 * file serves all: FEP, tester, `uetconform check`, uetcat, and Wireshark as its key log.
 *
 * A line for each key, of one AN slot of one domain:
 *
 *     UET_SD sdi=0x000001 an=0 mode=cluster key=<64 hexadecimal digits>
 *
 *     sdi=         the domain, 24 bits (required)
 *     an=          0, 1, or any (the default; a FEP takes it as 0)
 *     mode=        direct, cluster (the default) or server (3.7.8); a client of a server has its
 *                  derived key and IV mask as direct
 *     key=         (required)
 *     iv_mask=     24 digits; mode direct only
 *     ssi=         no, yes, or any (the default; a FEP takes it as no): do packets carry an SSI?
 *     rekey_mask=, rekey_shift=
 *                  automatic rekey: a mask of 48 bits, 0 for none, and 0 to 47
 *     encrypt_from=
 *                  the first encrypted byte, from the first of the TSS header on; 0: behind that
 *     name=        for people
 *
 * A line for a domain, which may be left out, with what the FEP that reads it does there. Who only
 * opens packets passes it over:
 *
 *     UET_DOMAIN sdi=0x000001 tx=0 epoch=0 ssi=7 jobs=any start=expected-0rtt
 *
 *     sdi=         (required)
 *     tx=          the AN to seal with; by default the one that the domain's first key has
 *     epoch=       to seal with, 0 to 65535; 0 by default
 *     ssi=         this FEP's own, 32 bits; makes ssi=yes of ssi=any
 *     jobs=        JobIDs that it serves, as 1,2,0x30 (at most 8), or any (the default)
 *     start=       how its target checks Start_PSN: expected-0rtt (the default) or random-1rtt
 *     max_epoch_age=
 *                  how many epochs a packet may be late, 0 to 32767; 16 by default
 *     auth_fail_threshold=
 *                  more packets than this with a wrong ICV latch the domain; 1000 by default
 *     counter_limit=
 *                  the counter at which sealing under one key ends, up to 2^48-1, the default
 *
 * All other lines are for others. A column that is not known is an error, so that none is lost.
 * Neither a message nor anything else shows a key.
 */
#ifndef UET_WIRE_KEYFILE_H
#define UET_WIRE_KEYFILE_H

#include <stddef.h>
#include <stdio.h>

#include "wire/tss.h"

enum { UET_KEY_AN_ANY = 2 };
enum uet_key_ssi { UET_KEY_SSI_ANY, UET_KEY_SSI_NO, UET_KEY_SSI_YES };

/* A line UET_SD. */
struct uet_key {
    struct uet_tss_params params; /* an 0 where it is any; client UET_CLIENT_PEER */
    uint8_t an, ssi;              /* 0, 1 or UET_KEY_AN_ANY; enum uet_key_ssi */
};

enum uet_key_start { UET_KEY_EXPECTED_0RTT, UET_KEY_RANDOM_1RTT };

#define UET_KEY_JOBS_MAX 8

/* A line UET_DOMAIN; the defaults where a domain has keys alone. */
struct uet_key_domain {
    uint32_t sdi;
    uint8_t tx; /* 0 or 1; the slot has a key */
    bool has_ssi;
    uint32_t ssi;
    uint16_t epoch;
    uint16_t max_epoch_age;
    uint32_t auth_fail_threshold;
    uint64_t counter_limit;
    uint8_t start;  /* enum uet_key_start */
    uint8_t n_jobs; /* 0: any */
    uint32_t jobs[UET_KEY_JOBS_MAX];
};

/* One that has no line: every default, and slot 0. */
struct uet_key_domain uet_key_domain_usual(uint32_t sdi);

/* In the order of the file. Each SDI of a key has exactly one domain. */
struct uet_keyfile {
    size_t n_keys, n_domains;
    struct uet_key *keys;
    struct uet_key_domain *domains;
};

/*
 * Reads a file, or a pipe. NULL when it cannot be read, a line is wrong or there is no key: err
 * then says where, what, and how to mend it. On success err is empty, or tells that the file is not
 * as safe as keys should be: others can read or change it. The caller frees it.
 */
struct uet_keyfile *uet_keyfile_read(const char *path, char *err, size_t size);

/* The same of n bytes of text, named `name` in messages; the text is left as it is. */
struct uet_keyfile *uet_keyfile_parse(const char *text, size_t n, const char *name, char *err,
                                      size_t size);

/* Wipes the keys, too. NULL is fine. */
void uet_keyfile_free(struct uet_keyfile *file);

/* The key of a slot, as a FEP takes it: any AN is slot 0. NULL: there is none. */
const struct uet_key *uet_keyfile_slot(const struct uet_keyfile *file, uint32_t sdi, uint8_t an);

/*
 * The AN of which the domain has several keys, one not as the other; -1: none. A key log may have
 * them; who seals with it cannot know which one is in force.
 */
int uet_keyfile_unsure(const struct uet_keyfile *file, uint32_t sdi);

/* Does it seal and open packets with this SDI and AN? The SSI is not looked at. */
static inline bool uet_key_fits(const struct uet_key *key, uint32_t sdi, uint32_t an)
{
    return key->params.sdi == sdi && (key->an == UET_KEY_AN_ANY || key->an == an);
}

/* Whether two keys are the same in all that packets show; in constant time for the secret part. */
bool uet_key_equal(const struct uet_key *a, const struct uet_key *b);

/*
 * Writes the line UET_SD of a key, or the line UET_DOMAIN, with which uet_keyfile_parse makes it
 * again. The key then stands in the memory of `out`, too: for keys that are nobody's secret. Errors
 * are those of `out`.
 */
void uet_key_write(FILE *out, const struct uet_key *key);
void uet_key_domain_write(FILE *out, const struct uet_key_domain *d);

#endif
