/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat write, send, tsend: bytes to a FEP's memory, or to a receive that waits there. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/once.h"
#include "tools/uetcat/options.h"

#define HELP_BYTES                                                                                 \
    "  -i, --input FILE   the bytes are those of the file; - is standard input, which is also\n"   \
    "                     taken when neither -i nor -n is given\n"                                 \
    "  -n, --length N     or N bytes of a pattern: byte i is (i + i/256 + i/65536) modulo 256\n"   \
    "  -c, --count N      how often (default 1); more than once, rate and latency are shown\n"     \
    "  -w, --at-once N    how many are under way, 1 (default) to 64\n"                             \
    "      --rod          on ROD instead of RUD\n"                                                 \
    "  -W, --wait S       seconds until a request without an answer is sent again (default 1),\n"  \
    "                     later each time; after five times as long there is none\n"               \
    "      --mtu N        Payload MTU: 1024, 2048, 4096 (default) or 8192, as the FEP has it\n"

#define HELP_END                                                                                   \
    "      --json         the result as one JSON object\n"                                         \
    "      --pcap FILE    write what was sent and received to a pcapng file\n"                     \
    "      --help\n"                                                                               \
    "\n"                                                                                           \
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 all were\n"        \
    "acknowledged as done, 1 they were not, 2 the arguments, the interface or the file are\n"      \
    "wrong.\n"                                                                                     \
    "\n"                                                                                           \
    "Examples:\n"

const char uetcat_write_help[] =
    "uetcat write [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, writes bytes to a memory region with UET_WRITE, and closes\n"
    "the PDC.\n"
    "\n" UETCAT_FEP_HELP_LINK "  -k, --key KEY      memory key of the region. Needed\n"
    "  -O, --offset N     where in the region to begin (default 0)\n"
    "      --check        read them back afterwards, and compare\n" HELP_BYTES
        UETCAT_FEP_HELP_SERVICE HELP_END
    "  echo hello | uetcat write -S 192.0.2.77 -k 1 192.0.2.2\n"
    "  uetcat write -S 192.0.2.77 -k 1 -n 65536 --check 192.0.2.2\n"
    "  uetcat write -S 192.0.2.77 -k 1 -n 4096 -c 10000 -w 16 192.0.2.2\n";

const char uetcat_send_help[] =
    "uetcat send [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, sends bytes to a receive that is posted there with\n"
    "UET_SEND, and closes the PDC. A FEP without a receive refuses (RC_NO_MATCH).\n"
    "\n" UETCAT_FEP_HELP_LINK HELP_BYTES UETCAT_FEP_HELP_SERVICE HELP_END
    "  echo hello | uetcat send -S 192.0.2.77 192.0.2.2\n"
    "  uetcat send -S 192.0.2.77 -n 8 -c 1000 --json 192.0.2.2\n";

const char uetcat_tsend_help[] =
    "uetcat tsend [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, sends bytes to a receive with these match bits with\n"
    "UET_TAGGED_SEND, and closes the PDC. A FEP without one refuses (RC_NO_MATCH).\n"
    "\n" UETCAT_FEP_HELP_LINK "  -t, --tag BITS     the match bits. Needed\n"
    "      --initiator N  the initiator ID (default 0)\n" HELP_BYTES UETCAT_FEP_HELP_SERVICE
        HELP_END "  echo hello | uetcat tsend -S 192.0.2.77 -t 0x1234 192.0.2.2\n"
    "  uetcat tsend -S 192.0.2.77 --rod -t 7 -i file 192.0.2.2\n";

/* Packets outstanding on the PDC; the FEP's MPR may allow less. */
enum { WINDOW = 64 };
enum { LENGTH_MAX = 1 << 30, COUNT_MAX = 100000000 };

struct run {
    struct uetcat_link link;
    struct uet_operation op;
    struct uetcat_series series;
    uint16_t payload_mtu;
    uint8_t *bytes;
    const char *input;
    bool have_key, have_length, check, json;
};

/* ---- the bytes ---- */

static bool no_memory(const struct run *r)
{
    fprintf(stderr, "uetcat %s: out of memory\n", r->link.command);
    return false;
}

static bool make_pattern(struct run *r)
{
    r->bytes = malloc(r->op.length ? r->op.length : 1);
    if (!r->bytes)
        return no_memory(r);
    for (uint32_t i = 0; i < r->op.length; i++)
        r->bytes[i] = (uint8_t)(i + i / 256 + i / 65536);
    return true;
}

/* All of the file, at most LENGTH_MAX bytes. */
static bool read_all(struct run *r, FILE *f, const char *name)
{
    size_t room = 65536, n = 0, got;
    r->bytes = malloc(room);
    while (r->bytes && (got = fread(r->bytes + n, 1, room - n, f)) > 0) {
        n += got;
        if (n == room && room <= LENGTH_MAX) {
            uint8_t *more = realloc(r->bytes, room *= 2);
            if (!more)
                free(r->bytes);
            r->bytes = more;
        }
    }
    if (!r->bytes)
        return no_memory(r);
    if (ferror(f) || n > LENGTH_MAX) {
        fprintf(stderr, "uetcat %s: %s: %s\n", r->link.command, name,
                ferror(f) ? strerror(errno) : "more than 1 GiB");
        return false;
    }
    r->op.length = (uint32_t)n;
    return true;
}

