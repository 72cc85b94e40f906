/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat read: the bytes of a FEP's memory. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/link.h"
#include "tools/uetcat/reader.h"

const char uetcat_read_help[] =
    "uetcat read [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, reads from a memory region with UET_READ, shows the bytes in\n"
    "hexadecimal, and closes the PDC.\n"
    "\n"
    "  -S, --source ADDR  our address: a free one of that network, which no interface has (the\n"
    "                     kernel would answer for it). Needed\n"
    "  -I, --interface IF Ethernet interface (default: the one whose network ADDR is in)\n"
    "  -k, --key KEY      memory key of the region. Needed\n"
    "  -O, --offset N     where in the region to begin (default 0)\n"
    "  -n, --length N     how many bytes (default 64)\n"
    "  -o, --output FILE  write the bytes there and show none\n"
    "  -W, --wait S       seconds until a request without an answer is sent again (default 1);\n"
    "                     five times, then there is none\n"
    "      --mtu N        Payload MTU: 1024, 2048, 4096 (default) or 8192, as the FEP has it\n"
    "      --job N        JobID (default 0)\n"
    "      --pid N        PIDonFEP (default 0)\n"
    "      --ri N         resource index (default 0)\n"
    "      --rel          relative addressing\n"
    "      --crc none|crc whether packets end in a CRC trailer (default none)\n"
    "      --crc-order big|little  the byte order of the one that is sent: big (default), or that\n"
    "                     of FEPs which copy the word of a little-endian CPU\n"
    "      --encapsulation udp|native\n"
    "                     over UDP (default), or native IP with the entropy header\n"
    "      --ip-protocol N  of native IP (default 253)\n"
    "      --pcap FILE    write what was sent and received to a pcapng file\n"
    "      --help\n"
    "\n"
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 all bytes came,\n"
    "1 they did not, 2 the arguments, the interface or the file are wrong.\n"
    "\n"
    "Examples:\n"
    "  uetcat read -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 192.0.2.2\n"
    "  uetcat read -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 -n 65536 -o mem.bin 192.0.2.2\n";

enum { TRIES = 5, CLOSE_TRIES = 3, LENGTH_MAX = 1 << 30, COLUMNS = 16 };

struct run {
    struct uetcat_link link;
    struct reader_config config;
    struct reader reader;
    uint8_t *bytes;
    const char *output;
    bool have_key;
};

/* ---- the bytes ---- */

/* "00000010  0001 0203 ...  |....|": offset in the region, bytes, what of it is text. */
static void dump(const struct run *r)
{
    for (uint32_t at = 0; at < r->config.length; at += COLUMNS) {
        uint32_t left = r->config.length - at, n = left < COLUMNS ? left : COLUMNS;
        printf("%08" PRIx64 " ", r->config.offset + at);
        for (uint32_t i = 0; i < COLUMNS; i++) {
            if (i < n)
                printf("%s%02x", i % 2 ? "" : " ", r->bytes[at + i]);
            else
                fputs(i % 2 ? "  " : "   ", stdout);
        }
        fputs("  |", stdout);
        for (uint32_t i = 0; i < n; i++) {
            uint8_t c = r->bytes[at + i];
            putchar(c >= 0x20 && c < 0x7f ? c : '.');
        }
        puts("|");
    }
}

static int save(const struct run *r)
{
    FILE *f = fopen(r->output, "wb");
    bool good = f && fwrite(r->bytes, 1, r->config.length, f) == r->config.length;
    if (f && fclose(f) != 0)
        good = false;
    if (good)
        return UETCAT_YES;
    fprintf(stderr, "uetcat read: %s: %s\n", r->output, strerror(errno));
    return UETCAT_USAGE;
}

