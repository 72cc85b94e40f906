/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of all commands that speak to a FEP: rows, help and values. */
#ifndef UETCAT_OPTIONS_H
#define UETCAT_OPTIONS_H

#include <getopt.h>

#include "tools/uetcat/link.h"

/* Their short ones. */
#define UETCAT_FEP_SHORT "S:I:W:"

enum uetcat_fep_option {
    UETCAT_OPT_JOB = 256,
    UETCAT_OPT_PID,
    UETCAT_OPT_RI,
    UETCAT_OPT_REL,
    UETCAT_OPT_CRC,
    UETCAT_OPT_CRC_ORDER,
    UETCAT_OPT_ENCAPSULATION,
    UETCAT_OPT_IP_PROTOCOL,
    UETCAT_OPT_ENTROPY,
    UETCAT_OPT_PCAP,
    UETCAT_OPT_OWN /* from here on a command's own */
};

/* clang-format off */
#define UETCAT_FEP_OPTIONS                                                \
    {"source", required_argument, NULL, 'S'},                             \
    {"interface", required_argument, NULL, 'I'},                          \
    {"wait", required_argument, NULL, 'W'},                               \
    {"job", required_argument, NULL, UETCAT_OPT_JOB},                     \
    {"pid", required_argument, NULL, UETCAT_OPT_PID},                     \
    {"ri", required_argument, NULL, UETCAT_OPT_RI},                       \
    {"rel", no_argument, NULL, UETCAT_OPT_REL},                           \
    {"crc", required_argument, NULL, UETCAT_OPT_CRC},                     \
    {"crc-order", required_argument, NULL, UETCAT_OPT_CRC_ORDER},         \
    {"encapsulation", required_argument, NULL, UETCAT_OPT_ENCAPSULATION}, \
    {"ip-protocol", required_argument, NULL, UETCAT_OPT_IP_PROTOCOL},     \
    {"entropy", required_argument, NULL, UETCAT_OPT_ENTROPY},             \
    {"pcap", required_argument, NULL, UETCAT_OPT_PCAP}
/* clang-format on */

/* For their --help: before a command's own, and behind it (-W says what each waits for). */
#define UETCAT_FEP_HELP_LINK                                                                       \
    "  -S, --source ADDR  our address: a free one of that network, which no interface has (the\n"  \
    "                     kernel would answer for it). Needed\n"                                   \
    "  -I, --interface IF Ethernet interface (default: the one whose network ADDR is in)\n"

#define UETCAT_FEP_HELP_SERVICE                                                                    \
    "      --job N        JobID (default 0)\n"                                                     \
    "      --pid N        PIDonFEP (default 0)\n"                                                  \
    "      --ri N         resource index (default 0)\n"                                            \
    "      --rel          relative addressing\n"                                                   \
    "      --crc none|crc whether packets end in a CRC trailer (default none)\n"                   \
    "      --crc-order big|little  the byte order of the one that is sent: big (default), or "     \
    "that\n"                                                                                       \
    "                     of FEPs which copy the word of a little-endian CPU\n"                    \
    "      --encapsulation udp|native\n"                                                           \
    "                     over UDP (default), or native IP with the entropy header\n"              \
    "      --ip-protocol N  of native IP (default 253)\n"                                          \
    "      --entropy LIST entropy values (UDP source ports) that the packets use in turn: N, "     \
    "A-B,\n"                                                                                       \
    "                     all:N (N of them, spread over all), or some of these with commas\n"

/*
 * Takes the value of one of them (optarg). 1 taken; 0 it is wrong, which is told; -1 it is none of
 * these.
 */
int uetcat_fep_option(struct uetcat_link *l, int o);

#endif
