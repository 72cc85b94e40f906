/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * carry DIRECTORY: captures for check.sh, from bytes written by hand (wire/tests/carriers.c): for
 * each carrier NAME.pcap with a packet that breaks no rule and NAME-bad.pcap with the same packet
 * spoilt, and some that are out of the ordinary in another way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uet_spec.h"
#include "wire/tests/carriers.h"

static const char *root;

static FILE *create(const char *name, const char *suffix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", root, name, suffix);
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        exit(2);
    }
    return f;
}

static void put32(FILE *f, uint32_t v)
{
    const uint8_t b[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
    fwrite(b, 1, sizeof b, f);
}

/* A pcap file with microseconds, big-endian. */
static FILE *begin(const char *name, const char *suffix, uint32_t linktype)
{
    FILE *f = create(name, suffix);
    put32(f, 0xa1b2c3d4);
    put32(f, 2u << 16 | 4);
    put32(f, 0);
    put32(f, 0);
    put32(f, 65535);
    put32(f, linktype);
    return f;
}

static void put(FILE *f, uint32_t us, const uint8_t *bytes, size_t caplen, size_t len)
{
    put32(f, 1700000000);
    put32(f, us);
    put32(f, (uint32_t)caplen);
    put32(f, (uint32_t)len);
    fwrite(bytes, 1, caplen, f);
}

static void end(FILE *f)
{
    if (ferror(f) || fclose(f) != 0) {
        perror(root);
        exit(2);
    }
}

static void one(const char *name, uint32_t linktype, const uint8_t *bytes, size_t caplen,
                size_t len)
{
    FILE *f = begin(name, ".pcap", linktype);
    put(f, 0, bytes, caplen, len);
    end(f);
}

static void carry(const struct carrier *c)
{
    for (int spoilt = 0; spoilt < 2; spoilt++) {
        uint8_t bytes[CARRIER_MAX];
        size_t n = carrier_fill(c, spoilt, bytes);
        FILE *f = begin(c->name, spoilt ? "-bad.pcap" : ".pcap", c->linktype);
        put(f, 0, bytes, n, n);
        end(f);
    }
}

static const struct carrier *find(const char *name)
{
    for (size_t i = 0; i < n_carriers; i++)
        if (strcmp(carriers[i].name, name) == 0)
            return &carriers[i];
    fprintf(stderr, "no carrier %s\n", name);
    exit(2);
}

/* pcapng: one packet from each of three interfaces of three link types; the last one is spoilt. */
static void interfaces(void)
{
    static const char *const names[] = {"vlan", "sll2", "raw_101"};
    FILE *f = create("interfaces", ".pcapng");
    put32(f, 0x0a0d0d0a);
    put32(f, 28);
    put32(f, 0x1a2b3c4d);
    put32(f, 1u << 16);
    put32(f, 0xffffffff);
    put32(f, 0xffffffff);
    put32(f, 28);
    for (size_t i = 0; i < 3; i++) {
        put32(f, 1);
        put32(f, 20);
        put32(f, find(names[i])->linktype << 16);
        put32(f, 0);
        put32(f, 20);
    }
    for (uint32_t i = 0; i < 3; i++) {
        static const uint8_t pad[4];
        uint8_t bytes[CARRIER_MAX];
        uint32_t n = (uint32_t)carrier_fill(find(names[i]), i == 2, bytes), room = (n + 3) / 4 * 4;
        bytes[n - CARRIED_BYTES + 51] = (uint8_t)(i + 1); /* three PDCs */
        put32(f, 6);
        put32(f, 32 + room);
        put32(f, i);
        put32(f, 0);
        put32(f, 1000000 * i);
        put32(f, n);
        put32(f, n);
        fwrite(bytes, 1, n, f);
        fwrite(pad, 1, room - n, f);
        put32(f, 32 + room);
    }
    end(f);
}

/* -i any: a bridge and its port both see the packet, 5 us apart. */
static void twice(void)
{
    uint8_t bytes[CARRIER_MAX];
    size_t n = carrier_fill(find("sll2"), false, bytes);
    FILE *f = begin("twice", ".pcap", find("sll2")->linktype);
    put(f, 10, bytes, n, n);
    bytes[7] = 4; /* the other interface */
    put(f, 15, bytes, n, n);
    end(f);
}

/* Six PDCs, each opened by a packet that breaks the same rule. */
static void many(void)
{
    static const uint8_t start_psn[] = {0x12, 0x77, 0x31, 0xc4, 0x05, 0x9a};
    uint8_t bytes[CARRIED_BYTES];
    FILE *f = begin("many", ".pcap", 1);
    memcpy(bytes, carried, sizeof bytes);
    bytes[CARRIED_SPOILT_AT] = CARRIED_SPOILT;
    for (uint8_t i = 1; i <= 6; i++) {
        bytes[51] = i; /* spdcid */
        bytes[46] = start_psn[i - 1];
        put(f, i * 1000u, bytes, sizeof bytes, sizeof bytes);
    }
    end(f);
}

/* The same packet of a PDC that was open before: without syn, to a TPDCID. */
static void unopened(void)
{
    uint8_t bytes[CARRIED_BYTES];
    memcpy(bytes, carried, sizeof bytes);
    bytes[CARRIED_SPOILT_AT] = CARRIED_SPOILT;
    uet_rud_rod_req_syn_set(bytes + 42, false);
    uet_rud_rod_req_dpdcid_set(bytes + 42, 0x2001);
    one("unopened", 1, bytes, sizeof bytes, sizeof bytes);
}

/* CRC-32C bit by bit: the polynomial 0x1edc6f41, reflected (3.5.25). */
static uint32_t crc32c(const uint8_t *bytes, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    }
    return ~crc;
}