static int tell(const struct run *r)
{
    switch (r->reader.state) {
    case READER_DONE:
        if (r->output)
            return save(r);
        dump(r);
        return UETCAT_YES;
    case READER_REFUSED:
        fprintf(stderr, "uetcat read: the FEP refuses: %s\n",
                uet_enum_name(UET_ENUM_SES_RETURN_CODE, r->reader.return_code));
        return UETCAT_NO;
    case READER_NACKED:
        fprintf(stderr, "uetcat read: the FEP gives the PDC up: %s\n",
                uet_enum_name(UET_ENUM_PDS_NACK_CODE, r->reader.nack_code));
        return UETCAT_NO;
    default:
        fprintf(stderr, "uetcat read: %s\n",
                uetcat_interrupted ? "interrupted"
                                   : "the FEP does not answer, or brings no data: it may want "
                                     "another --crc, --crc-order or --encapsulation");
        return UETCAT_NO;
    }
}

/* ---- packets ---- */

static void flush(struct run *r)
{
    size_t len;
    while (!r->link.broken && (len = reader_send(&r->reader, uetcat_link_now(&r->link),
                                                 r->link.frame, sizeof r->link.frame)) > 0)
        uetcat_link_send(&r->link, len);
}

static void take(void *ctx, const struct uet_packet *p, uint64_t now_ns)
{
    struct run *r = ctx;
    reader_receive(&r->reader, p, now_ns);
    flush(r);
}

static void close_pdc(struct run *r)
{
    for (int i = 0; i < CLOSE_TRIES && !r->link.broken && !r->reader.closed; i++) {
        size_t len = reader_close(&r->reader, r->link.frame, sizeof r->link.frame);
        uint64_t end = uetcat_link_now(&r->link) + r->config.wait_ns;
        if (len == 0)
            return;
        uetcat_link_send(&r->link, len);
        while (!r->link.broken && !r->reader.closed && uetcat_link_now(&r->link) < end)
            uetcat_link_receive(&r->link, end, take, r);
    }
}

/* Until the message has ended; one that is refused, when all its requests are answered. */
static bool goes_on(const struct run *r)
{
    bool refused = r->reader.state == READER_REFUSED && r->reader.first != r->reader.next &&
                   r->reader.quiet_ns > uetcat_link_now(&r->link);
    return !uetcat_interrupted && !r->link.broken && (r->reader.state == READER_BUSY || refused);
}

static void read_all(struct run *r)
{
    reader_init(&r->reader, &r->config, r->bytes, uetcat_random(), uetcat_link_now(&r->link));
    flush(r);
    while (goes_on(r)) {
        uetcat_link_receive(&r->link, reader_due(&r->reader), take, r);
        flush(r);
    }
    close_pdc(r);
}

