/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat atomic: a fetching atomic on one element of a FEP's memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/once.h"
#include "tools/uetcat/options.h"

const char uetcat_atomic_help[] =
    "uetcat atomic [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, does a UET_FETCHING_ATOMIC on one element of a memory "
    "region,\n"
    "shows its old value in decimal and hexadecimal, and closes the PDC.\n"
    "\n" UETCAT_FEP_HELP_LINK "  -k, --key KEY      memory key of the region. Needed\n"
    "  -O, --offset N     where in the region the element is (default 0)\n"
    "  -a, --amo OP       the operation of Table 3-21 (default sum, the only one so far)\n"
    "  -t, --datatype T   the datatype of Table 3-22 (default uint64, the only one so far)\n"
    "  -v, --value N      the operand (default 0: a sum then only fetches)\n"
    "  -W, --wait S       seconds until a request without an answer is sent again (default 1),\n"
    "                     later each time; after five times as long there is "
    "none\n" UETCAT_FEP_HELP_SERVICE
    "      --pcap FILE    write what was sent and received to a pcapng file\n"
    "      --help\n"
    "\n"
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 the old value "
    "came,\n"
    "1 it did not, 2 the arguments or the interface are wrong. A request without an answer is "
    "sent\n"
    "again as the same packet, which a FEP does once; after status 1 it may have been done.\n"
    "\n"
    "Examples:\n"
    "  uetcat atomic -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 -O 8 -v 1 192.0.2.2\n"
    "  uetcat atomic -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 192.0.2.2\n";

struct run {
    struct uetcat_link link;
    uint64_t key, offset, operand, old;
    uint8_t amo, datatype;
    bool have_key;
};

static int run_atomic(struct run *r)
{
    const struct uet_operation op = {.opcode = UET_OP_FETCHING_ATOMIC,
                                     .amo = r->amo,
                                     .datatype = r->datatype,
                                     .buffer_offset = r->offset,
                                     .key = r->key,
                                     .data = (const uint8_t *)&r->operand,
                                     .into = (uint8_t *)&r->old,
                                     .length = sizeof r->old};
    if (!uetcat_link_open(&r->link))
        return UETCAT_USAGE;
    const struct uet_fep_config config = uetcat_client_config(&r->link, 1);
    int status = uetcat_once(&r->link, &config, &op);
    uetcat_link_close(&r->link);
    if (status == UETCAT_YES)
        printf("%" PRIu64 " 0x%016" PRIx64 "\n", r->old, r->old);
    return r->link.broken ? UETCAT_USAGE : status;
}

/* ---- options ---- */

static const struct option long_options[] = {
    {"key", required_argument, NULL, 'k'},
    {"offset", required_argument, NULL, 'O'},
    {"amo", required_argument, NULL, 'a'},
    {"datatype", required_argument, NULL, 't'},
    {"value", required_argument, NULL, 'v'},
    UETCAT_FEP_OPTIONS,
    {0},
};

/* An enumerator by its name, with or without what all of them begin with. */
static bool take_name(const char *option, uint8_t enumeration, const char *prefix, uint8_t done,
                      uint8_t *value)
{
    const char *name = uet_enum_name(enumeration, done), *brief = name + strlen(prefix);
    *value = done;
    if (strcasecmp(optarg, name) == 0 || strcasecmp(optarg, brief) == 0)
        return true;
    fprintf(stderr, "uetcat atomic: %s '%s': give %s; others are not done yet\n", option, optarg,
            name);
    return false;
}

static bool take_option(struct run *r, int o)
{
    switch (o) {
    case 'k':
        r->have_key = true;
        return uetcat_number("atomic", "-k", optarg, 0, UINT64_MAX, &r->key);
    case 'O':
        return uetcat_number("atomic", "-O", optarg, 0, UINT64_MAX, &r->offset);
    case 'v':
        return uetcat_number("atomic", "-v", optarg, 0, UINT64_MAX, &r->operand);
    case 'a':
        return take_name("-a", UET_ENUM_AMO_OPCODE, "UET_AMO_", UET_AMO_SUM, &r->amo);
    case 't':
        return take_name("-t", UET_ENUM_AMO_DATATYPE, "UET_TYPE_", UET_TYPE_UINT64, &r->datatype);
    default:
        return uetcat_fep_option(&r->link, o) == 1;
    }
}

static int run_if_right(struct run *r, int n, char **words)
{
    if (!uetcat_link_address(&r->link, n, words))
        return UETCAT_USAGE;
    if (!r->have_key) {
        fputs("uetcat atomic: give the memory key of the region with -k\n", stderr);
        return UETCAT_USAGE;
    }
    return run_atomic(r);
}

int uetcat_atomic(int argc, char **argv)
{
    struct run r = {.amo = UET_AMO_SUM, .datatype = UET_TYPE_UINT64};
    int o, status = -1;
    r.link.command = "atomic";
    r.link.wait_ns = 1000000000;
    opterr = 0;
    while (status < 0 && (o = getopt_long(argc, argv, ":k:O:a:t:v:" UETCAT_FEP_SHORT, long_options,
                                          NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option("uetcat atomic", o, argv, long_options);
        else if (!take_option(&r, o))
            status = UETCAT_USAGE;
    }
    return status < 0 ? run_if_right(&r, argc - optind, argv + optind) : status;
}
