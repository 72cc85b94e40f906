/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames under way, and what a switch or a fault does to their bytes. */
#include <stdlib.h>
#include <string.h>

#include "port/ether.h"
#include "port/fabric/internal.h"

#define SMALL_BYTES 320u

static struct frame *frame_from(struct uet_fabric *fabric, struct frame **pool, uint32_t cap)
{
    struct frame *frame = *pool;

    if (frame) {
        *pool = frame->next;
        return frame;
    }
    frame = malloc(sizeof(*frame) + cap);
    if (frame)
        frame->cap = cap;
    else
        fabric->no_memory = true;
    return frame;
}

/* Under way from now on. What its event, its fate and `next` hold is told by who uses them. */
static void frame_begin(struct uet_fabric *fabric, struct frame *frame, uint32_t len)
{
    fabric->n_frames++;
    frame->len = len;
    frame->to = 0;
    frame->class = UET_FABRIC_LOW;
    frame->hash = 0;
    frame->note = NULL;
    frame->fated = frame->late = frame->lost = frame->answer = false;
    frame->came_by = NULL;
}

struct frame *frame_new(struct uet_fabric *fabric, const uint8_t *bytes, uint32_t len)
{
    const bool small = len <= SMALL_BYTES;
    struct frame *frame;

    if (len > FABRIC_FRAME_MAX || frames_full(fabric))
        return NULL;
    frame = frame_from(fabric, small ? &fabric->small : &fabric->big,
                       small ? SMALL_BYTES : FABRIC_FRAME_MAX);
    if (frame) {
        frame_begin(fabric, frame, len);
        memcpy(frame->bytes, bytes, len);
    }
    return frame;
}

uint8_t *frame_spare(struct uet_fabric *fabric)
{
    if (frames_full(fabric))
        return NULL;
    if (!fabric->spare)
        fabric->spare = frame_from(fabric, &fabric->big, FABRIC_FRAME_MAX);
    return fabric->spare ? fabric->spare->bytes : NULL;
}

struct frame *frame_written(struct uet_fabric *fabric, uint32_t len)
{
    struct frame *frame = fabric->spare;

    if (len <= SMALL_BYTES || frames_full(fabric))
        return frame_new(fabric, frame->bytes, len);
    fabric->spare = NULL;
    frame_begin(fabric, frame, len);
    return frame;
}

void frame_drop(struct uet_fabric *fabric, struct frame *frame)
{
    struct frame **pool = frame->cap == SMALL_BYTES ? &fabric->small : &fabric->big;

    fabric->n_frames--;
    frame->next = *pool;
    *pool = frame;
}

void frame_pools_free(struct uet_fabric *fabric)
{
    struct frame *next;

    for (int i = 0; i < 2; i++)
        for (struct frame *f = i ? fabric->big : fabric->small; f; f = next) {
            next = f->next;
            free(f);
        }
    free(fabric->spare);
    fabric->small = fabric->big = fabric->spare = NULL;
}

/* ---- the IP header ---- */

struct ip_header {
    uint8_t *at;      /* its first byte */
    uint32_t bytes;   /* of the header */
    uint32_t payload; /* bytes that IP carries */
    bool v6;
};

static bool ip_header(struct frame *frame, struct ip_header *ip)
{
    struct uet_ether ether;
    uint32_t left, length;

    if (!uet_ether_parse(frame->bytes, frame->len, &ether))
        return false;
    ip->at = frame->bytes + ether.l3;
    ip->v6 = ether.type == UET_ETHER_IPV6;
    left = frame->len - ether.l3;
    if (ip->v6) {
        if (left < 40)
            return false;
        ip->bytes = 40;
        length = 40u + uet_port_get16(ip->at + 4);
    } else {
        if (ether.type != UET_ETHER_IPV4 || left < 20)
            return false;
        ip->bytes = (ip->at[0] & 15u) * 4u;
        length = uet_port_get16(ip->at + 2);
    }
    if (ip->bytes < 20 || length < ip->bytes || length > left)
        return false;
    ip->payload = length - ip->bytes;
    return true;
}

static void checksum(const struct ip_header *ip)
{
    uint32_t sum = 0;

    if (ip->v6)
        return;
    uet_port_put16(ip->at + 10, 0);
    for (uint32_t i = 0; i < ip->bytes; i += 2)
        sum += uet_port_get16(ip->at + i);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    uet_port_put16(ip->at + 10, ~sum & 0xffff);
}

/* DSCP and ECN together: the byte that IPv6 shares between two. */
static uint8_t traffic_class(const struct ip_header *ip)
{
    return (uint8_t)(ip->v6 ? ip->at[0] << 4 | ip->at[1] >> 4 : ip->at[1]);
}

static void traffic_class_set(const struct ip_header *ip, uint8_t value)
{
    if (ip->v6) {
        ip->at[0] = (uint8_t)((ip->at[0] & 0xf0) | value >> 4);
        ip->at[1] = (uint8_t)((ip->at[1] & 0x0f) | (value & 15) << 4);
    } else {
        ip->at[1] = value;
    }
}

