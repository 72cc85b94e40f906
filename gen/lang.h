/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets written in one line:
 *
 *     eth/ip(src=192.0.2.11)/udp/pds.rud_req(psn=1..100,syn=1)/ses.std(opcode=write)/data(64)
 *
 * Grammar, blanks between tokens free:
 *     line  = layer { "/" layer }
 *     layer = [ "!" ] NAME [ "(" [ arg { "," arg } ] ")" ]
 *     arg   = [ "!" ] FIELD "=" value | value           value alone: the length of data, pad, cut
 *     value = item | "{" item { "," item } "}"
 *     item  = ATOM [ ".." ATOM [ "+" NUMBER ] ]         a range, both ends included, and its step
 *     ATOM  = number | enumerator | address | hex digits | 'text'
 *
 * NAME is a header of the data or a short name (gen/names.h), or one of
 *     data(N, fill=B | hex=.. | text='..')  payload; N bytes count 0, 1, 2 .. unless filled
 *     pad(..)   the same after the end of the IP packet; cut(N)   the last N bytes are not there
 *     tss(.., key=..)  seals what follows: key= 32 bytes in hexadecimal,
 * mode=direct|cluster|server, iv_mask=, rekey_mask=, rekey_shift=, encrypt_from=,
 * client=peer|self|src|dst, udp_in_aad=0|1 (wire/tss.h); key and settings may come from a key file
 * instead; tss_hdr_12 and tss_hdr_16 stand there in clear
 *
 * FIELD is a field of the header, in full or after its last dot. Fields that are not written get
 * what makes the packet right: what leads the parser to the next layer, lengths, checksums, CRC,
 * else a default. A value that makes the packet wrong needs the "!"; so does a layer that cannot
 * follow the one before it. `!bytes=N` cuts a header to N bytes with all lengths right.
 *
 * Several values make several packets: the cartesian product, the last list running fastest.
 */
#ifndef UET_GEN_LANG_H
#define UET_GEN_LANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

#define UET_GEN_LINE_MAX  32768   /* bytes of a line: 9600 of data in hexadecimal fit */
#define UET_GEN_COUNT_MAX 1000000 /* a usual limit on the packets of one line */

/* What is wrong with a line, and where. */
struct uet_gen_error {
    size_t at, len; /* the bytes of the line that are meant; len may be 0, at its end */
    char text[280]; /* a sentence, without a full stop */
};

struct uet_gen;

/*
 * Reads a line. *out is freed by uet_gen_free. 0; -EINVAL with *error filled (also when the line
 * stands for more than `limit` packets); -ENOMEM. What depends on the values of a sweep shows only
 * when its packet is made.
 */
int uet_gen_new(struct uet_gen **out, const char *line, uint64_t limit,
                struct uet_gen_error *error);

struct uet_keyfile;

/*
 * The same; a tss() without key= is sealed with the key that the file has for its SDI and AN, and
 * as the file says. The file is needed no longer than during the call.
 */
int uet_gen_new_with_keys(struct uet_gen **out, const char *line, uint64_t limit,
                          const struct uet_keyfile *keys, struct uet_gen_error *error);

/* A tss() of the line has its key of that file. */
bool uet_gen_sealed_by_file(const struct uet_gen *gen);

/* NULL is allowed. Wipes keys. */
void uet_gen_free(struct uet_gen *gen);

/* How many packets it stands for, at least 1. */
uint64_t uet_gen_count(const struct uet_gen *gen);

/* What is known of a packet besides its bytes. */
struct uet_gen_about {
    uint8_t start;   /* enum uet_start: what its first byte is */
    uint8_t protect; /* enum uet_protect: ends in a CRC trailer */
    bool wrong;      /* something with "!" made it differ from the right packet */
    bool sealed;     /* by TSS */
};

/*
 * Makes packet i (0 first) into out. Returns its bytes; -EINVAL with *error filled; -ENOBUFS when
 * cap is too small (UET_FRAME_MAX always does). No heap. about may be NULL.
 */
int uet_gen_packet(struct uet_gen *gen, uint64_t i, uint8_t *out, size_t cap,
                   struct uet_gen_about *about, struct uet_gen_error *error);

/* The line of packet i alone, its values in the place of the lists; keys are left out ("key=..").
 * As snprintf. */
int uet_gen_line(const struct uet_gen *gen, uint64_t i, char *out, size_t cap);

/*
 * The line that makes these bytes, as short as it can be: only what is not what it would be
 * anyway. Always exact: what is not understood is written as data(hex=..). As snprintf, or -ENOMEM,
 * or -EMSGSIZE for a frame above UET_FRAME_MAX; options as for uet_parse.
 */
int uet_gen_describe(const uint8_t *frame, size_t len, const struct uet_parse_options *options,
                     char *out, size_t cap);

/* Every name of a layer, and every field of one, for listings: tell is called for each. */
void uet_gen_each_layer(void (*tell)(void *ctx, const char *name, const char *title), void *ctx);
int uet_gen_each_field(const char *layer, void (*tell)(void *ctx, const struct uet_field *f),
                       void *ctx, struct uet_gen_error *error);

#endif
