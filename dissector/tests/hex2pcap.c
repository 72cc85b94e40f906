/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hex2pcap IN.hex OUT.pcap: bytes written by hand, with comments, become a capture. Nothing is
 * computed here, so that a wrong length or checksum stays as it was written.
 *
 *   packet NAME [cut N] [at US]   begins a packet; the capture holds only its first N bytes
 *   45 00 001c ...          bytes, two digits each, spaces where one likes
 *   # ...                   a comment, anywhere
 *
 * Packet k is dated k milliseconds, or so many microseconds as `at` says. Exit status 2 and one
 * line when the input is wrong.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKET_MAX 65535

struct packet {
    uint8_t bytes[PACKET_MAX];
    uint32_t len, cut; /* cut: bytes captured; 0 for all */
    uint32_t us;       /* its date */
};

struct input {
    const char *name;
    unsigned line;
};

static void stop(const struct input *in, const char *what, const char *where)
{
    fprintf(stderr, "%s:%u: %s: %s\n", in->name, in->line, what, where);
    exit(2);
}

static void put(FILE *out, const void *data, size_t n)
{
    if (fwrite(data, 1, n, out) != n) {
        perror("hex2pcap");
        exit(2);
    }
}

static void put_header(FILE *out)
{
    const uint32_t head[] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, PACKET_MAX, 1 /* Ethernet */};
    put(out, head, sizeof head);
}

static void put_packet(FILE *out, const struct packet *p)
{
    uint32_t captured = p->cut && p->cut < p->len ? p->cut : p->len;
    const uint32_t head[] = {p->us / 1000000, p->us % 1000000, captured, p->len};
    put(out, head, sizeof head);
    put(out, p->bytes, captured);
}

static void read_bytes(const struct input *in, struct packet *p, char *s)
{
    for (; *s; s++) {
        char pair[3] = {s[0], s[1], 0};
        if (isspace((unsigned char)*s))
            continue;
        if (!isxdigit((unsigned char)s[0]) || !isxdigit((unsigned char)s[1]))
            stop(in, "not two hexadecimal digits", s);
        if (p->len == PACKET_MAX)
            stop(in, "packet too long", s);
        p->bytes[p->len++] = (uint8_t)strtoul(pair, NULL, 16);
        s++;
    }
}

/* The line that begins packet number k. */
static void begin(const struct input *in, struct packet *p, uint32_t k, char *line)
{
    p->len = p->cut = 0;
    p->us = k * 1000;
    strtok(line, " \t");
    if (!strtok(NULL, " \t"))
        stop(in, "expected: packet NAME [cut N] [at US]", "no name");
    for (const char *word; (word = strtok(NULL, " \t"));) {
        const char *number = strtok(NULL, " \t");
        if (!number || (strcmp(word, "cut") != 0 && strcmp(word, "at") != 0))
            stop(in, "expected: packet NAME [cut N] [at US]", word);
        *(word[0] == 'c' ? &p->cut : &p->us) = (uint32_t)strtoul(number, NULL, 10);
    }
}

int main(int argc, char **argv)
{
    static struct packet p;
    static char line[4096];
    if (argc != 3) {
        fprintf(stderr, "usage: hex2pcap IN.hex OUT.pcap\n");
        return 2;
    }
    struct input in = {argv[1], 0};
    FILE *from = fopen(argv[1], "r"), *to = fopen(argv[2], "wb");
    if (!from || !to) {
        perror(from ? argv[2] : argv[1]);
        return 2;
    }
    put_header(to);
    uint32_t k = 0;
    while (fgets(line, sizeof line, from)) {
        in.line++;
        line[strcspn(line, "#\n")] = '\0';
        if (strncmp(line, "packet ", 7) != 0) {
            if (k == 0 && line[strspn(line, " \t")])
                stop(&in, "bytes before the first packet", line);
            read_bytes(&in, &p, line);
            continue;
        }
        if (k)
            put_packet(to, &p);
        begin(&in, &p, ++k, line);
    }
    if (k)
        put_packet(to, &p);
    fclose(from);
    if (fclose(to)) {
        perror(argv[2]);
        return 2;
    }
    return 0;
}
