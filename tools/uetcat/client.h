/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference FEP as the client that speaks to the FEP at a link's address. */
#ifndef UETCAT_CLIENT_H
#define UETCAT_CLIENT_H

#include "refimpl/fep.h"
#include "tools/uetcat/domain.h"
#include "tools/uetcat/link.h"

struct uetcat_client {
    struct uetcat_link *link;
    struct uet_fep *fep;
    void *memory;
    bool heard;        /* a packet of the other FEP came */
    uint64_t heard_ns; /* when that was last; until then the time of the opening */
    bool nacked;
    uint8_t nack_code; /* of the last NACK that came, when nacked */
    /* Sees each packet sent, and each sound one of the other FEP before the client does; or NULL.
     */
    void (*watch)(void *ctx, const struct uet_packet *p, bool sent, uint64_t now_ns);
    /* May give a packet that is sent another entropy value: true with the value. NULL: those of the
     * link take turns. */
    bool (*pick)(void *ctx, const struct uet_packet *p, uint16_t *entropy);
    void *watch_ctx;
    struct uetcat_domain domain;  /* with --keys; file NULL: packets are in clear */
    uint8_t clear[UET_FRAME_MAX]; /* a packet that was opened */
    uint64_t
        not_had; /* packets that left by another entropy value: a port of the kernel was taken */
};

/*
 * What the link's options say of the client, and room for one conversation with at most `packets`
 * outstanding. The caller may change it before uetcat_client_open. payload_mtu 0 is what the link
 * carries, at most 4096.
 */
struct uet_fep_config uetcat_client_config(const struct uetcat_link *l, uint32_t packets);

/*
 * Makes the client on an open link, of which it has the address; false after a message.
 */
bool uetcat_client_open(struct uetcat_client *c, struct uetcat_link *l,
                        const struct uet_fep_config *config);

/* Sends what is to be sent, and receives until the deadline, once, or until a timer runs. */
void uetcat_client_step(struct uetcat_client *c, uint64_t deadline_ns);

/*
 * Closes its PDCs and waits for that, until the deadline or the next signal at most; not if nobody
 * has answered: there is nothing to close (3.5.8.3).
 */
void uetcat_client_hang_up(struct uetcat_client *c, uint64_t deadline_ns);

/* Frees it; the link stays. */
void uetcat_client_close(struct uetcat_client *c);

#endif
