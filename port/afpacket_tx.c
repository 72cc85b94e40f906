/* SPDX-License-Identifier: BSD-2-Clause */
/* Sending on the AF_PACKET port: MAC addresses filled in, frames held for want of one. */
#include <errno.h>
#include <string.h>

#include "port/afpacket_internal.h"

const struct uet_ip *af_own_address(const struct af_port *af, uint8_t version)
{
    for (size_t i = 0; i < af->neigh.n_owned; i++)
        if (af->addresses[i].version == version)
            return &af->addresses[i];
    return NULL;
}

/* Gives count of the messages prepared in af->tx to the kernel. How many it took, or -errno. */
static int flush(struct af_port *af, int count)
{
    int done = 0;

    while (done < count) {
        int n = sendmmsg(af->fd, af->tx + done, (unsigned)(count - done), 0);

        if (n < 0 && errno == EINTR)
            continue;
        af->stats.refused += n < count - done;
        if (n < 0) {
            int err = errno;

            /* ENOBUFS, EAGAIN: the interface's queue is full, which breaks nothing. */
            if (done > 0 || err == ENOBUFS || err == EAGAIN)
                break;
            /* EINVAL: the kernel finds no Ethernet header; to the caller a matter of size. */
            return err == EINVAL ? -EMSGSIZE : af_failed(af, err);
        }
        done += n;
    }
    af->stats.sent += (unsigned)done;
    return done;
}

static void put_tx(struct af_port *af, int at, const struct uet_frame *frame)
{
    af->tx_iovs[at] = (struct iovec){.iov_base = frame->data, .iov_len = frame->len};
    af->tx[at] = (struct mmsghdr){.msg_hdr = {.msg_iov = &af->tx_iovs[at], .msg_iovlen = 1}};
}

