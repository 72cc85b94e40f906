/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pieces OUT.pcap DIRECTORY SEED: messages whose packets come in any order, overlap or are lost,
 * two messages at a time. DIRECTORY gets what a reader must export: each message that is whole,
 * named by the frame that makes it so. Which that is, a map of its bytes says.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 60, PIECES = 400, LENGTH = 20000, PIECE = 1400 };

struct piece {
    uint32_t offset, len;
    uint32_t psn;
};

struct message {
    uint8_t bytes[LENGTH], come[LENGTH];
    uint32_t length, missing;
    struct piece piece[PIECES];
    unsigned n, sent;
    bool eom_came, whole;
};

static uint64_t state;
static FILE *out;
static const char *directory;
static uint32_t frame;
static uint32_t next_psn = 0x100;

static uint32_t draw(uint32_t from, uint32_t to)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (uint32_t)(state >> 33) % (to - from + 1);
}

static void stop(const char *what)
{
    perror(what);
    exit(2);
}

static uint8_t *put16(uint8_t *b, uint32_t v)
{
    b[0] = (uint8_t)(v >> 8);
    b[1] = (uint8_t)v;
    return b + 2;
}

static uint8_t *put32(uint8_t *b, uint32_t v)
{
    return put16(put16(b, v >> 16), v);
}

static int by_place(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1)
                                  : (x->len > y->len) - (x->len < y->len);
}

static void shuffle(struct message *m)
{
    for (unsigned i = m->n; i > 1; i--) {
        unsigned other = draw(0, i - 1);
        struct piece mine = m->piece[i - 1];
        m->piece[i - 1] = m->piece[other];
        m->piece[other] = mine;
    }
}

/* All of a message and some more of its middle, with PSNs in the order of the bytes; one is lost.
 */
static void cut(struct message *m)
{
    *m = (struct message){.length = draw(4 * PIECE, LENGTH)};
    m->missing = m->length;
    for (uint32_t i = 0; i < m->length; i++)
        m->bytes[i] = (uint8_t)draw(0, 255);
    uint32_t at = 0, end = m->length - draw(1, PIECE);
    for (uint32_t more = draw(0, 20); more > 0; more--) {
        uint32_t from = draw(1, end - PIECE);
        m->piece[m->n++] = (struct piece){.offset = from, .len = draw(1, PIECE)};
    }
    for (uint32_t len; at < end; at += len) {
        len = draw(100, PIECE);
        len = len > end - at ? end - at : len;
        m->piece[m->n++] = (struct piece){.offset = at, .len = len};
    }
    qsort(m->piece, m->n, sizeof *m->piece, by_place);
    m->piece[m->n++] = (struct piece){.offset = end, .len = m->length - end};
    for (unsigned i = 0; i < m->n; i++)
        m->piece[i].psn = next_psn++;
    shuffle(m);
    if (draw(0, 3) == 0)
        m->n--;
}

static void write_whole(const struct message *m)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/frame%u_SEND_job1_ri5.bin", directory, frame);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(m->bytes, m->length, 1, f) != 1 || fclose(f) != 0)
        stop(path);
}

static void note(struct message *m, const struct piece *p)
{
    for (uint32_t i = p->offset; i < p->offset + p->len; i++) {
        m->missing -= !m->come[i];
        m->come[i] = 1;
    }
    m->eom_came = m->eom_came || p->offset + p->len == m->length;
    if (m->whole || !m->eom_came || m->missing)
        return;
    m->whole = true;
    write_whole(m);
}

/* Ethernet, IPv4, UDP, PDS and SES as in message.hex; som and eom by the place in the message. */
static void send_piece(struct message *m, uint32_t id, const struct piece *p)
{
    static const uint8_t eth[14] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0};
    static const uint8_t ip[12] = {0x45, 2, 0, 0, 0, 0, 0x40, 0, 0x40, 0x11, 0, 0};
    uint8_t b[14 + 20 + 8 + 12 + 44 + PIECE] = {0}, *at = b;
    bool som = p->offset == 0, eom = p->offset + p->len == m->length;
    memcpy(at, eth, sizeof eth);
    memcpy(at + 14, ip, sizeof ip);
    put16(at + 16, 20 + 8 + 12 + 44 + p->len);
    at = put32(put32(at + 26, 0xc0000201), 0xc0000202);
    at = put32(put16(put16(at, 0x4242), 4793), (8 + 12 + 44 + p->len) << 16);
    at = put16(put16(at, 0x1188), 0xffff);
    at = put16(put16(put32(at, p->psn), 0x1001), 0x2001);
    at = put16(put16(at, 0x0500 | (uint32_t)eom << 1 | som), id);
    at = put16(put16(put32(at, 1), 0), 5); /* job_id; pid_on_fep, resource_index */
    at += 20;                              /* buffer_offset, initiator, match_bits */
    at = put32(put32(at, som ? 0 : p->len), som ? 0 : p->offset);
    at = put32(at, m->length);
    memcpy(at, m->bytes + p->offset, p->len);
    uint32_t n = (uint32_t)(at - b) + p->len;
    const uint32_t head[4] = {1, ++frame, n, n};
    if (fwrite(head, sizeof head, 1, out) != 1 || fwrite(b, n, 1, out) != 1)
        stop("pieces");
}

static void play(uint32_t id, struct message pair[2])
{
    cut(&pair[0]);
    cut(&pair[1]);
    for (;;) {
        unsigned which = draw(0, 1);
        if (pair[which].sent == pair[which].n)
            which = !which;
        struct message *m = &pair[which];
        if (m->sent == m->n)
            return;
        const struct piece *p = &m->piece[m->sent++];
        send_piece(m, id + which, p);
        note(m, p);
    }
}

int main(int argc, char **argv)
{
    static struct message pair[2];
    static const uint32_t head[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1};
    if (argc != 4) {
        fputs("usage: pieces OUT.pcap DIRECTORY SEED\n", stderr);
        return 2;
    }
    directory = argv[2];
    state = strtoull(argv[3], NULL, 0);
    out = fopen(argv[1], "wb");
    if (!out || fwrite(head, sizeof head, 1, out) != 1)
        stop(argv[1]);
    for (uint32_t id = 1; id <= MESSAGES; id += 2)
        play(id, pair);
    if (fclose(out) != 0)
        stop(argv[1]);
    return 0;
}