/*
 * Six PDCs, each opened by a packet with a CRC trailer; `wrong` of them, the first ones, have one
 * that is right in no byte order.
 */
static void trailers(const char *name, bool little, uint8_t wrong, bool spoilt, size_t caplen)
{
    static const uint8_t start_psn[] = {0x12, 0x77, 0x31, 0xc4, 0x05, 0x9a};
    uint8_t bytes[CARRIED_BYTES + 4];
    FILE *f = begin(name, ".pcap", 1);
    memcpy(bytes, carried, CARRIED_BYTES);
    bytes[17] = 0x5c; /* IP carries four bytes more */
    bytes[25] = 0x8b; /* its checksum */
    bytes[39] = 0x48; /* and UDP */
    if (spoilt)
        bytes[CARRIED_SPOILT_AT] = CARRIED_SPOILT;
    for (uint8_t i = 0; i < 6; i++) {
        bytes[51] = (uint8_t)(i + 1); /* spdcid */
        bytes[46] = start_psn[i];
        uint32_t crc = crc32c(bytes + 26, CARRIED_BYTES - 26) ^ (i < wrong ? 0x00112233 : 0);
        for (int b = 0; b < 4; b++)
            bytes[CARRIED_BYTES + b] = (uint8_t)(crc >> (little ? 8 * b : 24 - 8 * b));
        put(f, i * 1000u, bytes, caplen, sizeof bytes);
    }
    end(f);
}

static void all_trailers(void)
{
    const size_t whole = CARRIED_BYTES + 4;
    trailers("crc_big", false, 0, false, whole);
    trailers("crc_little", true, 0, false, whole);
    trailers("crc_little_bad", true, 0, true, whole);
    trailers("crc_one_wrong", false, 1, false, whole);
    trailers("crc_all_wrong", false, 6, false, whole);
    trailers("crc_cut", false, 0, false, 98); /* all headers, no payload */
}

/* The first bytes of carried's frame, and the lengths of all of it: what a mirror that truncates
 * leaves. The capture knows of no more. */
static void mirrored(void)
{
    /* CRC-32 of the first 60 bytes, by another program (python3: zlib.crc32) */
    static const uint8_t fcs[4] = {0x23, 0xd5, 0xf0, 0xcb};
    const struct carrier *erspan = find("erspan2");
    uint8_t bytes[CARRIER_MAX], spoilt[CARRIED_BYTES];
    memcpy(spoilt, carried, sizeof spoilt);
    spoilt[CARRIED_SPOILT_AT] = CARRIED_SPOILT;
    one("mirror38", 1, spoilt, 38, 38); /* inside the UDP header */
    one("mirror60", 1, spoilt, 60, 60); /* inside the SES header */
    one("mirror98", 1, spoilt, 98, 98); /* all headers, no payload */
    one("mirror98_snap80", 1, spoilt, 80, 98);
    memcpy(bytes, carried, 60);
    memcpy(bytes + 60, fcs, sizeof fcs);
    one("mirror60_fcs", 1, bytes, 64, 64);
    /* the outer lengths are right: of 88 + 14 bytes, 98 came */
    size_t n = carrier_fill(erspan, true, bytes) - 4;
    bytes[14 + 3] = (uint8_t)(bytes[14 + 3] - 4);
    bytes[14 + 11] = (uint8_t)(bytes[14 + 11] + 4);
    one("mirror98_erspan", 1, bytes, n, n);
    /* IPv6, 68 bytes of UDP: 64 came */
    memcpy(bytes, (const uint8_t[40]){0x60, 0, 0, 0, 0, 68, 17, 64, [23] = 1, [39] = 2}, 40);
    memcpy(bytes + 40, spoilt + 34, 64);
    one("mirror_ipv6", 101, bytes, 40 + 64, 40 + 64);
    /* native: the entropy header in the place of UDP's, 64 bytes, 60 came */
    bytes[5] = 64;
    bytes[6] = 253;
    memset(bytes + 42, 0, 2);
    memcpy(bytes + 44, spoilt + 42, 56);
    one("mirror_native", 101, bytes, 40 + 60, 40 + 60);
}

