/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ARP (RFC 826) and IPv6 neighbour discovery (RFC 4861) for addresses that the kernel does not
 * have: a table of who is where, the answers we owe, the questions we ask. No socket, no clock.
 */
#ifndef UET_PORT_NEIGHBOUR_H
#define UET_PORT_NEIGHBOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/addr.h"

enum {
    UET_NEIGH_SETS = 256, /* the table: sets by a hash of the address, ways in each */
    UET_NEIGH_WAYS = 4,
    UET_NEIGH_FRAME = 14 + 8 + 40 + 32, /* the longest question or answer: ND behind two tags */
};

struct uet_neigh_entry {
    struct uet_ip ip; /* version 0: free */
    struct uet_mac mac;
    bool fixed;           /* given by the configuration: never forgotten, never changed */
    uint64_t heard_at_ns; /* when it last said so itself */
};

struct uet_neigh {
    const struct uet_ip *owned; /* our own addresses; the caller's, kept for the table's life */
    size_t n_owned;
    struct uet_neigh_entry entries[UET_NEIGH_SETS][UET_NEIGH_WAYS];
};

/* What uet_neigh_input made of a frame. */
struct uet_neigh_result {
    bool consumed;                  /* it was ARP or ND and is of no use to anybody else */
    struct uet_ip learnt;           /* whose MAC address it told; version 0: nobody's */
    uint32_t reply_len;             /* bytes of the answer to send; 0: none */
    uint8_t reply[UET_NEIGH_FRAME]; /* the answer, with the request's VLAN tags */
};

bool uet_neigh_owns(const struct uet_neigh *neigh, const struct uet_ip *ip);

/* Writes an entry; a fixed one stays. The oldest one of a full set is forgotten. */
void uet_neigh_learn(struct uet_neigh *neigh, const struct uet_ip *ip, const struct uet_mac *mac,
                     bool fixed, uint64_t now_ns);

/* The entry of an address; NULL when it is not known. */
const struct uet_neigh_entry *uet_neigh_find(const struct uet_neigh *neigh,
                                             const struct uet_ip *ip);

/* The MAC address that every group address maps to (RFC 1112, RFC 2464); false: not a group. */
bool uet_neigh_group_mac(const struct uet_ip *ip, struct uet_mac *mac);

/*
 * Looks at a received frame: learns from it, answers it when it asks for an owned address.
 * Every length and, for ND, hop limit and checksum are checked; what fails teaches nothing.
 */
void uet_neigh_input(struct uet_neigh *neigh, const uint8_t *data, uint32_t len, uint64_t now_ns,
                     struct uet_neigh_result *result);

/*
 * Writes the question "who has dst?" of src into out (UET_NEIGH_FRAME bytes), behind the given
 * VLAN tags (0, 4 or 8 bytes). Returns its length; 0 when the versions differ.
 */
uint32_t uet_neigh_request(const struct uet_ip *src, const struct uet_ip *dst, const uint8_t *tags,
                           uint32_t tags_len, uint8_t *out);

/*
 * Writes the question whether anybody has `ip` already (RFC 5227 2.1.1, RFC 4862 5.4.2) into out
 * (UET_NEIGH_FRAME bytes): without a sender, so that nobody's table is spoilt. Returns its length.
 */
uint32_t uet_neigh_probe(const struct uet_ip *ip, const struct uet_mac *from, uint8_t *out);

/*
 * Does this frame say that somebody else has `ip`, or is about to take it? What comes from the MAC
 * address `own` is our own question. *by: the frame's source.
 */
bool uet_neigh_claimed(const uint8_t *data, uint32_t len, const struct uet_ip *ip,
                       const struct uet_mac *own, struct uet_mac *by);

#endif
