/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/prefs.h"

#include "dissector/sealed/keys.h"
#include "rules/rules.h"

struct uetx_prefs uetx_prefs = {
    .crc = UETX_CRC_AUTO,
    .rules = UETX_RULES_MIDDLE,
    .spec = UET_VERSION_1_0_3,
    .track = TRUE,
    .twice_us = 20,
    .reassemble_kib = 16384,
};

static void register_variants(module_t *module)
{
    prefs_register_bool_preference(module, "variants", "Read drafts and trials",
                                   "Take bytes as the headers of drafts before 1.0 and of trials "
                                   "of single implementations where the specification would read "
                                   "them otherwise. What cannot be meant otherwise is always "
                                   "recognised",
                                   &uetx_prefs.variants);
}

static void register_bytes(module_t *module)
{
    static const enum_val_t crc_values[] = {
        {"auto", "Auto: shown when it matches", UETX_CRC_AUTO},
        {"none", "None: no packet has one", UETX_CRC_NONE},
        {"present", "Present: every packet ends in one", UETX_CRC_PRESENT},
        {NULL, NULL, 0},
    };
    static const enum_val_t order_values[] = {
        {"auto", "Auto: a trailer may be right in either", UETX_CRC_ORDER_AUTO},
        {"big", "Big-endian, as the specification has it", UETX_CRC_ORDER_BIG},
        {"little", "Little-endian", UETX_CRC_ORDER_LITTLE},
        {NULL, NULL, 0},
    };
    prefs_register_enum_preference(module, "crc", "CRC-32C trailer",
                                   "Nothing on the wire says whether packets end in a CRC-32C "
                                   "trailer (UET_Data_Protect, 3.5.25)",
                                   &uetx_prefs.crc, crc_values, FALSE);
    prefs_register_enum_preference(module, "crc_order", "Byte order of the CRC-32C trailer",
                                   "The specification has big-endian; implementations that copy "
                                   "the word of their CPU write little-endian (3.5.25). No "
                                   "effect when packets have none",
                                   &uetx_prefs.crc_order, order_values, FALSE);
}

static void register_state(module_t *module)
{
    static const enum_val_t rules_values[] = {
        {"off", "Off", UETX_RULES_OFF},
        {"middle", "On; the capture is from anywhere in the network", UETX_RULES_MIDDLE},
        {"initiator", "On; it is from the initiators' side", UETX_RULES_INITIATOR},
        {"target", "On; it is from the targets' side", UETX_RULES_TARGET},
        {"both", "On; it has every packet, in order (one cable)", UETX_RULES_BOTH},
        {NULL, NULL, 0},
    };
    static const enum_val_t spec_values[] = {
        {"1.0.3", "1.0.3", UET_VERSION_1_0_3},
        {"1.0.2", "1.0.2", UET_VERSION_1_0_2},
        {"1.0.1", "1.0.1", UET_VERSION_1_0_1},
        {NULL, NULL, 0},
    };
    prefs_register_bool_preference(module, "track", "Follow PDCs through the capture",
                                   "Links requests to their ACKs, finds retransmissions, gaps and "
                                   "duplicates; off: each packet by itself, and the four "
                                   "preferences that need this have no effect: judging, relative "
                                   "PSNs, equal frames, messages put together",
                                   &uetx_prefs.track);
    prefs_register_enum_preference(module, "rules", "Judge by the specification",
                                   "Remarks packets that violate a requirement. What a capture "
                                   "taken there cannot know is not judged",
                                   &uetx_prefs.rules, rules_values, FALSE);
    prefs_register_enum_preference(module, "spec", "Version of the specification",
                                   "The version by which packets are judged", &uetx_prefs.spec,
                                   spec_values, FALSE);
    prefs_register_bool_preference(module, "relative_psn", "Relative PSNs in the Info column",
                                   "PSNs are counted from Start_PSN of their PDC, or from the "
                                   "first one seen",
                                   &uetx_prefs.relative_psn);
    prefs_register_uint_preference(module, "twice_us", "Equal frames within (microseconds)",
                                   "Equal frames at most so far apart are one frame captured "
                                   "twice, not sent twice. 0: only when a router stood between "
                                   "the places of capture",
                                   10, &uetx_prefs.twice_us);
    prefs_register_uint_preference(module, "reassemble_kib", "Put messages together up to (KiB)",
                                   "Longer messages are shown packet by packet; 0: all are", 10,
                                   &uetx_prefs.reassemble_kib);
}

static void register_dscp(module_t *module)
{
    static const struct {
        const char *name, *title;
    } roles[UETX_DSCP_ROLES] = {
        [UETX_DSCP_TRIMMABLE] = {"dscp_trimmable", "DSCP_TRIMMABLE"},
        [UETX_DSCP_TRIMMABLE_RTX] = {"dscp_trimmable_rtx", "DSCP_TRIMMABLE_RTX"},
        [UETX_DSCP_TRIMMED] = {"dscp_trimmed", "DSCP_TRIMMED"},
        [UETX_DSCP_TRIMMED_LASTHOP] = {"dscp_trimmed_lasthop", "DSCP_TRIMMED_LASTHOP"},
        [UETX_DSCP_CONTROL] = {"dscp_control", "DSCP_CONTROL"},
    };
    for (int i = 0; i < UETX_DSCP_ROLES; i++) {
        uetx_prefs.dscp[i] = range_empty(wmem_epan_scope());
        prefs_register_range_preference(module, roles[i].name, roles[i].title,
                                        "DSCP values of this role in the network (4.1.4.1); empty: "
                                        "not known. Packets with a trimmed one have lost their end",
                                        &uetx_prefs.dscp[i], 63);
    }
}

void uetx_prefs_register(int proto)
{
    module_t *module = prefs_register_protocol(proto, NULL);
    register_bytes(module);
    register_variants(module);
    register_state(module);
    register_dscp(module);
    uetx_keys_register(module);
}
