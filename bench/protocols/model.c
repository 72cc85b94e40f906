/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The paper's formulas. alpha is the latency one way; beta s is the time that the frames of the
 * message take of the line, headers and all, by hand from the sizes of the headers.
 */
#include "bench/protocols/protocols.h"

/* Ethernet 14, and 24 for FCS, preamble and gap; IPv4 20; UDP 8; PDS 12. */
#define BELOW_SES  (14u + 24u + 20u + 8u + 12u)
#define SEND       (BELOW_SES + 44u)       /* UET_SEND, UET_DEFERRABLE_SEND, UET_WRITE */
#define EAGER      (BELOW_SES + 44u + 24u) /* UET_RENDEZVOUS_SEND: with its extension */
#define READ_DATA  (BELOW_SES + 20u)       /* what a UET_READ brings back */
#define ACK_BUNCH  16384u                  /* ACK_Gen_Trigger */
#define MORE_BYTES (ACK_BUNCH + 4 * (PAYLOAD_MTU + EAGER))

const char *const protocol_names[PROTOCOLS] = {
    [RENDEZVOUS] = "rendezvous",
    [DEFERRABLE] = "deferrable",
    [RECEIVER_INITIATED] = "receiver-initiated",
    [BUFFERED] = "buffered",
};

static uint64_t wire_ns(uint32_t bytes, uint32_t header)
{
    uint64_t packets = (bytes + PAYLOAD_MTU - 1) / PAYLOAD_MTU;
    return (bytes + packets * header) * 8 * 1000000000 / LINE_BITS_PER_S;
}

uint64_t model_packet_ns(void)
{
    return wire_ns(PAYLOAD_MTU, SEND);
}

/* One BDP; a bunch of packets whose ACK comes with the last of them; some that are on the line at
 * either end. */
uint32_t model_window(uint64_t latency_ns, uint32_t percent)
{
    uint64_t bdp = 2 * latency_ns * (LINE_BITS_PER_S / 8) / 1000000000;
    return (uint32_t)((bdp + MORE_BYTES) * percent / 100);
}

/* As many whole packets as the window holds. */
uint32_t model_eager(const struct cell *c)
{
    uint32_t packets = c->window / (PAYLOAD_MTU + EAGER);
    uint32_t limit = (packets ? packets : 1) * PAYLOAD_MTU;
    return c->bytes < limit ? c->bytes : limit;
}

bool model_is_large(const struct cell *c)
{
    return c->bytes > model_eager(c);
}

/* beta s: the packets that bring the bytes. */
static uint64_t transfer_ns(const struct cell *c)
{
    if (c->protocol != RENDEZVOUS)
        return wire_ns(c->bytes, SEND);
    if (!c->expected) /* of what came before its receive only the header is kept */
        return wire_ns(c->bytes, READ_DATA);
    uint32_t eager = model_eager(c);
    return wire_ns(eager, EAGER) + wire_ns(c->bytes - eager, READ_DATA);
}

struct model_time model_of(const struct cell *c)
{
    const uint64_t alpha = c->latency_ns;
    struct model_time t = {.transfer = transfer_ns(c), .formula = "t_r + 2a + bs"};
    if (c->protocol == BUFFERED) /* and the copy, which takes no virtual time */
        return (struct model_time){.formula = "t_r"};
    if (!c->expected) {
        t.literal = t.transfer + (c->protocol == RECEIVER_INITIATED ? 2 : 1) * alpha;
        t.asked = t.transfer + 2 * alpha;
        return t;
    }
    bool asks = c->protocol == RECEIVER_INITIATED && model_is_large(c);
    t.formula = asks ? "t_s + 3a + bs" : "t_s + a + bs";
    t.literal = t.asked = t.transfer + (asks ? 3 : 1) * alpha;
    return t;
}

uint64_t row_took(const struct row *r)
{
    return r->measured.done - (r->cell.expected ? r->measured.sent : r->measured.posted);
}