/* ---- classes and paths ---- */

static uint8_t class_of(const struct uet_fabric_config *c, uint8_t dscp)
{
    if (dscp == c->dscp_control)
        return UET_FABRIC_HIGH;
    if (c->lossless && (dscp == c->dscp_requests || dscp == c->dscp_answers))
        return dscp == c->dscp_requests || c->one_class ? UET_FABRIC_REQUESTS : UET_FABRIC_ANSWERS;
    return dscp == c->dscp_trimmed || dscp == c->dscp_trimmed_lasthop ? UET_FABRIC_MED
                                                                      : UET_FABRIC_LOW;
}

static uint32_t path_hash(const struct ip_header *ip)
{
    const uint8_t *from = ip->at + (ip->v6 ? 8 : 12);
    uint32_t h = 2166136261u, n = ip->v6 ? 32 : 8;

    for (uint32_t i = 0; i < n; i++)
        h = (h ^ from[i]) * 16777619u;
    /* The UDP source port, or the entropy header of native IP (3.5.10.1). */
    for (uint32_t i = 0; i < 2 && i < ip->payload; i++)
        h = (h ^ ip->at[ip->bytes + i]) * 16777619u;
    return h ^ h >> 15;
}

void frame_classify(const struct uet_fabric *fabric, struct frame *frame)
{
    struct ip_header ip;
    struct uet_ip to;

    frame->to = fabric->config.n_hosts;
    frame->class = UET_FABRIC_LOW;
    frame->hash = 0;
    if (!ip_header(frame, &ip))
        return;
    frame->class = class_of(&fabric->config, traffic_class(&ip) >> 2);
    if (is_lossless(frame->class)) {
        frame->answer = traffic_class(&ip) >> 2 == fabric->config.dscp_answers;
        frame->fated = false;
    }
    frame->hash = path_hash(&ip);
    to = (struct uet_ip){.version = ip.v6 ? 6 : 4};
    memcpy(to.bytes, ip.at + (ip.v6 ? 24 : 16), uet_ip_len(&to));
    frame->to = address_find(fabric, &to);
}

/* ---- what a switch does ---- */

bool frame_trimmable(const struct uet_fabric *fabric, const struct frame *frame)
{
    struct ip_header ip;
    uint8_t dscp;

    if (!ip_header((struct frame *)(uintptr_t)frame, &ip))
        return false;
    dscp = traffic_class(&ip) >> 2;
    return (dscp == fabric->config.dscp_trimmable || dscp == fabric->config.dscp_trimmable_rtx) &&
           ip.payload > fabric->config.trim_keep;
}

bool frame_is_resend(const struct uet_fabric *fabric, const struct frame *frame)
{
    struct ip_header ip;

    return ip_header((struct frame *)(uintptr_t)frame, &ip) &&
           traffic_class(&ip) >> 2 == fabric->config.dscp_trimmable_rtx;
}

bool frame_trim(const struct uet_fabric *fabric, struct frame *frame, bool last_hop)
{
    const struct uet_fabric_config *c = &fabric->config;
    uint8_t dscp = c->dscp_trimmed;
    struct ip_header ip;

    if (last_hop && c->dscp_trimmed_lasthop != UET_FABRIC_NO_DSCP)
        dscp = c->dscp_trimmed_lasthop;
    if (dscp == UET_FABRIC_NO_DSCP || !ip_header(frame, &ip) || ip.payload <= c->trim_keep)
        return false;
    /* Only the outer IP header changes (4.1.1, 4.1.3): ECN stays, and so does the UDP length. */
    traffic_class_set(&ip, (uint8_t)(dscp << 2 | (traffic_class(&ip) & 3)));
    if (ip.v6)
        uet_port_put16(ip.at + 4, ip.bytes - 40u + c->trim_keep);
    else
        uet_port_put16(ip.at + 2, ip.bytes + c->trim_keep);
    checksum(&ip);
    frame->len = (uint32_t)(ip.at - frame->bytes) + ip.bytes + c->trim_keep;
    frame->class = UET_FABRIC_MED;
    return true;
}

bool frame_mark(struct frame *frame)
{
    struct ip_header ip;
    uint8_t ecn;

    if (!ip_header(frame, &ip))
        return false;
    ecn = traffic_class(&ip) & 3;
    if (ecn == 0 || ecn == 3)
        return false;
    traffic_class_set(&ip, traffic_class(&ip) | 3);
    checksum(&ip);
    return true;
}

void frame_corrupt(struct frame *frame, uint64_t *prng)
{
    unsigned n = 1 + (unsigned)(uet_splitmix64(prng) % 4);
    const uint32_t macs = 12;

    if (frame->len <= macs)
        return;
    for (unsigned i = 0; i < n; i++) {
        uint64_t bit = uet_splitmix64(prng) % ((frame->len - macs) * 8ull);
        frame->bytes[macs + bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}
