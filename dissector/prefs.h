/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preferences, one place. Their help texts are in prefs.c. */
#ifndef UETX_PREFS_H
#define UETX_PREFS_H

#include "dissector/ws_compat.h"

enum uetx_crc_preference { UETX_CRC_AUTO, UETX_CRC_NONE, UETX_CRC_PRESENT };

/* The byte order in which a trailer is right (3.5.25): in either, or one. */
enum uetx_crc_order_preference { UETX_CRC_ORDER_AUTO, UETX_CRC_ORDER_BIG, UETX_CRC_ORDER_LITTLE };

/* Whether rules judge, and where the capture was taken: one more than enum uet_vantage. */
enum uetx_rules_preference {
    UETX_RULES_OFF,
    UETX_RULES_MIDDLE,
    UETX_RULES_INITIATOR,
    UETX_RULES_TARGET,
    UETX_RULES_BOTH
};

enum uetx_dscp_role {
    UETX_DSCP_TRIMMABLE,
    UETX_DSCP_TRIMMABLE_RTX,
    UETX_DSCP_TRIMMED,
    UETX_DSCP_TRIMMED_LASTHOP,
    UETX_DSCP_CONTROL,
    UETX_DSCP_ROLES
};

struct uetx_prefs {
    gint crc;       /* enum uetx_crc_preference */
    gint crc_order; /* enum uetx_crc_order_preference */
    gint rules;     /* enum uetx_rules_preference */
    gint spec;      /* enum uet_spec_version */
    uetx_bool_t track;
    uetx_bool_t relative_psn;
    uetx_bool_t variants;
    guint twice_us;
    guint reassemble_kib;
    range_t *dscp[UETX_DSCP_ROLES]; /* NULL or empty: not known */
};

extern struct uetx_prefs uetx_prefs;

/* Registers all of them with that protocol; once, when Wireshark starts. */
void uetx_prefs_register(int proto);

#endif
