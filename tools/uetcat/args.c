/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/args.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetcat/command.h"

bool uetcat_number(const char *command, const char *option, const char *text, uint64_t min,
                   uint64_t max, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 0);
    if (isdigit((unsigned char)text[0]) && !*end && errno == 0 && v >= min && v <= max) {
        *value = v;
        return true;
    }
    fprintf(stderr, "uetcat %s: %s '%s': give a number from %llu to %llu\n", command, option, text,
            (unsigned long long)min, (unsigned long long)max);
    return false;
}

bool uetcat_seconds(const char *command, const char *option, const char *text, double min,
                    double max, uint64_t *ns)
{
    char *end;
    double v = strtod(text, &end);
    if (end != text && !*end && isfinite(v) && v >= min && v <= max) {
        *ns = (uint64_t)(v * 1e9);
        return true;
    }
    fprintf(stderr, "uetcat %s: %s '%s': give seconds from %g to %g\n", command, option, text, min,
            max);
    return false;
}

bool uetcat_protect(const char *command, const char *text, bool allow_auto,
                    enum uet_protect *protect)
{
    if (strcmp(text, "none") == 0)
        *protect = UET_PROTECT_NONE;
    else if (strcmp(text, "crc") == 0)
        *protect = UET_PROTECT_CRC;
    else if (allow_auto && strcmp(text, "auto") == 0)
        *protect = UET_PROTECT_AUTO;
    else {
        fprintf(stderr, "uetcat %s: --crc '%s': give %snone or crc\n", command, text,
                allow_auto ? "auto, " : "");
        return false;
    }
    return true;
}

bool uetcat_crc_order(const char *command, const char *text, uint8_t *order)
{
    *order = strcmp(text, "little") == 0 ? UET_CRC_LITTLE_ENDIAN : UET_CRC_BIG_ENDIAN;
    if (*order == UET_CRC_LITTLE_ENDIAN || strcmp(text, "big") == 0)
        return true;
    fprintf(stderr, "uetcat %s: --crc-order '%s': give big or little\n", command, text);
    return false;
}

bool uetcat_address(const char *command, const char *option, const char *text, struct uet_ip *ip)
{
    if (uet_ip_parse(ip, text) == 0)
        return true;
    fprintf(stderr, "uetcat %s: %s%s'%s' is no IPv4 or IPv6 address (names are not looked up)\n",
            command, option, option[0] ? " " : "", text);
    return false;
}

bool uetcat_mtu(const char *command, const char *text, uint16_t *mtu)
{
    static const char *const sizes[] = {"1024", "2048", "4096", "8192"};
    for (unsigned i = 0; i < 4; i++) {
        if (strcmp(text, sizes[i]) != 0)
            continue;
        *mtu = (uint16_t)(1024u << i);
        return true;
    }
    fprintf(stderr, "uetcat %s: --mtu '%s': give 1024, 2048, 4096 or 8192\n", command, text);
    return false;
}
