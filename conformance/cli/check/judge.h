/* SPDX-License-Identifier: BSD-2-Clause */
/* One capture judged: which packets were, which were not and why, and what broke which rule. */
#ifndef UET_CONFORMANCE_CLI_CHECK_JUDGE_H
#define UET_CONFORMANCE_CLI_CHECK_JUDGE_H

#include "conformance/cli/check/congestion.h"
#include "conformance/cli/check/found.h"
#include "conformance/cli/check/sealed.h"
#include "port/capture.h"
#include "rules/rules.h"
#include "wire/captured/reader.h"

/* Why a packet was not judged. */
enum check_reason {
    CHECK_NOT_UET,
    CHECK_LINK_TYPE, /* of a link type that is not known */
    CHECK_CUT,       /* the capture has too little of it */
    CHECK_FRAGMENT,  /* an IP fragment */
    CHECK_EXTENSION, /* behind IPv6 extension headers */
    CHECK_MALFORMED, /* it has no sound PDS header */
    CHECK_CRC,       /* its CRC is wrong */
    CHECK_SEALED,    /* by TSS, without a key: its header alone is judged */
    CHECK_REFUSED,   /* by TSS, and none of the keys for it opens it */
    CHECK_TRIMMED,   /* a switch cut it */
    CHECK_TWICE,     /* another capture point's copy of a packet */
    CHECK_SENDER,    /* not sent by --sender */
    CHECK_REASONS
};

#define CHECK_SENDERS 4

struct check_options {
    struct uet_track_config track; /* protect is that of the reader */
    struct uet_rules_config rules;
    struct uet_rules_window window; /* --max-wnd, --rto */
    bool any_order;                 /* --crc-order auto */
    uint8_t crc_order;              /* enum uet_crc_order, when it is told */
    bool must_only;                 /* --level must: violations of SHOULDs are left out */
    bool strict;                    /* a SHOULD alone is exit status 1 */
    bool summary;                   /* no single packets */
    bool every;                     /* JSON has every violation, whatever max is */
    bool congestion;                /* --congestion */
    uint32_t max;                   /* violations shown of each requirement */
    struct uet_keyring *keys;
};

/* What came out of one capture. */
struct check_file {
    const char *path;
    uint32_t packets, judged, not_judged[CHECK_REASONS];
    uint32_t cut, malformed; /* judged or not */
    struct check_sealed sealed;
    uint32_t link_type; /* the first one that is not known */
    struct check_found found;
    struct uet_ip senders[CHECK_SENDERS]; /* of UET packets, the first ones */
    unsigned n_senders;
    struct uet_track_totals totals;
    struct check_congestion *congestion; /* NULL: not asked for */
    struct uet_trailers trailers;
    const char *via[8]; /* links and tunnels that packets came by */
    unsigned n_via;
    bool complete; /* read to its end */
};

/* The reason in words, and in one word for JSON. */
const char *check_reason_text(enum check_reason reason);
const char *check_reason_key(enum check_reason reason);

/* Called with each violation that is to be shown. */
typedef void check_violation_fn(void *ctx, const struct uet_violation *violation,
                                const struct check_words *packet);

/*
 * Judges a capture that was opened; ahead: the same once more, to find out beforehand whether its
 * packets have CRC trailers, or NULL for a capture that cannot be read twice. 0; or 2 after one
 * line about what stopped it, when `file` holds what was judged until then. The caller frees
 * file->found and file->congestion.
 */
int check_judge(struct check_file *file, struct uet_capture *capture, struct uet_capture *ahead,
                const struct check_options *options, check_violation_fn *violation, void *ctx);

#endif
