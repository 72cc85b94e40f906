/* SPDX-License-Identifier: BSD-2-Clause */
/* Receiving on the AF_PACKET port: waiting, ARP and ND consumed, VLAN tags put back. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "port/afpacket_internal.h"

static uint64_t nanoseconds(const struct timespec *ts)
{
    return (uint64_t)ts->tv_sec * 1000000000u + (uint64_t)ts->tv_nsec;
}

/* Both clocks at one moment: the kernel stamps with one, the port tells the other. */
struct clocks {
    uint64_t monotonic_ns, real_ns;
};

static struct clocks read_clocks(void)
{
    struct timespec monotonic, real;

    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    return (struct clocks){nanoseconds(&monotonic), nanoseconds(&real)};
}

/*
 * The stamp on the monotonic clock. The difference of the clocks is taken anew with each batch,
 * so that a step of the wall clock spoils the frames in flight at most; those count as just come.
 */
static uint64_t stamp_of(const struct clocks *clocks, const struct timespec *stamp)
{
    uint64_t stamp_ns = nanoseconds(stamp);
    uint64_t age_ns = clocks->real_ns - stamp_ns;

    if (stamp_ns > clocks->real_ns || age_ns > clocks->monotonic_ns)
        return clocks->monotonic_ns;
    return clocks->monotonic_ns - age_ns;
}

/* Puts back the tag that the interface or the kernel took off and gave beside the frame. */
static void restore_tag(struct uet_frame *frame, const struct tpacket_auxdata *aux)
{
    uint16_t tpid = aux->tp_status & TP_STATUS_VLAN_TPID_VALID ? aux->tp_vlan_tpid : UET_ETHER_VLAN;

    if (!(aux->tp_status & TP_STATUS_VLAN_VALID) || frame->len < UET_ETHER_HEADER)
        return;
    frame->data -= UET_ETHER_TAG; /* into the room in front of the slot */
    memmove(frame->data, frame->data + UET_ETHER_TAG, 12);
    uet_port_put16(frame->data + 12, tpid);
    uet_port_put16(frame->data + 14, aux->tp_vlan_tci);
    frame->len += UET_ETHER_TAG;
}

/* The frame of one received message. */
static struct uet_frame frame_of(struct mmsghdr *msg, const struct clocks *clocks)
{
    struct uet_frame frame = {.data = msg->msg_hdr.msg_iov->iov_base,
                              .len = msg->msg_len,
                              .time_ns = clocks->monotonic_ns};

    for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg->msg_hdr); c; c = CMSG_NXTHDR(&msg->msg_hdr, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPNS) {
            struct timespec stamp;

            memcpy(&stamp, CMSG_DATA(c), sizeof(stamp));
            frame.time_ns = stamp_of(clocks, &stamp);
        } else if (c->cmsg_level == SOL_PACKET && c->cmsg_type == PACKET_AUXDATA) {
            struct tpacket_auxdata aux;

            memcpy(&aux, CMSG_DATA(c), sizeof(aux));
            restore_tag(&frame, &aux);
        }
    }
    return frame;
}

/* Answers and learns; true when the frame is one that the caller should see. */
static bool wanted(struct af_port *af, const struct uet_frame *frame)
{
    struct uet_neigh_result result;
    struct uet_ether ether;
    struct uet_ip src, dst;

    uet_neigh_input(&af->neigh, frame->data, frame->len, frame->time_ns, &result);
    if (result.learnt.version)
        af_release(af, &result.learnt);
    if (result.reply_len) {
        af->stats.answered++;
        af_send_own(af, result.reply, result.reply_len);
    }
    if (af->all)
        return true;
    if (result.consumed)
        return false;
    if (uet_ether_parse(frame->data, frame->len, &ether) &&
        uet_ether_ips(frame->data, frame->len, &ether, &src, &dst) &&
        uet_neigh_owns(&af->neigh, &dst))
        return true;
    af->stats.foreign++;
    return false;
}

/*
 * Reads what is there into the slots [first, first + max) and keeps what the caller should see.
 * *n is how many that are. 0, -EAGAIN when nothing was there at all, or a negative errno.
 */
