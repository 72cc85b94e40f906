/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat atomic: an atomic on one element of a FEP's memory, or of a receive. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "refimpl/ses/element.h"
#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/element.h"
#include "tools/uetcat/once.h"
#include "tools/uetcat/options.h"
#include "ut/nearest.h"

const char uetcat_atomic_help[] =
    "uetcat atomic [OPTION...] ADDR\n"
    "\n"
    "Opens a PDC to the FEP at ADDR, does an atomic on one element of a memory region, or of the\n"
    "receive that a tag finds, shows its old value, as a number and the bits of it, and closes the "
    "PDC.\n"
    "\n" UETCAT_FEP_HELP_LINK "  -k, --key KEY      memory key of the region. This or a tag is "
    "needed\n"
    "  -T, --tag TAG      match bits of the receive, instead: UET_TSEND_FETCH_ATOMIC\n"
    "  -O, --offset N     where in it the element is (default 0)\n"
    "  -a, --amo OP       the operation (default sum): min max sum diff prod lor land bor band "
    "lxor\n"
    "                     bxor read write; with -c cswap cswap_ne cswap_le cswap_lt cswap_ge\n"
    "                     cswap_gt mswap (Table 3-21)\n"
    "  -t, --datatype T   the datatype (default uint64): int8 to int128, uint8 to uint128, float\n"
    "                     double long_double bf16 fp16, float_complex double_complex\n"
    "                     long_double_complex (Table 3-22)\n"
    "  -v, --value N      the operand (default 0: a sum then only fetches); \"1.5,-2\" of a "
    "complex\n"
    "                     type\n"
    "  -c, --compare N    what a cswap compares with the element, the mask of mswap\n"
    "      --plain        UET_ATOMIC, or UET_TSEND_ATOMIC: no old value comes back\n"
    "  -W, --wait S       seconds until a request without an answer is sent again (default 1),\n"
    "                     later each time; after five times as long there is "
    "none\n" UETCAT_FEP_HELP_SERVICE
    "      --pcap FILE    write what was sent and received to a pcapng file\n"
    "      --help\n"
    "\n"
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 it was done,\n"
    "1 it was not, 2 the arguments or the interface are wrong. A request without an answer is "
    "sent\n"
    "again as the same packet, which a FEP does once; after status 1 it may have been done.\n"
    "\n"
    "Examples:\n"
    "  uetcat atomic -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 -O 8 -v 1 192.0.2.2\n"
    "  uetcat atomic -S 192.0.2.77 --job 1 --ri 1 -k 0x1001 192.0.2.2\n"
    "  uetcat atomic -S 192.0.2.77 -k 1 -a cswap -t int32 -c -5 -v 7 192.0.2.2\n"
    "  uetcat atomic -S 192.0.2.77 -k 1 -a prod -t double -v -2.5 192.0.2.2\n";

enum { OPT_PLAIN = UETCAT_OPT_OWN };

struct run {
    struct uetcat_link link;
    uint64_t key, offset;
    uint8_t amo, datatype;
    const char *value, *compare; /* as they were written; NULL: not */
    bool have_key, tagged, plain;
};

/* ---- the operation ---- */

static uint8_t opcode_of(const struct run *r)
{
    if (r->tagged)
        return r->plain ? UET_OP_TSEND_ATOMIC : UET_OP_TSEND_FETCH_ATOMIC;
    return r->plain ? UET_OP_ATOMIC : UET_OP_FETCHING_ATOMIC;
}

static int run_atomic(struct run *r, const uint8_t *operand, const uint8_t *compare)
{
    uint8_t old[UETCAT_ELEMENT_MAX];
    const struct uet_operation op = {.opcode = opcode_of(r),
                                     .amo = r->amo,
                                     .datatype = r->datatype,
                                     .buffer_offset = r->offset,
                                     .key = r->key,
                                     .data = operand,
                                     .compare = compare,
                                     .into = old,
                                     .length = uet_element_bytes(r->datatype)};
    if (!uetcat_link_open(&r->link))
        return UETCAT_USAGE;
    const struct uet_fep_config config = uetcat_client_config(&r->link, 1);
    int status = uetcat_once(&r->link, &config, &op);
    uetcat_link_close(&r->link);
    if (status == UETCAT_YES && r->plain)
        puts("done");
    else if (status == UETCAT_YES)
        uetcat_element_show(r->datatype, old);
    return r->link.broken ? UETCAT_USAGE : status;
}

/* ---- names of Tables 3-21 and 3-22 ---- */

/* "cswap" of UET_AMO_CSWAP; NULL: no name of one value (reserved, vendor defined). */
static const char *brief(uint8_t enumeration, size_t i)
{
    const char *prefix = enumeration == UET_ENUM_AMO_OPCODE ? "UET_AMO_" : "UET_TYPE_";
    const struct uet_enumerator *e = &uet_enumerations[enumeration].values[i];
    return strncmp(e->name, prefix, strlen(prefix)) == 0 ? e->name + strlen(prefix) : NULL;
}

static void print_brief(const char *name)
{
    fputc(' ', stderr);
    for (; *name; name++)
        fputc(tolower((unsigned char)*name), stderr);
}

