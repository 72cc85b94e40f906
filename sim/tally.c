/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/tally.h"

#include <inttypes.h>

#include "refimpl/fep.h"
#include "wire/print.h"

/* Of a packet whose header says it; SIM_MODES: it does not. */
static unsigned mode_of(const struct uet_packet *p)
{
    if (uet_is_rudi(p))
        return UET_MODE_RUDI;
    if (uet_is_uud(p))
        return UET_MODE_UUD;
    switch (uet_pds_prologue_type(uet_pds(p))) {
    case UET_PDS_RUD_REQ:
    case UET_PDS_RUD_CC_REQ:
        return UET_MODE_RUD;
    case UET_PDS_ROD_REQ:
    case UET_PDS_ROD_CC_REQ:
        return UET_MODE_ROD;
    default:
        return SIM_MODES;
    }
}

static void tally_request(struct sim_tally *tally, const struct uet_packet *p, unsigned mode)
{
    uint8_t opcode = uet_ses_req_opcode(uet_ses(p));

    if (opcode < SIM_OPCODES)
        tally->packets[opcode][mode]++;
    else
        tally->other++;
    if (uet_in_ses_ext_atomic(p->ext)) {
        uint8_t amo = uet_ses_ext_atomic_opcode(uet_ses_ext(p));
        if (amo < SIM_AMOS)
            tally->amos[amo]++;
    }
}

void sim_tally_packet(struct sim_tally *tally, const struct uet_packet *p)
{
    unsigned mode = mode_of(p);

    if (uet_is_ack(p))
        tally->acks++;
    else if (uet_is_nack(p))
        tally->nacks++;
    else if (uet_is_cp(p))
        tally->cps++;
    else if (mode < SIM_MODES && uet_is_ses_request(p))
        tally_request(tally, p, mode);
    else if (mode < SIM_MODES && uet_is_ses_response_data(p))
        tally->data[mode]++;
    else
        tally->other++;
}

void sim_tally_frame(struct sim_tally *tally, const uint8_t *frame, uint32_t len,
                     const struct uet_parse_options *how)
{
    struct uet_parse_options options = *how;
    struct uet_packet p;

    options.protect = UET_PROTECT_NONE; /* that it is right is another's business */
    if (uet_parse(&p, frame, len, &options) == UET_PARSE_OK)
        sim_tally_packet(tally, &p);
    else
        tally->other++;
}

/* It is counters and nothing else. */
void sim_tally_add(struct sim_tally *sum, const struct sim_tally *one)
{
    const uint64_t *from = (const uint64_t *)one;
    uint64_t *to = (uint64_t *)sum;

    _Static_assert(sizeof(*sum) % sizeof(*to) == 0, "counters alone");
    for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
        to[i] += from[i];
}

/* ---- the table ---- */

static uint64_t of_all_modes(const uint64_t by_mode[SIM_MODES])
{
    uint64_t n = 0;

    for (unsigned m = 0; m < SIM_MODES; m++)
        n += by_mode[m];
    return n;
}

static void print_modes(const char *name, const uint64_t by_mode[SIM_MODES], FILE *out)
{
    fprintf(out, "  %-18s", name);
    for (unsigned m = 0; m < SIM_MODES; m++)
        fprintf(out, " %11" PRIu64, by_mode[m]);
}

static void print_opcode(const struct sim_tally *t, unsigned opcode, FILE *out)
{
    if (!of_all_modes(t->packets[opcode]) && !of_all_modes(t->begun[opcode]))
        return;
    print_modes(uet_print_name(UET_ENUM_SES_REQ_OPCODE, opcode), t->packets[opcode], out);
    if (of_all_modes(t->begun[opcode])) /* the others are no operations of an application */
        fprintf(out, " %11" PRIu64 " %11" PRIu64, of_all_modes(t->begun[opcode]),
                of_all_modes(t->well[opcode]));
    fputc('\n', out);
}

static void print_amos(const struct sim_tally *t, FILE *out)
{
    const char *before = "  packets of atomics:";

    for (unsigned amo = 0; amo < SIM_AMOS; amo++)
        if (t->amos[amo]) {
            fprintf(out, "%s %" PRIu64 " %s", before, t->amos[amo],
                    uet_print_name(UET_ENUM_AMO_OPCODE, amo));
            before = ",";
        }
    if (*before == ',')
        fputc('\n', out);
}

void sim_tally_print(const struct sim_tally *t, FILE *out)
{
    fprintf(out, "  %-18s %11s %11s %11s %11s %11s %11s\n", "packets", "RUD", "ROD", "RUDI", "UUD",
            "operations", "ended well");
    for (unsigned opcode = 0; opcode < SIM_OPCODES; opcode++)
        print_opcode(t, opcode, out);
    print_modes("data of reads", t->data, out);
    fprintf(out,
            "\n  and %" PRIu64 " ACKs, %" PRIu64 " NACKs, %" PRIu64 " CPs, %" PRIu64
            " others, of RUDI most\n",
            t->acks, t->nacks, t->cps, t->other);
    print_amos(t, out);
}
