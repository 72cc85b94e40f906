/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * corrupt IN.pcap OUT.pcap SEED COUNT: COUNT broken copies of the packets of a capture. Each copy
 * has bytes changed, its end cut off with the lengths of IPv4 and UDP put right or left lying, or
 * its capture cut short. The same seed gives the same bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKETS_MAX 256
#define BYTES_MAX   2048
#define UDP_PAYLOAD 42 /* of an untagged IPv4 packet without options */

struct packet {
    uint32_t len, captured;
    uint8_t bytes[BYTES_MAX];
};

static uint64_t state;

/* splitmix64 */
static uint32_t draw(uint32_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ z >> 31) >> 32) % below;
}

static void put16(uint8_t *b, uint32_t v)
{
    b[0] = (uint8_t)(v >> 8);
    b[1] = (uint8_t)v;
}

static void change_bytes(struct packet *p)
{
    static const uint8_t edges[] = {0x00, 0xff, 0x80, 0x7f, 0x01};
    /* Mostly in UET: what stands before it is for Wireshark's own dissectors. */
    uint32_t from = draw(8) && p->captured > UDP_PAYLOAD ? UDP_PAYLOAD : 0;
    for (uint32_t n = 1 + draw(6); n && p->captured > from; n--) {
        uint8_t *b = &p->bytes[from + draw(p->captured - from)];
        *b = (uint8_t)(draw(2) ? edges[draw(sizeof edges)] : *b ^ 1u << draw(8));
    }
}

static void cut_packet(struct packet *p, int honest)
{
    if (p->len <= UDP_PAYLOAD || p->bytes[12] != 8 || p->bytes[13] != 0)
        return;
    p->len = UDP_PAYLOAD + draw(p->len - UDP_PAYLOAD);
    if (p->captured > p->len)
        p->captured = p->len;
    if (honest && p->captured >= UDP_PAYLOAD) {
        put16(p->bytes + 16, p->len - 14);
        put16(p->bytes + 38, p->len - 34);
    }
}

static void corrupt(struct packet *p)
{
    switch (draw(6)) {
    case 0:
        p->captured = draw(p->captured + 1);
        break;
    case 1:
        cut_packet(p, 0);
        break;
    case 2:
        cut_packet(p, 1);
        break;
    case 3:
        cut_packet(p, 1);
        change_bytes(p);
        break;
    default:
        change_bytes(p);
        break;
    }
}

static size_t read_capture(FILE *f, uint8_t head[24], struct packet *packets)
{
    uint32_t record[4];
    size_t n = 0;
    if (fread(head, 24, 1, f) != 1)
        return 0;
    while (n < PACKETS_MAX && fread(record, sizeof record, 1, f) == 1) {
        struct packet *p = &packets[n++];
        *p = (struct packet){.captured = record[2], .len = record[3]};
        if (p->captured > BYTES_MAX || fread(p->bytes, p->captured, 1, f) != 1)
            return 0;
    }
    return n;
}

static int write_record(FILE *f, const struct packet *p, uint32_t k)
{
    const uint32_t record[] = {k / 1000, k % 1000 * 1000, p->captured, p->len};
    return fwrite(record, sizeof record, 1, f) == 1 &&
           fwrite(p->bytes, 1, p->captured, f) == p->captured;
}

int main(int argc, char **argv)
{
    static struct packet packets[PACKETS_MAX];
    uint8_t head[24];
    if (argc != 5) {
        fprintf(stderr, "usage: corrupt IN.pcap OUT.pcap SEED COUNT\n");
        return 2;
    }
    FILE *in = fopen(argv[1], "rb");
    size_t n = in ? read_capture(in, head, packets) : 0;
    if (in)
        fclose(in);
    if (!n) {
        fprintf(stderr, "corrupt: cannot read %s\n", argv[1]);
        return 2;
    }
    FILE *out = fopen(argv[2], "wb");
    if (!out) {
        perror(argv[2]);
        return 2;
    }
    state = strtoull(argv[3], NULL, 0);
    uint32_t count = (uint32_t)strtoul(argv[4], NULL, 0);
    int good = fwrite(head, sizeof head, 1, out) == 1;
    for (uint32_t k = 0; k < count && good; k++) {
        struct packet p = packets[draw((uint32_t)n)];
        corrupt(&p);
        good = write_record(out, &p, k);
    }
    return fclose(out) == 0 && good ? 0 : 2;
}
