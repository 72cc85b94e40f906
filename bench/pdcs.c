/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opening PDCs: SYN packets of a peer that each open one, and the ACK that tells the TPDCID; beside
 * them packets on a PDC that is open already. The difference is what opening takes.
 */
#include "bench/bench.h"

#include <stdlib.h>

#include "refimpl/fep.h"
#include "wire/build.h"

enum { FEPS = 4, PDCS = 65535, FRAME = 256 };

struct many {
    struct uet_fep *fep[FEPS];
    uint32_t opened; /* in all FEPs */
    uint8_t frame[FRAME], out[UET_FRAME_MAX];
    uint32_t len;
    uint8_t *pds;
};

static struct many many;

static struct uet_fep *fep_new(const struct uet_ip *ip)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.address = *ip;
    c.max_pdcs = PDCS;
    size_t size = uet_fep_size(&c);
    void *memory = malloc(size);
    struct uet_fep *fep = memory ? uet_fep_init(memory, size, &c, 1) : NULL;
    if (!fep)
        bench_die("no FEP with 65,535 PDCs");
    return fep;
}

/* A NO_OP with syn; spdcid and psn are set for each. */
static void frame_build(const struct uet_ip *from, const struct uet_ip *to)
{
    const struct uet_route route = {.src = *from, .dst = *to, .entropy = 0x4242};
    struct uet_build b;
    uet_build_start(&b, many.frame, sizeof many.frame, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ_SYN);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_ar_set(h, true);
    uet_rud_rod_req_syn_set(h, true);
    uet_rud_rod_req_clear_psn_offset_set(h, -1);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_NO_OP);
    uet_ses_req_som_set(s, true);
    uet_ses_req_eom_set(s, true);
    uet_ses_req_std_message_id_set(s, 1);
    int n = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    if (n < 0)
        bench_die("no room for a NO_OP");
    many.len = (uint32_t)n;
    many.pds = h;
}

static void prepare(void)
{
    const struct uet_ip ip = {4, {192, 0, 2, 1}}, peer = {4, {192, 0, 2, 2}};
    if (many.fep[0])
        return;
    for (unsigned i = 0; i < FEPS; i++)
        many.fep[i] = fep_new(&ip);
    frame_build(&peer, &ip);
}

/* The packet in, its ACK out. */
static void exchange(struct uet_fep *fep)
{
    uet_fep_receive(fep, many.frame, many.len, 1);
    if (!uet_fep_transmit(fep, many.out, sizeof many.out, 1))
        bench_die("a NO_OP was not answered");
}

static void open_one(uint32_t i)
{
    struct uet_fep *fep = many.fep[i / PDCS];
    uet_rud_rod_req_spdcid_set(many.pds, (uint16_t)(i % PDCS + 1));
    uet_rud_rod_req_psn_set(many.pds, i * 2654435761u);
    exchange(fep);
}

void bench_pdc_open(uint32_t rounds)
{
    prepare();
    for (uint32_t i = 0; i < rounds; i++) {
        if (many.opened == FEPS * PDCS) { /* rare: begin anew */
            for (unsigned j = 0; j < FEPS; j++)
                uet_fep_reset(many.fep[j], 1);
            many.opened = 0;
        }
        open_one(many.opened++);
    }
}

/* The same packet on a PDC that is open, with a FEP of its own. */
void bench_pdc_packet(uint32_t rounds)
{
    static struct uet_fep *fep;
    static uint32_t psn = 1000;
    static uint16_t tpdcid;
    struct uet_packet p;
    prepare();
    uet_rud_rod_req_spdcid_set(many.pds, 1);
    if (!fep) {
        const struct uet_ip ip = {4, {192, 0, 2, 1}};
        fep = fep_new(&ip);
        uet_rud_rod_req_psn_set(many.pds, psn);
        exchange(fep);
        if (uet_parse(&p, many.out, sizeof many.out, NULL) != UET_PARSE_OK || !uet_is_ack(&p))
            bench_die("a SYN was not acknowledged");
        tpdcid = uet_spdcid(&p);
    }
    uet_rud_rod_req_syn_set(many.pds, false);
    uet_rud_rod_req_dpdcid_set(many.pds, tpdcid);
    for (uint32_t i = 0; i < rounds; i++) {
        uet_rud_rod_req_psn_set(many.pds, ++psn);
        exchange(fep);
    }
    uet_rud_rod_req_syn_set(many.pds, true);
    uet_rud_rod_req_dpdcid_set(many.pds, 0); /* psn_offset 0 again */
}
