/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat read: the bytes of a FEP's memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/dump.h"
#include "tools/uetcat/once.h"
#include "tools/uetcat/options.h"

const char uetcat_read_help[] =
    "uetcat read [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, reads from a memory region with UET_READ, shows the bytes in\n"
    "hexadecimal, and closes the PDC.\n"
    "\n" UETCAT_FEP_HELP_LINK "  -k, --key KEY      memory key of the region. Needed\n"
    "  -O, --offset N     where in the region to begin (default 0)\n"
    "  -n, --length N     how many bytes (default 64)\n"
    "  -o, --output FILE  write the bytes there and show none\n"
    "  -W, --wait S       seconds until a request without an answer is sent again (default 1),\n"
    "                     later each time; after five times as long there is none\n"
    "      --mtu N        Payload MTU: 1024, 2048, 4096 (default) or 8192, as the FEP has "
    "it\n" UETCAT_FEP_HELP_SERVICE
    "      --pcap FILE    write what was sent and received to a pcapng file\n"
    "      --help\n"
    "\n"
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 all bytes came,\n"
    "1 they did not, 2 the arguments, the interface or the file are wrong.\n"
    "\n"
    "Examples:\n"
    "  uetcat read -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 192.0.2.2\n"
    "  uetcat read -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 -n 65536 -o mem.bin 192.0.2.2\n";

/* Requests outstanding: a FEP with little memory for READs takes them, and a fast one is busy. */
enum { WINDOW = 32 };
enum { LENGTH_MAX = 1 << 30 };

struct run {
    struct uetcat_link link;
    uint64_t key, offset;
    uint32_t length;
    uint16_t payload_mtu;
    uint8_t *bytes;
    const char *output;
    bool have_key;
};

/* ---- the bytes ---- */

static int save(const struct run *r)
{
    FILE *f = fopen(r->output, "wb");
    bool good = f && fwrite(r->bytes, 1, r->length, f) == r->length;
    if (f && fclose(f) != 0)
        good = false;
    if (good)
        return UETCAT_YES;
    fprintf(stderr, "uetcat read: %s: %s\n", r->output, strerror(errno));
    return UETCAT_USAGE;
}

/* ---- the operation ---- */

static int read_and_tell(struct run *r)
{
    const struct uet_operation op = {.opcode = UET_OP_READ,
                                     .buffer_offset = r->offset,
                                     .key = r->key,
                                     .into = r->bytes,
                                     .length = r->length};
    struct uet_fep_config config = uetcat_client_config(&r->link, WINDOW);
    config.payload_mtu = r->payload_mtu;
    int status = uetcat_once(&r->link, &config, &op);
    if (status == UETCAT_YES && r->output)
        return save(r);
    if (status == UETCAT_YES)
        uetcat_dump(stdout, r->offset, r->bytes, r->length);
    return status;
}

static int run_read(struct run *r)
{
    int status = UETCAT_USAGE;
    r->bytes = calloc(1, r->length ? r->length : 1);
    if (!r->bytes) {
        fputs("uetcat read: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    if (uetcat_link_open(&r->link)) {
        status = read_and_tell(r);
        uetcat_link_close(&r->link);
    }
    free(r->bytes);
    return r->link.broken ? UETCAT_USAGE : status;
}

/* ---- options ---- */

enum { OPT_MTU = UETCAT_OPT_OWN };

static const struct option long_options[] = {
    {"key", required_argument, NULL, 'k'},
    {"offset", required_argument, NULL, 'O'},
    {"length", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'},
    {"mtu", required_argument, NULL, OPT_MTU},
    UETCAT_FEP_OPTIONS,
    {0},
};

static bool take_option(struct run *r, int o)
{
    uint64_t length;
    switch (o) {
    case 'k':
        r->have_key = true;
        return uetcat_number("read", "-k", optarg, 0, UINT64_MAX, &r->key);
    case 'O':
        return uetcat_number("read", "-O", optarg, 0, UINT64_MAX, &r->offset);
    case 'n':
        if (!uetcat_number("read", "-n", optarg, 0, LENGTH_MAX, &length))
            return false;
        r->length = (uint32_t)length;
        return true;
    case 'o':
        r->output = optarg;
        return true;
    case OPT_MTU:
        return uetcat_mtu("read", optarg, &r->payload_mtu);
    default:
        return uetcat_fep_option(&r->link, o) == 1;
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
    r->link.wait_ns = 1000000000;
    r->length = 64;
    r->payload_mtu = 4096;
    opterr = 0;
    while (status < 0 &&
           (o = getopt_long(argc, argv, ":k:O:n:o:" UETCAT_FEP_SHORT, long_options, NULL)) != -1) {
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