static int read_batch(struct af_port *af, size_t first, size_t max, struct uet_frame *frames,
                      size_t *n)
{
    struct clocks clocks;
    int count;

    *n = 0;
    for (size_t i = first; i < first + max; i++) {
        struct msghdr *hdr = &af->rx[i].msg_hdr;

        *hdr = (struct msghdr){.msg_iov = &af->rx_iovs[i], .msg_iovlen = 1};
        hdr->msg_control = af->controls[i].bytes;
        hdr->msg_controllen = sizeof(af->controls[i].bytes);
    }
    count = recvmmsg(af->fd, af->rx + first, (unsigned)max, MSG_DONTWAIT, NULL);
    if (count < 0)
        return errno == EINTR ? -EAGAIN : af_failed(af, errno);
    clocks = read_clocks();
    for (size_t i = first; i < first + (size_t)count; i++) {
        if (af->rx[i].msg_hdr.msg_flags & MSG_TRUNC) {
            af->stats.truncated++;
            continue;
        }
        frames[*n] = frame_of(&af->rx[i], &clocks);
        *n += wanted(af, &frames[*n]);
    }
    return 0;
}

/* Waits for a frame until the deadline or the next question. 0, or -EINTR. */
static int wait_until(struct af_port *af, uint64_t deadline_ns, uint64_t now_ns)
{
    uint64_t retry_ns = af_retry_ns(af);
    uint64_t until_ns = deadline_ns < retry_ns ? deadline_ns : retry_ns;
    uint64_t wait_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    struct timespec timeout = {.tv_sec = (time_t)(wait_ns / 1000000000u),
                               .tv_nsec = (long)(wait_ns % 1000000000u)};
    struct pollfd poll_fd = {.fd = af->fd, .events = POLLIN};

    /* POLLERR needs no look: the next read tells what it is. */
    if (ppoll(&poll_fd, 1, until_ns == UINT64_MAX ? NULL : &timeout, NULL) < 0)
        return -errno;
    return 0;
}

int af_receive(struct uet_port *port, struct uet_frame *frames, size_t max, uint64_t deadline_ns)
{
    struct af_port *af = af_of(port);
    size_t n;

    uet_queue_release(&af->backlog);
    if (max == 0)
        return 0;
    n = (size_t)uet_queue_pop(&af->backlog, frames, max, UINT64_MAX);
    if (max > AF_BATCH)
        max = AF_BATCH;
    while (n == 0) {
        int rc = af_check_up(af);

        if (rc == 0)
            rc = read_batch(af, 0, max, frames, &n);
        if (rc == -EAGAIN) {
            uint64_t now_ns = af_now(port);

            af_retry(af, now_ns);
            if (now_ns >= deadline_ns)
                return 0;
            rc = wait_until(af, deadline_ns, now_ns);
        }
        if (rc)
            return rc;
    }
    af->stats.received += n;
    return (int)n;
}

int af_wait(struct uet_port *port, struct uet_port_wait *wait)
{
    const struct af_port *af = af_of(port);
    bool kept = uet_queue_next_ns(&af->backlog) != UINT64_MAX;

    *wait = (struct uet_port_wait){.fd = af->fd, .deadline_ns = kept ? 0 : af_retry_ns(af)};
    if (af->down) /* its error stands at the socket, and would be all that poll tells */
        *wait = (struct uet_port_wait){.fd = -1, .deadline_ns = UINT64_MAX};
    return 0;
}

/* One frame that came while somebody waited for an answer: kept for receive. */
static int read_aside(struct af_port *af)
{
    struct uet_frame frame;
    size_t n;
    int rc = read_batch(af, AF_BATCH, 1, &frame, &n);

    if (rc == 0 && n && uet_queue_push(&af->backlog, frame.data, frame.len, frame.time_ns))
        af->stats.backlog++;
    return rc;
}

int af_resolve(struct uet_port *port, const struct uet_ip *ip, uint64_t deadline_ns)
{
    struct af_port *af = af_of(port);
    const struct uet_ip *asker = af_own_address(af, ip->version);
    struct uet_mac mac;

    if (af->keep_macs || uet_neigh_group_mac(ip, &mac))
        return 0;
    while (!uet_neigh_find(&af->neigh, ip)) {
        uint64_t now_ns = af_now(port);
        int rc = af_check_up(af);

        if (rc == 0 && (!asker || now_ns >= deadline_ns))
            rc = -EHOSTUNREACH;
        if (rc == 0) {
            af_retry(af, now_ns);
            (void)af_ask(af, asker, ip, NULL, 0, now_ns); /* too many open: after one of them */
            rc = read_aside(af);
        }
        if (rc == -EAGAIN)
            rc = wait_until(af, deadline_ns, now_ns);
        if (rc)
            return rc;
    }
    return 0;
}