/* By its name, with or without what all of them begin with. */
static bool take_name(const char *option, uint8_t enumeration, uint8_t *value)
{
    const struct uet_enumeration *all = &uet_enumerations[enumeration];
    char meant[3 * UET_NEAREST_NAME] = "";
    struct uet_nearest near;
    uet_nearest_begin(&near, optarg);
    for (size_t i = 0; i < all->n; i++) {
        const char *name = brief(enumeration, i);
        if (!name)
            continue;
        *value = (uint8_t)all->values[i].low;
        if (strcasecmp(optarg, name) == 0 || strcasecmp(optarg, all->values[i].name) == 0)
            return true;
        uet_nearest_offer(&near, name);
    }
    uet_nearest_append(&near, meant, sizeof meant);
    fprintf(stderr, "uetcat atomic: %s '%s': there is no such %s%s. Give one of", option, optarg,
            enumeration == UET_ENUM_AMO_OPCODE ? "operation" : "datatype", meant);
    for (size_t i = 0; i < all->n; i++)
        if (brief(enumeration, i))
            print_brief(brief(enumeration, i));
    fputc('\n', stderr);
    return false;
}

/* Which pairs there are is contested: those of the API, as the reference FEP has them. */
static bool pair_is_there(const struct run *r)
{
    const struct uet_enumeration *types = &uet_enumerations[UET_ENUM_AMO_DATATYPE];
    unsigned n = 0;
    if (uet_element_can(r->amo, r->datatype))
        return true;
    fprintf(stderr, "uetcat atomic: %s does not work on %s",
            uet_enum_name(UET_ENUM_AMO_OPCODE, r->amo),
            uet_enum_name(UET_ENUM_AMO_DATATYPE, r->datatype));
    for (size_t i = 0; i < types->n; i++) {
        if (brief(UET_ENUM_AMO_DATATYPE, i) &&
            uet_element_can(r->amo, (uint8_t)types->values[i].low)) {
            fputs(n++ ? "" : ", but on", stderr);
            print_brief(brief(UET_ENUM_AMO_DATATYPE, i));
        }
    }
    fputs(n ? "\n" : ": no public source says what it takes\n", stderr);
    return false;
}

/* ---- options ---- */

static const struct option long_options[] = {
    {"key", required_argument, NULL, 'k'},
    {"tag", required_argument, NULL, 'T'},
    {"offset", required_argument, NULL, 'O'},
    {"amo", required_argument, NULL, 'a'},
    {"datatype", required_argument, NULL, 't'},
    {"value", required_argument, NULL, 'v'},
    {"compare", required_argument, NULL, 'c'},
    {"plain", no_argument, NULL, OPT_PLAIN},
    UETCAT_FEP_OPTIONS,
    {0},
};

/* Of a key and a tag only one. */
static bool take_place(struct run *r, bool tagged)
{
    const char *option = tagged ? "-T" : "-k";
    if (r->have_key && r->tagged != tagged) {
        fputs("uetcat atomic: give -k, for a region, or -T, for a receive; not both\n", stderr);
        return false;
    }
    r->have_key = true;
    r->tagged = tagged;
    return uetcat_number("atomic", option, optarg, 0, UINT64_MAX, &r->key);
}

static bool take_option(struct run *r, int o)
{
    switch (o) {
    case 'k':
    case 'T':
        return take_place(r, o == 'T');
    case 'O':
        return uetcat_number("atomic", "-O", optarg, 0, UINT64_MAX, &r->offset);
    case 'v':
        r->value = optarg;
        return true;
    case 'c':
        r->compare = optarg;
        return true;
    case 'a':
        return take_name("-a", UET_ENUM_AMO_OPCODE, &r->amo);
    case 't':
        return take_name("-t", UET_ENUM_AMO_DATATYPE, &r->datatype);
    case OPT_PLAIN:
        r->plain = true;
        return true;
    default:
        return uetcat_fep_option(&r->link, o) == 1;
    }
}

static bool compares_rightly(const struct run *r)
{
    const bool two = uet_amo_compares(r->amo);
    if (two == (r->compare != NULL))
        return true;
    fprintf(stderr, "uetcat atomic: %s %s\n", uet_enum_name(UET_ENUM_AMO_OPCODE, r->amo),
            !two                      ? "has one operand: leave -c out"
            : r->amo == UET_AMO_MSWAP ? "has a mask, too: give it with -c"
                                      : "compares: give what, with -c");
    return false;
}

static int run_if_right(struct run *r, int n, char **words)
{
    static const char *const nothing[] = {"0", "0,0"};
    uint8_t operand[UETCAT_ELEMENT_MAX] = {0}, compare[UETCAT_ELEMENT_MAX] = {0};
    const char *value = r->value ? r->value : nothing[uetcat_element_is_pair(r->datatype)];
    if (!uetcat_link_address(&r->link, n, words))
        return UETCAT_USAGE;
    if (!r->have_key) {
        fputs("uetcat atomic: give the memory key of the region with -k, or with -T the tag of a "
              "receive\n",
              stderr);
        return UETCAT_USAGE;
    }
    if (!pair_is_there(r) || !compares_rightly(r) ||
        !uetcat_element_read("atomic", "-v", r->datatype, value, operand) ||
        (r->compare && !uetcat_element_read("atomic", "-c", r->datatype, r->compare, compare)))
        return UETCAT_USAGE;
    return run_atomic(r, operand, r->compare ? compare : NULL);
}

int uetcat_atomic(int argc, char **argv)
{
    struct run r = {.amo = UET_AMO_SUM, .datatype = UET_TYPE_UINT64};
    int o, status = -1;
    r.link.command = "atomic";
    r.link.wait_ns = 1000000000;
    opterr = 0;
    while (status < 0 && (o = getopt_long(argc, argv, ":k:T:O:a:t:v:c:" UETCAT_FEP_SHORT,
                                          long_options, NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option("uetcat atomic", o, argv, long_options);
        else if (!take_option(&r, o))
            status = UETCAT_USAGE;
    }
    return status < 0 ? run_if_right(&r, argc - optind, argv + optind) : status;
}
