/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/capture.h"
#include "wire/captured/reader.h"

/* Counters of the relay, of which both directions are added up. */
static const char *const counted[] = {"lost",       "cut",     "trimmed",   "marked",  "corrupted",
                                      "duplicated", "delayed", "reordered", "rehashed"};

/* What the capture of the client's side holds. */
enum seen {
    SEEN_UET,
    SEEN_IPV4,
    SEEN_IPV6,
    SEEN_UDP,
    SEEN_NATIVE,
    SEEN_CRC,
    SEEN_PDCS,
    SEEN_WRAPS
};
static const char *const seen_names[] = {"uet_packets", "ipv4", "ipv6", "udp",
                                         "native",      "crc",  "pdcs", "psn_wraps"};

#define ITEMS(a)  (sizeof(a) / sizeof((a)[0]))
#define PDCID_MAX 65536

struct look {
    uint64_t seen[ITEMS(seen_names)];
    uint8_t first[16]; /* who has sent the first packet */
    /* By sender (the first or the other) and SPDCID: was it opened, did its PSNs come near 2^32? */
    bool opened[2][PDCID_MAX], near[2][PDCID_MAX];
    uint32_t start_psn[2][PDCID_MAX];
};

bool evidence_known(const char *name)
{
    for (size_t i = 0; i < ITEMS(counted); i++)
        if (strcmp(counted[i], name) == 0)
            return true;
    for (size_t i = 0; i < ITEMS(seen_names); i++)
        if (strcmp(seen_names[i], name) == 0)
            return true;
    return false;
}

/* The PSNs of a PDC go through 2^32 when small ones follow large ones. */
static void look_at_request(struct look *look, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    const uint32_t psn = uet_rud_rod_req_psn(h);
    const uint16_t pdcid = uet_rud_rod_req_spdcid(h);
    const int sender = memcmp(look->first, p->src, sizeof(look->first)) != 0;

    if (uet_rud_rod_req_syn(h)) { /* a PDCID is used again, with another Start_PSN */
        const uint32_t start = psn - uet_rud_rod_req_psn_offset(h);

        look->seen[SEEN_PDCS] +=
            !look->opened[sender][pdcid] || look->start_psn[sender][pdcid] != start;
        look->opened[sender][pdcid] = true;
        look->start_psn[sender][pdcid] = start;
    }
    if (psn >= UINT32_C(0xf0000000))
        look->near[sender][pdcid] = true;
    if (psn < UINT32_C(0x10000000) && look->near[sender][pdcid]) {
        look->near[sender][pdcid] = false;
        look->seen[SEEN_WRAPS]++;
    }
}

static void look_at(struct look *look, const struct uet_packet *p)
{
    if (look->seen[SEEN_UET]++ == 0)
        memcpy(look->first, p->src, sizeof(look->first));
    look->seen[p->ip_version == 6 ? SEEN_IPV6 : SEEN_IPV4]++;
    look->seen[p->udp_offset ? SEEN_UDP : SEEN_NATIVE]++;
    look->seen[SEEN_CRC] += p->crc_state == UET_CRC_GOOD;
    if (uet_is_request(p))
        look_at_request(look, p);
}

static int look_through(struct look *look, struct uet_capture *capture)
{
    const struct uet_parse_options options = {.protect = UET_PROTECT_AUTO};
    struct uet_reader *reader = uet_reader_new(&options, true, NULL);
    struct uet_capture_packet at;
    struct uet_packet packet;
    int rc = reader ? 1 : -1;

    while (rc > 0 && (rc = uet_capture_next(capture, &at)) > 0)
        if (uet_reader_take(reader, at.linktype, at.data, at.caplen, at.len, &packet, NULL) ==
            UET_DECAP_UET)
            look_at(look, &packet);
    uet_reader_free(reader);
    return rc;
}

static bool add_seen(json_t *evidence, const char *path, char *err, size_t errlen)
{
    struct look *look = calloc(1, sizeof(*look));
    struct uet_capture *capture;
    bool good = look && uet_capture_open(&capture, path, err, errlen) == 0;

    if (good) {
        good = look_through(look, capture) == 0;
        if (!good)
            snprintf(err, errlen, "%s: %s", path, uet_capture_error(capture));
        uet_capture_close(capture);
    }
    for (size_t i = 0; good && i < ITEMS(seen_names); i++)
        json_object_set_new(evidence, seen_names[i], json_integer((json_int_t)look->seen[i]));
    free(look);
    return good;
}

/* What the relay lost of its own, as one that is too slow for a burst. */
static json_int_t own_losses(const json_t *counters)
{
    const json_t *own = json_object_get(counters, "own_losses");
    const char *side, *kind;
    json_t *kinds, *n;
    json_int_t sum = 0;

    json_object_foreach((json_t *)(uintptr_t)own, side, kinds)
    {
        json_object_foreach(kinds, kind, n)
        {
            sum += json_integer_value(n);
        }
    }
    return sum;
}

static bool add_counted(json_t *evidence, const char *path, char *err, size_t errlen)
{
    json_error_t why;
    json_t *counters = json_load_file(path, 0, &why);

    if (!counters) {
        snprintf(err, errlen, "%s: %s", path, why.text);
        return false;
    }
    for (size_t i = 0; i < ITEMS(counted); i++) {
        const json_int_t left =
            json_integer_value(json_object_get(json_object_get(counters, "left"), counted[i]));
        const json_int_t right =
            json_integer_value(json_object_get(json_object_get(counters, "right"), counted[i]));

        json_object_set_new(evidence, counted[i], json_integer(left + right));
    }
    json_object_set_new(evidence, "relay_own_losses", json_integer(own_losses(counters)));
    json_decref(counters);
    return true;
}

json_t *evidence_read(const char *counters, const char *capture, char *err, size_t errlen)
{
    json_t *evidence = json_object();

    if (evidence && add_counted(evidence, counters, err, errlen) &&
        add_seen(evidence, capture, err, errlen))
        return evidence;
    json_decref(evidence);
    return NULL;
}