static bool get_bytes(struct run *r)
{
    if (r->have_length)
        return make_pattern(r);
    if (!r->input || strcmp(r->input, "-") == 0)
        return read_all(r, stdin, "standard input");
    FILE *f = fopen(r->input, "rbe");
    if (!f) {
        fprintf(stderr, "uetcat %s: %s: %s\n", r->link.command, r->input, strerror(errno));
        return false;
    }
    bool good = read_all(r, f, r->input);
    fclose(f);
    return good;
}

/* ---- what is shown ---- */

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* In microseconds, of the latencies in order: that of which a share of `percent` is not longer. */
static double percentile(const struct uetcat_series *s, unsigned percent)
{
    size_t i = s->done ? ((size_t)s->done * percent + 99) / 100 : 0;
    return s->done ? (double)s->latency_ns[i ? i - 1 : 0] / 1e3 : 0;
}

static void show(const struct run *r)
{
    const struct uetcat_series *s = &r->series;
    double seconds = (double)s->took_ns / 1e9, bytes = (double)s->done * r->op.length;
    double per_s = seconds > 0 ? (double)s->done / seconds : 0;
    double mb_s = seconds > 0 ? bytes / seconds / 1e6 : 0;

    if (s->done)
        qsort(s->latency_ns, s->done, sizeof(*s->latency_ns), by_size);
    if (r->json)
        printf("{\"operation\": \"%s\", \"count\": %u, \"done\": %u, \"length\": %u, "
               "\"seconds\": %.6f, \"per_second\": %.1f, \"mb_per_second\": %.3f, "
               "\"latency_us\": {\"min\": %.1f, \"median\": %.1f, \"p90\": %.1f, \"p99\": %.1f, "
               "\"max\": %.1f}}\n",
               r->link.command, s->count, s->done, r->op.length, seconds, per_s, mb_s,
               percentile(s, 0), percentile(s, 50), percentile(s, 90), percentile(s, 99),
               percentile(s, 100));
    else if (s->count > 1)
        printf("%u of %u x %u bytes in %.3f s: %.0f/s, %.2f MB/s\n"
               "latency us: min %.1f, median %.1f, 90%% %.1f, 99%% %.1f, max %.1f\n",
               s->done, s->count, r->op.length, seconds, per_s, mb_s, percentile(s, 0),
               percentile(s, 50), percentile(s, 90), percentile(s, 99), percentile(s, 100));
    else if (s->done)
        printf("%u bytes in %.1f us\n", r->op.length, percentile(s, 100));
}

/* ---- the operations ---- */

static struct uet_fep_config config_of(const struct run *r)
{
    struct uet_fep_config config = uetcat_client_config(&r->link, WINDOW);
    config.payload_mtu = r->payload_mtu;
    config.max_operations = UETCAT_AT_ONCE_MAX;
    return config;
}

/* The same bytes, read back. */
static int check(struct run *r)
{
    const struct uet_fep_config config = config_of(r);
    uint8_t *got = calloc(1, r->op.length ? r->op.length : 1);
    const struct uet_operation read = {.opcode = UET_OP_READ,
                                       .buffer_offset = r->op.buffer_offset,
                                       .key = r->op.key,
                                       .into = got,
                                       .length = r->op.length};
    uint32_t at = 0;
    if (!got) {
        no_memory(r);
        return UETCAT_USAGE;
    }
    int status = uetcat_once(&r->link, &config, &read);
    while (status == UETCAT_YES && at < r->op.length && got[at] == r->bytes[at])
        at++;
    if (status == UETCAT_YES && at < r->op.length) {
        fprintf(stderr, "uetcat write: byte %u reads back as 0x%02x, 0x%02x was written\n", at,
                got[at], r->bytes[at]);
        status = UETCAT_NO;
    }
    free(got);
    return status;
}

static int put(struct run *r)
{
    const struct uet_fep_config config = config_of(r);
    int status = UETCAT_USAGE;
    r->op.data = r->bytes;
    r->series.latency_ns = calloc(r->series.count, sizeof(*r->series.latency_ns));
    if (!r->series.latency_ns) {
        no_memory(r);
        return status;
    }
    if (uetcat_link_open(&r->link)) {
        status = uetcat_series(&r->link, &config, &r->op, &r->series);
        show(r);
        if (status == UETCAT_YES && r->check)
            status = check(r);
        uetcat_link_close(&r->link);
    }
    free(r->series.latency_ns);
    return r->link.broken ? UETCAT_USAGE : status;
}

/* ---- options ---- */

