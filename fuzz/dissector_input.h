/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inputs of fuzz_dissector.c: two bytes of preferences, then packets. A packet has a head of
 * seven bytes: what it is, half the microseconds since the one before, which key, how many bytes
 * the capture lacks at its end, and how many follow (both little-endian). What follows is the
 * packet from the PDS header on.
 */
#ifndef UET_FUZZ_DISSECTOR_INPUT_H
#define UET_FUZZ_DISSECTOR_INPUT_H

enum {
    /* First byte. */
    DIN_RULES = 0x07,   /* preference uetx.rules, modulo 5 */
    DIN_CRC = 0x18,     /* preference uetx.crc, modulo 3 */
    DIN_TREE = 0x20,    /* the first pass has a tree */
    DIN_COMPARE = 0x40, /* passes in other orders must say the same */
    /* Second byte. */
    DIN_UNTRACKED = 0x01,
    DIN_RELATIVE = 0x02,
    DIN_NEVER_TWICE = 0x04, /* preference uetx.twice_us is 0 */
    DIN_APART = 0x08,       /* uetx.reassemble_kib is 0 */
    DIN_HEURISTIC = 0x10,   /* to another port: the heuristic finds it */
    DIN_SPEC = 0x60,        /* preference uetx.spec, modulo 3 */

    /* What a packet is: first byte of its head. */
    DIN_KIND = 0x03,
    DIN_UDP = 0,    /* an UDP header is put before it */
    DIN_NATIVE = 1, /* an entropy header is */
    DIN_SEALED = 2, /* it is sealed with TSS (UDP), by the key named */
    DIN_IP = 3,     /* it begins with its IP header */
    DIN_IPV6 = 0x04,
    DIN_BACK = 0x08,         /* from the other side */
    DIN_TRIMMED = 0x10,      /* its DSCP says trimmed */
    DIN_PROTECT = 0x20,      /* a CRC trailer is put behind it */
    DIN_WRONG_LENGTH = 0x40, /* the UDP length is 9 more */

    DIN_HEAD = 7,
    DIN_PACKETS = 64,
    DIN_TRIMMED_DSCP = 5,
};

#endif