/* Sends one frame beside those prepared in af->tx. */
static bool send_one(struct af_port *af, const uint8_t *data, uint32_t len)
{
    ssize_t n;

    do
        n = send(af->fd, data, len, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        (void)af_failed(af, errno);
    return n >= 0;
}

void af_send_own(struct af_port *af, const uint8_t *data, uint32_t len)
{
    if (!send_one(af, data, len))
        af->stats.answer_failed++;
}

/* ---- questions ---- */

static void send_question(struct af_port *af, struct af_pending *pending, uint64_t now_ns)
{
    uint8_t frame[UET_NEIGH_FRAME];
    uint32_t len =
        uet_neigh_request(&pending->src, &pending->dst, pending->tags, pending->tags_len, frame);

    pending->tries++;
    pending->next_ns = now_ns + AF_RETRY_NS;
    af_send_own(af, frame, len);
}

bool af_ask(struct af_port *af, const struct uet_ip *src, const struct uet_ip *dst,
            const uint8_t *tags, uint32_t tags_len, uint64_t now_ns)
{
    struct af_pending *free_one = NULL;

    for (size_t i = 0; i < AF_PENDING; i++) {
        if (!af->pending[i].dst.version)
            free_one = &af->pending[i];
        else if (uet_ip_equal(&af->pending[i].dst, dst))
            return true;
    }
    if (!free_one)
        return false;
    *free_one = (struct af_pending){.dst = *dst, .src = *src, .tags_len = tags_len};
    if (tags_len)
        memcpy(free_one->tags, tags, tags_len);
    send_question(af, free_one, now_ns);
    return true;
}

/* Takes the frames held for dst out of the list; sends them if their MAC address is known. */
static void end_holding(struct af_port *af, const struct uet_ip *dst, const struct uet_mac *mac)
{
    size_t kept = 0;

    for (size_t i = 0; i < af->n_held; i++) {
        struct af_held held = af->held[i];

        if (!uet_ip_equal(&held.dst, dst)) {
            af->held[i] = af->held[kept];
            af->held[kept++] = held;
            continue;
        }
        if (mac)
            memcpy(held.data, mac->bytes, 6);
        if (mac && send_one(af, held.data, held.len))
            af->stats.sent++;
        else
            af->stats.unresolved++;
    }
    af->n_held = kept;
}

void af_retry(struct af_port *af, uint64_t now_ns)
{
    for (size_t i = 0; i < AF_PENDING; i++) {
        struct af_pending *pending = &af->pending[i];

        if (!pending->dst.version || pending->next_ns > now_ns)
            continue;
        if (pending->tries < AF_TRIES) {
            send_question(af, pending, now_ns);
        } else {
            end_holding(af, &pending->dst, NULL);
            pending->dst.version = 0;
        }
    }
}

uint64_t af_retry_ns(const struct af_port *af)
{
    uint64_t next_ns = UINT64_MAX;

    for (size_t i = 0; i < AF_PENDING; i++)
        if (af->pending[i].dst.version && af->pending[i].next_ns < next_ns)
            next_ns = af->pending[i].next_ns;
    return next_ns;
}

void af_release(struct af_port *af, const struct uet_ip *ip)
{
    const struct uet_neigh_entry *entry = uet_neigh_find(&af->neigh, ip);

    if (!entry)
        return;
    for (size_t i = 0; i < AF_PENDING; i++)
        if (af->pending[i].dst.version && uet_ip_equal(&af->pending[i].dst, ip))
            af->pending[i].dst.version = 0;
    end_holding(af, ip, &entry->mac);
}

/* ---- frames of the caller ---- */

/* A frame on its way out: what was found in it. */
struct outgoing {
    const struct uet_frame *frame;
    struct uet_ether ether;
    struct uet_ip src, dst;
};

static bool ask_for(struct af_port *af, const struct outgoing *o, uint64_t now_ns)
{
    const struct uet_ip *asker = &o->src;

    /* A foreign source address cannot ask: the answer would go elsewhere. */
    if (!uet_neigh_owns(&af->neigh, asker))
        asker = af_own_address(af, o->dst.version);
    return asker &&
           af_ask(af, asker, &o->dst, o->frame->data + 12, o->ether.l3 - UET_ETHER_HEADER, now_ns);
}

/* True when the frame can leave now; false when its destination is not resolved. */
static bool fill_macs(struct af_port *af, struct outgoing *o, uint64_t now_ns)
{
    const struct uet_frame *frame = o->frame;
    const struct uet_neigh_entry *entry;
    struct uet_mac mac;

    /* What is not IP has MAC addresses of its own; so have the frames of a caller who says so. */
    if (af->keep_macs || !uet_ether_parse(frame->data, frame->len, &o->ether) ||
        !uet_ether_ips(frame->data, frame->len, &o->ether, &o->src, &o->dst))
        return true;
    mac = uet_mac_of_ip(&o->src);
    memcpy(frame->data + 6, mac.bytes, 6);
    if (!uet_neigh_group_mac(&o->dst, &mac)) {
        entry = uet_neigh_find(&af->neigh, &o->dst);
        if (!entry)
            return false;
        if (!entry->fixed && now_ns > entry->heard_at_ns + AF_REFRESH_NS)
            (void)ask_for(af, o, now_ns); /* no answer: the old entry serves on */
        mac = entry->mac;
    }
    memcpy(frame->data, mac.bytes, 6);
    return true;
}

static bool has_room(const struct af_port *af, const struct uet_ip *dst)
{
    size_t same = 0;

    for (size_t i = 0; i < af->n_held; i++)
        same += uet_ip_equal(&af->held[i].dst, dst);
    return af->n_held < AF_HELD && same < AF_HELD_EACH;
}

/* Keeps a copy until the destination answers; a frame that finds no room is dropped, counted. */
static void hold(struct af_port *af, const struct outgoing *o, uint64_t now_ns)
{
    struct af_held *held = &af->held[af->n_held];

    if (!has_room(af, &o->dst) || !ask_for(af, o, now_ns)) {
        af->stats.unresolved++;
        return;
    }
    memcpy(held->data, o->frame->data, o->frame->len);
    held->len = o->frame->len;
    held->dst = o->dst;
    af->n_held++;
}

/* Sends at most AF_BATCH frames. How many were taken, or -errno if none. */
static int send_batch(struct af_port *af, const struct uet_frame *frames, size_t n, uint64_t now_ns)
{
    int ready = 0, taken = 0, rc;

    for (size_t i = 0; i < n; i++) {
        struct outgoing o = {.frame = &frames[i]};
        bool fits = frames[i].len >= UET_ETHER_HEADER &&
                    frames[i].len <= UET_ETHER_HEADER + UET_ETHER_TAGS_MAX + af->port.mtu;

        if (fits && fill_macs(af, &o, now_ns)) {
            put_tx(af, ready++, &frames[i]);
            continue;
        }
        /* What stands before it goes first: the caller's count must not skip a frame. */
        rc = flush(af, ready);
        taken += rc > 0 ? rc : 0;
        if (rc < ready)
            return taken ? taken : rc;
        ready = 0;
        if (!fits)
            return taken ? taken : -EMSGSIZE;
        hold(af, &o, now_ns);
        taken++;
    }
    rc = flush(af, ready);
    taken += rc > 0 ? rc : 0;
    return taken ? taken : rc;
}

int af_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    struct af_port *af = af_of(port);
    uint64_t now_ns = af_now(port);
    size_t taken = 0;

    af_retry(af, now_ns);
    while (taken < n) {
        size_t batch = n - taken < AF_BATCH ? n - taken : AF_BATCH;
        int rc = send_batch(af, frames + taken, batch, now_ns);

        if (rc < 0)
            return taken ? (int)taken : rc;
        taken += (size_t)rc;
        if ((size_t)rc < batch)
            break;
    }
    return (int)taken;
}
