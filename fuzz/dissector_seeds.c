/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes the seeds of fuzz_dissector (dissector_input.h): dissector_seeds DIRECTORY CAPTURE...
 * Each capture is one, each scenario of gen/ another; packets of its corpus are taken together
 * until there are enough for one. Long payloads are left out as a capture does that was cut.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/dissector_input.h"
#include "fuzz/fuzz.h"
#include "gen/corpus.h"
#include "gen/scenario.h"
#include "port/capture.h"
#include "wire/packet.h"

enum {
    KEPT = 160,
    CORPUS_PACKETS = 12,
    WRONG_OF = 40 /* of the wrong ones one in so many: a fuzzer makes its own */
};

static const char *root;
static struct {
    char name[200];
    uint8_t bytes[2 + DIN_PACKETS * (DIN_HEAD + 4096)];
    size_t n, packets;
    uint64_t time_ns;
} seed;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "dissector_seeds: %s: %s\n", what, why);
    exit(2);
}

static void start(const char *name, const char *suffix, uint8_t a, uint8_t b)
{
    snprintf(seed.name, sizeof seed.name, "%s/%s%s", root, name, suffix);
    seed.bytes[0] = a;
    seed.bytes[1] = b;
    seed.n = 2;
    seed.packets = 0;
    seed.time_ns = 0;
}

static void put(void)
{
    FILE *f = seed.packets ? fopen(seed.name, "wb") : NULL;
    if (seed.packets && !f)
        die(seed.name, strerror(errno));
    if (f && (fwrite(seed.bytes, 1, seed.n, f) != seed.n || fclose(f) != 0))
        die(seed.name, strerror(errno));
    seed.n = seed.packets = 0;
}

static void add_bytes(uint8_t what, uint64_t time_ns, const uint8_t *bytes, size_t len, size_t cut)
{
    uint64_t later = seed.packets ? (time_ns - seed.time_ns) / 2000 : 0;
    if (seed.packets >= DIN_PACKETS || len > 4096)
        return;
    const uint8_t head[DIN_HEAD] = {what,
                                    later < 255 ? (uint8_t)later : 255,
                                    0,
                                    (uint8_t)cut,
                                    (uint8_t)(cut >> 8),
                                    (uint8_t)len,
                                    (uint8_t)(len >> 8)};
    memcpy(seed.bytes + seed.n, head, sizeof head);
    memcpy(seed.bytes + seed.n + sizeof head, bytes, len);
    seed.n += sizeof head + len;
    seed.packets++;
    seed.time_ns = time_ns;
}

/* A frame: its UET bytes alone where they stand above UDP over IPv4, else all from IP on. */
static void add(const uint8_t *frame, size_t len, uint64_t time_ns)
{
    struct uet_packet p;
    const struct uet_parse_options options = {.protect = UET_PROTECT_NONE, .lenient = true};
    uet_parse(&p, frame, len, &options);
    size_t ip = p.ip_offset ? p.ip_offset : UET_ETH_BYTES;
    if (len <= ip)
        return;
    if (p.pds && p.ip_version == 4 && p.udp_offset && !p.tss) {
        bool back = frame[ip + 15] < frame[ip + 19]; /* the initiators have the higher addresses */
        size_t uet = len - p.pds_offset, cut = uet > KEPT + 64 ? uet - KEPT : 0;
        add_bytes(DIN_UDP | (back ? DIN_BACK : 0), time_ns, frame + p.pds_offset, uet - cut, cut);
    } else
        add_bytes(DIN_IP, time_ns, frame + ip, len - ip, 0);
}

static int take_frame(void *ctx, const struct uet_gen_scene_frame *f)
{
    (void)ctx;
    add(f->bytes, f->len, f->time_ns);
    return 0;
}

static void scenarios(void)
{
    for (size_t i = 0; i < uet_gen_n_scenarios(); i++) {
        const struct uet_gen_scenario *s = uet_gen_scenario(i);
        const struct uet_gen_scene_options options = {.seed = 1};
        struct uet_gen_scene_end end;
        char err[400] = "";
        start("scenario-", s->name, 4, i % 2 ? DIN_RELATIVE : 0);
        if (uet_gen_scenario_run(s, &options, take_frame, NULL, &end, err, sizeof err) < 0)
            die(s->name, err);
        put();
    }
}

static int take_case(void *ctx, const struct uet_gen_case *c)
{
    unsigned *number = ctx;
    static unsigned wrong;
    char name[30];
    if (!c->valid && wrong++ % WRONG_OF != 0)
        return 0;
    if (!seed.n) {
        snprintf(name, sizeof name, "corpus-%u", (*number)++);
        start(name, "", (uint8_t)(*number * 7), (uint8_t)(*number % 3 ? 0 : DIN_RELATIVE));
    }
    add(c->frame, c->len, seed.time_ns + 10000);
    if (seed.packets == CORPUS_PACKETS)
        put();
    return 0;
}

static void corpus(void)
{
    unsigned number = 0;
    char err[400] = "";
    seed.n = 0;
    if (uet_gen_corpus(take_case, &number, err, sizeof err) != 0)
        die("corpus", err);
    put();
}

static void capture(const char *path)
{
    struct uet_capture *c;
    struct uet_capture_packet p;
    char err[400];
    const char *base = strrchr(path, '/');
    int rc = uet_capture_open(&c, path, err, sizeof err);
    if (rc < 0)
        die(path, err);
    start(base ? base + 1 : path, "", DIN_COMPARE | 4, 0);
    while ((rc = uet_capture_next(c, &p)) > 0)
        add(p.data, p.caplen, p.time_ns);
    if (rc < 0)
        die(path, uet_capture_error(c));
    uet_capture_close(c);
    put();
}

int main(int argc, char **argv)
{
    if (argc < 2)
        die("usage", "dissector_seeds DIRECTORY CAPTURE...");
    root = argv[1];
    if (mkdir(root, 0777) != 0 && errno != EEXIST)
        die(root, strerror(errno));
    for (int i = 2; i < argc; i++)
        capture(argv[i]);
    scenarios();
    corpus();
    return 0;
}
