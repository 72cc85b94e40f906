/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options of uetcat: one table for all commands, so that an option means the same in each. A
 * command is a row that lists those that it has; parsing, the help and what is said of a wrong one
 * come from the table.
 */
#ifndef UETCAT_OPTIONS_H
#define UETCAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/idle_option.h"
#include "tools/uetcat/link.h"

/* Exit statuses, as ping's: the answer was yes, it was no, the question was wrong. */
enum { UETCAT_YES = 0, UETCAT_NO = 1, UETCAT_USAGE = 2 };

/* Keep the table in options.c in step. */
enum uetcat_option {
    UETCAT_NO_OPTION,
    /* the link */
    UETCAT_SOURCE,
    UETCAT_INTERFACE,
    UETCAT_UDP,
    UETCAT_WAIT,
    UETCAT_CRC,
    UETCAT_CRC_ORDER,
    UETCAT_ENCAPSULATION,
    UETCAT_IP_PROTOCOL,
    UETCAT_ENTROPY,
    UETCAT_PCAP,
    /* whom a request is for */
    UETCAT_JOB,
    UETCAT_PID,
    UETCAT_RI,
    UETCAT_REL,
    UETCAT_KEY,
    UETCAT_OFFSET,
    UETCAT_TAG,
    UETCAT_INITIATOR,
    /* what it is */
    UETCAT_LENGTH,
    UETCAT_MTU,
    UETCAT_INPUT,
    UETCAT_PATTERN,
    UETCAT_OUTPUT,
    UETCAT_ROD,
    UETCAT_AMO,
    UETCAT_DATATYPE,
    UETCAT_VALUE,
    UETCAT_COMPARE,
    UETCAT_PLAIN,
    /* how often */
    UETCAT_COUNT,
    UETCAT_INTERVAL,
    UETCAT_RATE,
    UETCAT_AT_ONCE,
    UETCAT_FLOOD,
    /* what is done with it */
    UETCAT_CHECK,
    UETCAT_JSON,
    UETCAT_QUIET,
    UETCAT_VERBOSE,
    /* of listen */
    UETCAT_LONGEST,
    UETCAT_MEMORY,
    UETCAT_FROM,
    UETCAT_SAVE,
    UETCAT_HEX,
    /* of decode and craft */
    UETCAT_IP,
    UETCAT_PDS,
    UETCAT_UDP_PORT,
    UETCAT_KEYS,
    UETCAT_VARIANTS,
    UETCAT_AS_SPEC,
    UETCAT_HEADER,
    UETCAT_LIMIT,
    /* of replay */
    UETCAT_AS,
    UETCAT_FAST,
    UETCAT_OPTIONS
};

/* What was given. Before parsing it holds the defaults of the command. */
struct uetcat_args {
    struct uetcat_link link;
    bool given[UETCAT_OPTIONS];
    uint64_t job, pid, ri, key, offset, tag, initiator;
    uint64_t length, count, interval_ns, at_once, limit, udp_port;
    uint16_t payload_mtu; /* 0: what the link carries, at most 4096 */
    bool rod, plain, flood, check, json, quiet, verbose, hex, ip, pds, variants, as_spec, fast;
    const char *input, *pattern, *output, *amo, *datatype, *value, *compare, *keys, *header, *crc,
        *crc_order, *ip_protocol, *longest, *as;
    char **words; /* what stands behind the options */
    int n_words;
};

/* An option that a command has; help NULL: what the table says. */
struct uetcat_use {
    uint8_t option; /* enum uetcat_option */
    const char *help;
};

struct uetcat_command {
    const char *name;
    const char *purpose;  /* for the list of commands */
    const char *synopsis; /* behind the name, a line each */
    const char *text;     /* what it does */
    const struct uetcat_use *uses;
    const struct uet_idle_option *idle; /* NULL: each option has an effect, whatever the others */
    const char *status;                 /* what its exit statuses say */
    const char *examples;               /* each behind "uetcat NAME ", with a newline */
    bool seals_last; /* when the entropy value is there: --entropy goes with --keys */
    int (*run)(int argc, char **argv);
};

/* For the list of a command that speaks to a FEP. */
/* clang-format off */
#define UETCAT_USES_LINK {UETCAT_SOURCE, NULL}, {UETCAT_INTERFACE, NULL}, {UETCAT_UDP, NULL}
#define UETCAT_USES_SERVICE                                                                        \
    {UETCAT_JOB, NULL}, {UETCAT_PID, NULL}, {UETCAT_RI, NULL}, {UETCAT_REL, NULL}
#define UETCAT_USES_KEYS                                                                           \
    {UETCAT_KEYS, "speak sealed (TSS, 3.7): a key file, as a FEP takes it; the domain is the one\n" \
                  "that serves --job. Counters begin with the time of day, so that no IV comes\n"   \
                  "twice; run one at a time from an address"}
#define UETCAT_USES_WIRE                                                                           \
    {UETCAT_CRC, NULL}, {UETCAT_CRC_ORDER, NULL}, {UETCAT_ENCAPSULATION, NULL},                    \
    {UETCAT_IP_PROTOCOL, NULL}, {UETCAT_ENTROPY, NULL}, UETCAT_USES_KEYS, {UETCAT_PCAP, NULL}
/* For its list of options without an effect: a sealed packet ends in an ICV, never in a CRC (3.7). */
#define UETCAT_IDLE_CRC                                                                            \
    {"crc", "keys", NULL}, {"crc-order", "keys", NULL}, {"crc-order", NULL, "crc"}
#define UETCAT_IDLE_SERIES                                                                         \
    {"interval", NULL, "count"}, {"rate", NULL, "count"}, {"at-once", NULL, "count"}
/* clang-format on */

/*
 * Reads what the command's options say into a, in order; own is given the values of those that can
 * stand there again, or belong to the one before (UETCAT_MEMORY, _FROM, _SAVE), and may be NULL.
 * False after a message: the exit status is UETCAT_USAGE.
 */
bool uetcat_options(const struct uetcat_command *c, struct uetcat_args *a, int argc, char **argv,
                    bool (*own)(void *ctx, enum uetcat_option option, const char *value),
                    void *ctx);

/* Arguments with the defaults that all commands share; NULL after a message. */
struct uetcat_args *uetcat_args_new(const struct uetcat_command *c);

/* What --help prints. */
void uetcat_help(const struct uetcat_command *c);

#endif
