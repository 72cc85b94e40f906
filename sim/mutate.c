/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutants on the wire: what they do to a frame as it leaves its FEP. */
#include "sim/internal.h"
#include "wire/build.h"

enum { EVERY = 16, BACK = 5 };

const char *sim_mutation_name(enum sim_mutation mutation)
{
    static const char *const names[SIM_MUTATIONS] = {
        "nothing", "payload", "cack-back", "clear-back", "mode", "clock", "read-data", "into"};

    return (unsigned)mutation < SIM_MUTATIONS ? names[mutation] : NULL;
}

static bool payload(uint8_t *frame, const struct uet_packet *p)
{
    if (!uet_is_ses_request(p) || p->payload_len < 16)
        return false;
    frame[p->payload_offset + p->payload_len / 2] ^= 0x10;
    return true;
}

static bool read_data(uint8_t *frame, const struct uet_packet *p)
{
    if (!uet_is_ses_response_data(p) || !p->payload_len)
        return false;
    frame[p->payload_offset + p->payload_len / 2] ^= 0x10;
    return true;
}

static bool cack_back(uint8_t *frame, const struct uet_packet *p)
{
    if (!uet_is_ack(p))
        return false;
    uint8_t *ack = frame + p->pds_offset;
    uet_ack_cack_psn_set(ack, uet_ack_cack_psn(ack) - BACK);
    return true;
}

static bool clear_back(uint8_t *frame, const struct uet_packet *p)
{
    if (!uet_is_request(p))
        return false;
    uint8_t *req = frame + p->pds_offset;
    int clear = uet_rud_rod_req_clear_psn_offset(req) - BACK;
    if (clear < INT16_MIN)
        return false;
    uet_rud_rod_req_clear_psn_offset_set(req, (int16_t)clear);
    return true;
}

void mutate(struct scenario *w, uint8_t *frame, size_t len)
{
    static bool (*const how[SIM_MUTATIONS])(uint8_t *, const struct uet_packet *) = {
        [SIM_MUTATE_PAYLOAD] = payload,
        [SIM_MUTATE_READ_DATA] = read_data,
        [SIM_MUTATE_CACK_BACK] = cack_back,
        [SIM_MUTATE_CLEAR_BACK] = clear_back,
    };
    const struct uet_parse_options options = scenario_parse(w);
    struct uet_packet p;

    if (uet_parse(&p, frame, len, &options) != UET_PARSE_OK || !how[w->run->mutation])
        return;
    if (w->mutated++ % EVERY == EVERY - 1 && how[w->run->mutation](frame, &p))
        uet_refresh(frame, len, w->plan->protect);
}