enum { OPT_MTU = UETCAT_OPT_OWN, OPT_CHECK, OPT_ROD, OPT_JSON, OPT_INITIATOR };

#define COMMON_OPTIONS                                                                             \
    {"input", required_argument, NULL, 'i'}, {"length", required_argument, NULL, 'n'},             \
        {"count", required_argument, NULL, 'c'}, {"at-once", required_argument, NULL, 'w'},        \
        {"rod", no_argument, NULL, OPT_ROD}, {"mtu", required_argument, NULL, OPT_MTU},            \
        {"json", no_argument, NULL, OPT_JSON}, UETCAT_FEP_OPTIONS,                                 \
    {                                                                                              \
        0                                                                                          \
    }

#define COMMON_SHORT ":i:n:c:w:" UETCAT_FEP_SHORT

static bool take_number(const struct run *r, const char *option, uint64_t min, uint32_t max,
                        uint32_t *value)
{
    uint64_t v;
    bool good = uetcat_number(r->link.command, option, optarg, min, max, &v);
    if (good)
        *value = (uint32_t)v;
    return good;
}

static bool take_option(struct run *r, int o)
{
    switch (o) {
    case 'k':
    case 't':
        r->have_key = true;
        return uetcat_number(r->link.command, o == 'k' ? "-k" : "-t", optarg, 0, UINT64_MAX,
                             &r->op.key);
    case 'O':
        return uetcat_number(r->link.command, "-O", optarg, 0, UINT64_MAX, &r->op.buffer_offset);
    case 'i':
        r->input = optarg;
        return true;
    case 'n':
        r->have_length = true;
        return take_number(r, "-n", 0, LENGTH_MAX, &r->op.length);
    case 'c':
        return take_number(r, "-c", 1, COUNT_MAX, &r->series.count);
    case 'w':
        return take_number(r, "-w", 1, UETCAT_AT_ONCE_MAX, &r->series.at_once);
    case OPT_INITIATOR:
        return take_number(r, "--initiator", 0, UINT32_MAX, &r->op.initiator);
    case OPT_ROD:
        r->op.mode = UET_MODE_ROD;
        return true;
    case OPT_CHECK:
        return r->check = true;
    case OPT_JSON:
        return r->json = true;
    case OPT_MTU:
        return uetcat_mtu(r->link.command, optarg, &r->payload_mtu);
    default:
        return uetcat_fep_option(&r->link, o) == 1;
    }
}

static int run_if_right(struct run *r, int n, char **words)
{
    const char *name = r->link.command;
    if (!uetcat_link_address(&r->link, n, words))
        return UETCAT_USAGE;
    if (!r->have_key && r->op.opcode != UET_OP_SEND) {
        fprintf(stderr, "uetcat %s: give the %s\n", name,
                r->op.opcode == UET_OP_WRITE ? "memory key of the region with -k"
                                             : "match bits of the receive with -t");
        return UETCAT_USAGE;
    }
    if (r->have_length && r->input) {
        fprintf(stderr, "uetcat %s: give -i or -n, not both\n", name);
        return UETCAT_USAGE;
    }
    return get_bytes(r) ? put(r) : UETCAT_USAGE;
}

static int command(const char *name, uint8_t opcode, const char *letters,
                   const struct option *options, int argc, char **argv)
{
    struct run *r = calloc(1, sizeof *r);
    char who[20];
    int o, status = -1;
    if (!r) {
        fprintf(stderr, "uetcat %s: out of memory\n", name);
        return UETCAT_USAGE;
    }
    snprintf(who, sizeof(who), "uetcat %s", name);
    r->link.command = name;
    r->link.wait_ns = 1000000000;
    r->op.opcode = opcode;
    r->series.count = r->series.at_once = 1;
    r->payload_mtu = 4096;
    opterr = 0;
    while (status < 0 && (o = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option(who, o, argv, options);
        else if (!take_option(r, o))
            status = UETCAT_USAGE;
    }
    if (status < 0)
        status = run_if_right(r, argc - optind, argv + optind);
    free(r->bytes);
    free(r);
    return status;
}

int uetcat_write(int argc, char **argv)
{
    static const struct option options[] = {{"key", required_argument, NULL, 'k'},
                                            {"offset", required_argument, NULL, 'O'},
                                            {"check", no_argument, NULL, OPT_CHECK},
                                            COMMON_OPTIONS};
    return command("write", UET_OP_WRITE, COMMON_SHORT "k:O:", options, argc, argv);
}

int uetcat_send(int argc, char **argv)
{
    static const struct option options[] = {COMMON_OPTIONS};
    return command("send", UET_OP_SEND, COMMON_SHORT, options, argc, argv);
}

int uetcat_tsend(int argc, char **argv)
{
    static const struct option options[] = {{"tag", required_argument, NULL, 't'},
                                            {"initiator", required_argument, NULL, OPT_INITIATOR},
                                            COMMON_OPTIONS};
    return command("tsend", UET_OP_TAGGED_SEND, COMMON_SHORT "t:", options, argc, argv);
}