static int run_read(struct run *r)
{
    int status = UETCAT_NO;
    r->config.src = r->link.src;
    r->config.dst = r->link.dst;
    r->config.native = r->link.native;
    r->config.ip_protocol = r->link.ip_protocol;
    r->config.tries = TRIES;
    r->bytes = calloc(1, r->config.length ? r->config.length : 1);
    if (!r->bytes) {
        fputs("uetcat read: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    if (!uetcat_link_open(&r->link)) {
        free(r->bytes);
        return UETCAT_USAGE;
    }
    if (uetcat_link_resolve(&r->link, r->config.wait_ns)) {
        read_all(r);
        status = tell(r);
    } else {
        fputs("uetcat read: nobody answers ARP or neighbour discovery for the address\n", stderr);
    }
    uetcat_link_close(&r->link);
    free(r->bytes);
    return r->link.broken ? UETCAT_USAGE : status;
}

/* ---- options ---- */

enum {
    OPT_JOB = 256,
    OPT_PID,
    OPT_RI,
    OPT_REL,
    OPT_CRC,
    OPT_CRC_ORDER,
    OPT_PCAP,
    OPT_ENCAPSULATION,
    OPT_IP_PROTOCOL,
    OPT_MTU
};

static const struct option long_options[] = {
    {"source", required_argument, NULL, 'S'},
    {"interface", required_argument, NULL, 'I'},
    {"key", required_argument, NULL, 'k'},
    {"offset", required_argument, NULL, 'O'},
    {"length", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'},
    {"wait", required_argument, NULL, 'W'},
    {"mtu", required_argument, NULL, OPT_MTU},
    {"job", required_argument, NULL, OPT_JOB},
    {"pid", required_argument, NULL, OPT_PID},
    {"ri", required_argument, NULL, OPT_RI},
    {"rel", no_argument, NULL, OPT_REL},
    {"crc", required_argument, NULL, OPT_CRC},
    {"crc-order", required_argument, NULL, OPT_CRC_ORDER},
    {"encapsulation", required_argument, NULL, OPT_ENCAPSULATION},
    {"ip-protocol", required_argument, NULL, OPT_IP_PROTOCOL},
    {"pcap", required_argument, NULL, OPT_PCAP},
    {0},
};

/* Options whose value is a number: name, limit, and where it goes. */
static bool take_number(struct run *r, int o)
{
    static const struct {
        int o;
        const char *name;
        uint64_t max;
    } numbers[] = {
        {'k', "-k", UINT64_MAX},  {'O', "-O", UINT64_MAX},      {'n', "-n", LENGTH_MAX},
        {OPT_MTU, "--mtu", 8192}, {OPT_JOB, "--job", 0xffffff}, {OPT_PID, "--pid", 0xfff},
        {OPT_RI, "--ri", 0xfff},
    };
    size_t i = 0;
    uint64_t v;
    while (numbers[i].o != o)
        i++;
    if (!uetcat_number("read", numbers[i].name, optarg, 0, numbers[i].max, &v))
        return false;
    switch (o) {
    case 'k':
        r->have_key = true;
        r->config.key = v;
        return true;
    case 'O':
        r->config.offset = v;
        return true;
    case 'n':
        r->config.length = (uint32_t)v;
        return true;
    case OPT_JOB:
        r->config.job_id = (uint32_t)v;
        return true;
    case OPT_PID:
        r->config.pid_on_fep = (uint16_t)v;
        return true;
    case OPT_RI:
        r->config.resource_index = (uint16_t)v;
        return true;
    default:
        r->config.payload_mtu = (uint32_t)v;
        if (v == 1024 || v == 2048 || v == 4096 || v == 8192)
            return true;
        fprintf(stderr, "uetcat read: --mtu '%s': give 1024, 2048, 4096 or 8192\n", optarg);
        return false;
    }
}

static bool take_option(struct run *r, int o)
{
    switch (o) {
    case 'S':
        r->link.have_source = true;
        return uetcat_address("read", "-S", optarg, &r->link.src);
    case 'I':
        r->link.ifname = optarg;
        return true;
    case 'o':
        r->output = optarg;
        return true;
    case 'W':
        return uetcat_seconds("read", "-W", optarg, 0.000001, 86400, &r->config.wait_ns);
    case OPT_REL:
        r->config.relative = true;
        return true;
    case OPT_CRC:
        return uetcat_protect("read", optarg, false, &r->config.protect);
    case OPT_CRC_ORDER:
        return uetcat_crc_order("read", optarg, &r->config.crc_order);
    case OPT_ENCAPSULATION:
        return uetcat_link_encapsulation(&r->link, optarg);
    case OPT_IP_PROTOCOL:
        return uetcat_link_ip_protocol(&r->link, optarg);
    case OPT_PCAP:
        r->link.pcap = optarg;
        return true;
    default:
        return take_number(r, o);
    }
}

static int run_if_right(struct run *r, int n, char **words)
{
    if (!uetcat_link_address(&r->link, n, words))
        return UETCAT_USAGE;
    if (!r->have_key) {
        fputs("uetcat read: give the memory key of the region with -k\n", stderr);
        return UETCAT_USAGE;
    }
    return run_read(r);
}

int uetcat_read(int argc, char **argv)
{
    struct run *r = calloc(1, sizeof *r);
    int o, status = -1;
    if (!r) {
        fputs("uetcat read: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    r->link.command = "read";
    r->config.wait_ns = 1000000000;
    r->config.length = 64;
    r->config.payload_mtu = 4096;
    opterr = 0;
    while (status < 0 &&
           (o = getopt_long(argc, argv, ":S:I:k:O:n:o:W:", long_options, NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option("uetcat read", o, argv, long_options);
        else if (!take_option(r, o))
            status = UETCAT_USAGE;
    }
    if (status < 0)
        status = run_if_right(r, argc - optind, argv + optind);
    free(r);
    return status;
}
