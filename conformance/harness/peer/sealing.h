/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets under a secure domain (3.7): sealed on their way out, opened on their way in. */
#ifndef UET_HARNESS_PEER_SEALING_H
#define UET_HARNESS_PEER_SEALING_H

#include "conformance/harness/peer/peer.h"
#include "conformance/harness/security.h"

/* Does it go out sealed? */
static inline bool uet_goes_sealed(const struct uet_out *o)
{
    return o->protect == UET_PROTECT_TSS && o->tss.domain;
}

/* Nobody can open it who has the keys and follows the rules. */
bool uet_is_spoilt(const struct uet_seal *s);

/* A packet that was sealed, beside what stands in it. */
struct uet_clear {
    uint8_t *frame;     /* the same in clear, as long as the test; NULL: it is not sealed, or */
    size_t from, limit; /* nobody can open it. These of its bytes were encrypted */
};

/* The TSS header, behind IP and UDP; returns how many bytes sealing adds to the packet. */
size_t uet_seal_begin(struct uet_tc *tc, struct uet_build *b, const struct uet_out *o);

/* The packet is built (len bytes, ICV in it): seals it in place, and spoils it as it says. */
struct uet_clear uet_seal_finish(struct uet_tc *tc, const struct uet_build *b,
                                 const struct uet_out *o, size_t len);

/* The sealed frame was altered outside of what is encrypted: so is the clear one. */
void uet_clear_follow(struct uet_clear *clear, const uint8_t *frame, size_t len);

/* Goes on with a sealed or trimmed packet in its clear frame. */
void uet_parse_clear(struct uet_packet *p, const uint8_t *clear,
                     const struct uet_parse_options *options);

/*
 * Opens what came; packet is as uet_parse left it and goes on in the clear frame. What does not
 * open, or came in clear where it must not, is judged by uet_sealing_judge once it is known where
 * it belongs.
 */
enum uet_tss_status uet_unseal(struct uet_tc *tc, struct uet_packet *packet,
                               const struct uet_parse_options *options);
void uet_sealing_judge(struct uet_tc *tc, const struct uet_in *in, enum uet_tss_status status);

#endif
