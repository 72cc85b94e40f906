/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the seed corpora of the fuzz targets from the golden packets: seeds DIRECTORY. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"
#include "port/pcap_file.h"
#include "port/pcapng.h"
#include "wire/build.h"
#include "wire/tests/carriers.h"
#include "wire/tests/forms.h"
#include "wire/tests/golden.h"
#include "wire/tests/golden_tss.h"

static const char *root;

static void die(const char *what)
{
    fprintf(stderr, "seeds: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* root/target/name; makes the target's directory. */
static const char *path_of(const char *target, const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, target);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        die(path);
    snprintf(path, sizeof path, "%s/%s/%s", root, target, name);
    return path;
}

/* A file of two parts. */
static void put(const char *target, const char *name, const void *a, size_t na, const void *b,
                size_t nb)
{
    const char *path = path_of(target, name);
    FILE *f = fopen(path, "wb");
    if (!f)
        die(path);
    if (fwrite(a, 1, na, f) != na || (nb && fwrite(b, 1, nb, f) != nb))
        die(path);
    if (fclose(f) != 0)
        die(path);
}

static void seed_parse(const struct golden *g)
{
    char name[100];
    uint8_t strict = (uint8_t)g->protect, lenient = strict | 4;
    uint8_t ip = (uint8_t)(strict | UET_START_IP << 3), pds = UET_START_PDS << 3;
    size_t at = g->pds_offset;
    put("parse", g->name, &strict, 1, g->bytes, g->len);
    put("build", g->name, &strict, 1, g->bytes, g->len);
    snprintf(name, sizeof name, "%s-lenient", g->name);
    put("parse", name, &lenient, 1, g->bytes, g->len);
    snprintf(name, sizeof name, "%s-ip", g->name);
    size_t link = g->bytes[12] == 0x81 ? 18 : 14;
    put("parse", name, &ip, 1, g->bytes + link, g->len - link);
    snprintf(name, sizeof name, "%s-pds", g->name);
    put("parse", name, &pds, 1, g->bytes + at, g->len - at);
}

/* Each form from its first header on, whole and cut, and in a frame over UDP and as native IP. */
static void seed_form(const struct form *f)
{
    char name[100];
    uint8_t bytes[FORM_MAX], frame[400], variants = f->variants ? 32 : 0;
    size_t n = form_bytes(f, bytes);
    uint8_t pds = (uint8_t)(variants | UET_START_PDS << 3),
            cut[] = {(uint8_t)(variants | 128), 200};
    put("parse", f->name, &pds, 1, bytes, n);
    snprintf(name, sizeof name, "%s-cut", f->name);
    put("parse", name, cut, sizeof cut, bytes, n);
    for (int native = 0; native < 2; native++) {
        struct uet_route route = {.native = native != 0};
        struct uet_build b;
        if (uet_ip_parse(&route.src, "192.0.2.1") || uet_ip_parse(&route.dst, "192.0.2.2"))
            die(f->name);
        uet_build_start(&b, frame, sizeof frame, &route);
        uet_build_payload(&b, bytes, n);
        int len = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
        if (len < 0)
            die(f->name);
        snprintf(name, sizeof name, "%s-%s", f->name, native ? "native" : "udp");
        put("parse", name, &variants, 1, frame, (size_t)len);
        put("build", name, &variants, 1, frame, (size_t)len);
    }
}

/* Each carrier whole, and cut inside the SES header (fuzz_decap.c). */
static void seed_decap(const struct carrier *c)
{
    char name[100];
    uint8_t bytes[CARRIER_MAX],
        head[] = {(uint8_t)(c->linktype >> 8), (uint8_t)c->linktype, UET_PROTECT_AUTO | 4, 0};
    size_t n = carrier_fill(c, false, bytes);
    put("decap", c->name, head, sizeof head, bytes, n);
    head[3] = 40;
    snprintf(name, sizeof name, "%s-cut", c->name);
    put("decap", name, head, sizeof head, bytes, n - 40);
}

static void seed_captures(void)
{
    char err[400];
    struct uet_pcapng *ng;
    struct uet_pcap *classic;
    if (uet_pcapng_open(&ng, path_of("pcapng", "golden.pcapng"), err, sizeof err) < 0 ||
        uet_pcap_open(&classic, path_of("pcapng", "golden.pcap"), err, sizeof err) < 0) {
        fprintf(stderr, "seeds: %s\n", err);
        exit(2);
    }
    int bad = 0;
    for (size_t i = 0; i < n_golden; i++) {
        const struct golden *g = &golden[i];
        uint64_t time = 1700000000000000000u + i * 1001;
        bad |=
            uet_pcapng_write(ng, g->bytes, (uint32_t)g->len, time,
                             i % 2 ? UET_DIRECTION_OUT : UET_DIRECTION_IN, i % 3 ? g->name : NULL);
        bad |= uet_pcap_write(classic, g->bytes, (uint32_t)g->len, time);
    }
    bad |= uet_pcapng_close(ng);
    bad |= uet_pcap_close(classic);
    if (bad) {
        errno = -bad;
        die("captures");
    }
}

/* Steps of fuzz_fep.c by their numbers there. */
enum {
    DELIVER_FIRST,
    DELIVER_ANY,
    LOSE,
    DOUBLE,
    TURN,
    FLIP,
    SET_FIELD,
    TIME,
    TIMER,
    SUBMIT,
    COMPLETIONS,
    CLOSE,
    RUN,
    REGION,
    SERVICE,
    PARAMETER,
    INVENT_FRAME,
    INVENT_PDS,
    RESET,
    RECEIVE_BUFFER,
    ROTATE,
    COUNTER
};

/* SUBMIT side flags opcode header job pid ri offset(2) key length(2) */
#define WRITE(length) SUBMIT, 0, 1, UET_OP_WRITE, 0, 0, 0, 0, 0, 0, 0, (length) >> 8, (length)&0xff
#define SEND(length)  SUBMIT, 0, 1, UET_OP_SEND, 0, 0, 0, 0, 0, 0, 0, (length) >> 8, (length)&0xff

static const uint8_t fep_write[] = {0x10,  0xff, WRITE(5000), RUN, 200, COMPLETIONS,
                                    CLOSE, 0,    0,           RUN, 200};
static const uint8_t fep_crc_send[] = {0x01,  0xff, SEND(3000), RUN, 200, COMPLETIONS,
                                       CLOSE, 1,    1,          RUN, 99};
static const uint8_t fep_loss[] = {0x30,        0xff, WRITE(8000), LOSE, 1,   DOUBLE,     2,
                                   DELIVER_ANY, 3,    DELIVER_ANY, 2,    RUN, 5,          LOSE,
                                   0,           RUN,  255,         RUN,  255, COMPLETIONS};
static const uint8_t fep_small[] = {0x00, 0x00, WRITE(100), WRITE(200), SEND(300), RUN,        250,
                                    TIME, 30,   200,        RUN,        250,       COMPLETIONS};
static const uint8_t fep_reset[] = {0x10,  0xff, WRITE(2000), RUN, 2,
                                    RESET, 1,    RUN,         250, COMPLETIONS};
static const uint8_t fep_fields[] = {0x10, 0xff, WRITE(1500), SET_FIELD, 0,    1,         9,  0,
                                     0,    0x20, 1,           RUN,       3,    SET_FIELD, 0,  0,
                                     1,    0xff, 0xff,        0xff,      0xff, RUN,       250};

/* In a secure domain, the second with SSIs and RANDOM_1RTT_START. */
static const uint8_t fep_sealed[] = {
    0x16,   0xff, WRITE(5000), RUN, 20,  ROTATE,      0,     RUN, 9, COUNTER, 1,  1, 5, WRITE(900),
    ROTATE, 1,    SEND(300),   RUN, 250, COMPLETIONS, CLOSE, 0,   0, RUN,     200};
static const uint8_t fep_sealed_fields[] = {
    0x27, 0xff, WRITE(1500), RUN,  3,    SET_FIELD, 0, 1, 9, 0, 0, 0x20, 1, INVENT_PDS, 1,  0,
    12,   0x11, 0x8c,        0xff, 0xff, 0,         1, 0, 0, 0, 0, 0,    0, RUN,        250};

static void seed_fep(void)
{
    put("fep", "sealed", fep_sealed, sizeof fep_sealed, NULL, 0);
    put("fep", "sealed-fields", fep_sealed_fields, sizeof fep_sealed_fields, NULL, 0);
    put("fep", "write", fep_write, sizeof fep_write, NULL, 0);
    put("fep", "crc-send", fep_crc_send, sizeof fep_crc_send, NULL, 0);
    put("fep", "loss", fep_loss, sizeof fep_loss, NULL, 0);
    put("fep", "small", fep_small, sizeof fep_small, NULL, 0);
    put("fep", "reset", fep_reset, sizeof fep_reset, NULL, 0);
    put("fep", "fields", fep_fields, sizeof fep_fields, NULL, 0);
    /* Every golden packet given to both FEPs: the addresses are theirs. */
    for (size_t i = 0; i < n_golden; i++) {
        const struct golden *g = &golden[i];
        uint8_t head[] = {
            g->protect == UET_PROTECT_CRC, 0xff, INVENT_FRAME, i & 1, 0, (uint8_t)g->len};
        put("fep", g->name, head, sizeof head, g->bytes, g->len);
    }
}

/* Golden packets by their numbers, 1024 ns apart: opened, answered, closed; and each alone. */
static void seed_track(void)
{
    uint8_t all[2 + 3 * 64] = {0x06, 0};
    size_t n = 2;
    for (uint8_t i = 0; i < n_golden && n + 3 <= sizeof all; i++) {
        const uint8_t one[] = {0x06, 0, i, 1, 0, i, 1, 0};
        put("track", golden[i].name, one, sizeof one, NULL, 0);
        all[n++] = i;
        all[n++] = 1;
        all[n++] = 0; /* nothing altered */
    }
    put("track", "all", all, n, NULL, 0);
}

/* Association and task in front (fuzz_tss.c): each golden packet, sealed and in clear. */
static void seed_tss(void)
{
    enum { OPEN, SEAL, ROUND_TRIP, PEEK, AT_IP = 8, IN_PLACE = 16 };
    static const struct {
        const char *name;
        uint8_t flags;
        bool clear;
    } kinds[] = {{"open", OPEN | AT_IP, false},
                 {"open-in-place", OPEN | AT_IP | IN_PLACE, false},
                 {"seal", SEAL | AT_IP, false},
                 {"round-trip", ROUND_TRIP | AT_IP, true},
                 {"round-trip-in-place", ROUND_TRIP | AT_IP | IN_PLACE, true},
                 {"peek", PEEK | AT_IP, false}};
    for (size_t i = 0; i < n_golden_tss; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const struct golden_tss *g = &golden_tss[i];
            const uint8_t head[] = {(uint8_t)i, kinds[k].flags};
            uint8_t packet[256];
            char name[100];
            size_t n = kinds[k].clear ? golden_tss_clear(packet, sizeof packet, g)
                                      : golden_unhex(packet, sizeof packet, g->packet);
            snprintf(name, sizeof name, "%s-%s", g->id, kinds[k].name);
            put("tss", name, head, sizeof head, packet, n);
        }
    for (size_t i = 0; i < n_golden; i++) { /* with an Ethernet header */
        const uint8_t head[] = {(uint8_t)i, ROUND_TRIP};
        put("tss", golden[i].name, head, sizeof head, golden[i].bytes, golden[i].len);
    }
}

static void seed_keys(void)
{
#define KEY "key=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n"
    static const char *const files[] = {
        "UET_SD sdi=0x000001 an=0 mode=cluster " KEY,
        "# a re-key\nUET_SD sdi=1 an=0 " KEY
        "UET_SD sdi=1 an=1 rekey_mask=0xff00 rekey_shift=8 " KEY
        "UET_DOMAIN sdi=1 tx=1 epoch=3 jobs=1,2,0x30 start=random-1rtt\n",
        "UET_SD sdi=16777215 mode=direct ssi=yes iv_mask=000102030405060708090a0b name=x " KEY
        "UET_DOMAIN sdi=16777215 ssi=7 max_epoch_age=1 auth_fail_threshold=2 "
        "counter_limit=0xffff\n",
        "UET_SD sdi=2 mode=server an=any encrypt_from=64 " KEY,
        "UET_DOMAIN sdi=3\nUET_SD sdi=2 " KEY,
    };
#undef KEY
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[20];
        snprintf(name, sizeof name, "%zu", i);
        put("keys", name, files[i], strlen(files[i]), NULL, 0);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: seeds DIRECTORY\n", stderr);
        return 2;
    }
    root = argv[1];
    if (mkdir(root, 0777) != 0 && errno != EEXIST)
        die(root);
    for (size_t i = 0; i < n_golden; i++)
        seed_parse(&golden[i]);
    for (size_t i = 0; i < n_forms; i++)
        seed_form(&forms[i]);
    for (size_t i = 0; i < n_carriers; i++)
        seed_decap(&carriers[i]);
    seed_captures();
    seed_fep();
    seed_track();
    seed_tss();
    seed_keys();
    return 0;
}