static void others(void)
{
    uint8_t bytes[CARRIED_BYTES], native[40 + 4 + 12] = {0x60, 0, 0, 0, 0, 16, 253, 64};
    memcpy(bytes, carried, sizeof bytes);
    bytes[23] = 6;  /* TCP ... */
    bytes[37] = 22; /* ... to port 22 */
    bytes[36] = 0;
    one("ssh", 1, bytes, sizeof bytes, sizeof bytes);
    one("wifi", 127, bytes, sizeof bytes, sizeof bytes);
    end(begin("none", ".pcap", 1));
    end(create("empty", ".pcap"));
    memcpy(bytes, carried, sizeof bytes);
    bytes[20] = 0; /* no DF: NET-034, a SHOULD; and the checksum */
    bytes[24] = 0xf6;
    one("should", 1, bytes, sizeof bytes, sizeof bytes);
    memcpy(bytes, carried, sizeof bytes);
    bytes[56] = bytes[57] = 0; /* message_id: SES-030, where another reading is accepted */
    one("message_0", 1, bytes, sizeof bytes, sizeof bytes);
    memcpy(bytes, carried, sizeof bytes);
    bytes[21] = 9; /* fragment offset 72 */
    one("fragment", 1, bytes, sizeof bytes, sizeof bytes);
    memcpy(bytes, carried, sizeof bytes);
    bytes[CARRIED_SPOILT_AT] = CARRIED_SPOILT;
    one("snap60", 1, bytes, 60, sizeof bytes); /* inside the SES header */
    one("snap30", 1, bytes, 30, sizeof bytes); /* inside the IP header */
    one("snap98", 1, bytes, 98, sizeof bytes); /* all headers, no payload */
    memcpy(bytes, carried, sizeof bytes);
    bytes[42] = 0xf8; /* pds.type 31: reserved */
    one("malformed", 1, bytes, sizeof bytes, sizeof bytes);
    memcpy(bytes, carried, sizeof bytes);
    bytes[17] = 0x2c; /* a switch left 44 bytes of 88, */
    bytes[25] = 0xbb; /* and mended the checksum, */
    bytes[39] = 0x44; /* not the UDP length */
    one("trimmed", 1, bytes, 14 + 44, 14 + 44);
    memcpy(bytes, carried, sizeof bytes);
    bytes[CARRIED_SPOILT_AT] = CARRIED_SPOILT;
    FILE *f = begin("broken", ".pcap", 1);
    put(f, 0, bytes, sizeof bytes, sizeof bytes);
    put32(f, 1700000001);
    end(f);
    /* Native IP of another protocol number: an ACK, behind its entropy header. */
    native[6] = 250;
    native[23] = 1;
    native[39] = 2;
    memcpy(native + 44, (const uint8_t[]){0x38, 0, 0, 0, 0, 0, 0, 9, 0x20, 1, 0x10, 1}, 12);
    one("native250", 101, native, sizeof native, sizeof native);
    /* The same behind a hop-by-hop header, which takes the place of the entropy header here. */
    native[6] = 0;
    native[40] = 250;
    native[41] = 0;
    one("extension250", 101, native, sizeof native, sizeof native);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: carry DIRECTORY\n", stderr);
        return 2;
    }
    root = argv[1];
    for (size_t i = 0; i < n_carriers; i++)
        carry(&carriers[i]);
    interfaces();
    twice();
    many();
    unopened();
    all_trailers();
    mirrored();
    others();
    for (size_t i = 0; i < n_carriers; i++)
        printf("%s\n", carriers[i].name);
    return 0;
}
