/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat probe: is there a FEP, what are its packets wrapped in, what does it do. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/uetcat/command.h"
#include "tools/uetcat/probe/ask.h"
#include "tools/uetcat/probe/show.h"

/* Keys and match bits that nobody has by accident: what is asked finds nothing and changes nothing.
 */
#define NO_KEY      UINT64_C(0x2badc0de)
#define NO_TAG      UINT64_C(0xbadc0de5ca1ab1e5)
#define IDEMPOTENT  (UINT64_C(1) << 63) /* a key for RUDI (SES-085) */
#define OPTIMIZED   (UINT64_C(1) << 62) /* a key that says what the resource index says */
#define BYTES       8u                  /* of a READ, or an element */
#define PAYLOAD_MAX 8192u

struct run {
    struct uetcat_args *args;
    struct probe probe;
    struct probe_show show;
    uint8_t bytes[PAYLOAD_MAX], into[BYTES];
    unsigned payload; /* the largest that was answered */
};

/* ---- wrapping ---- */

static const struct uet_operation no_op = {.opcode = UET_OP_NO_OP};

struct wrapping {
    const char *name;
    bool native;
    uint8_t protect, order;
};

static const struct wrapping in_clear[] = {
    {"UDP, no CRC", false, UET_PROTECT_NONE, UET_CRC_BIG_ENDIAN},
    {"UDP, CRC big-endian", false, UET_PROTECT_CRC, UET_CRC_BIG_ENDIAN},
    {"UDP, CRC little-endian", false, UET_PROTECT_CRC, UET_CRC_LITTLE_ENDIAN},
    {"native IP, no CRC", true, UET_PROTECT_NONE, UET_CRC_BIG_ENDIAN},
    {"native IP, CRC big-endian", true, UET_PROTECT_CRC, UET_CRC_BIG_ENDIAN},
    {"native IP, CRC little-endian", true, UET_PROTECT_CRC, UET_CRC_LITTLE_ENDIAN},
};
/* With keys: packets end in an ICV, never in a CRC (3.7). */
static const struct wrapping sealed[] = {
    {"UDP, TSS", false, UET_PROTECT_NONE, UET_CRC_BIG_ENDIAN},
    {"native IP, TSS", true, UET_PROTECT_NONE, UET_CRC_BIG_ENDIAN},
};

/* What is tried in turn: half of it over UDP, then over native IP. */
struct wrappings {
    const struct wrapping *of;
    int n;
};

static struct wrappings wrappings_of(const struct uetcat_link *l)
{
    return l->keys ? (struct wrappings){sealed, sizeof sealed / sizeof *sealed}
                   : (struct wrappings){in_clear, sizeof in_clear / sizeof *in_clear};
}

static bool goes_on(const struct run *r)
{
    return !uetcat_interrupted && !r->args->link.broken;
}

/* What its packets end in is told by themselves: a FEP may answer without what it was sent with. */
static void tell_wrapping(struct run *r, const struct wrapping *w, const struct probe_answer *a)
{
    const bool crc = w->protect == UET_PROTECT_CRC;
    const char *note = NULL;
    if (a->came && a->has_crc && (!crc || a->little != (w->order == UET_CRC_LITTLE_ENDIAN)))
        note = a->little ? "answers with a little-endian CRC" : "answers with a big-endian CRC";
    else if (a->came && crc && !a->has_crc)
        note = "answers without a CRC";
    probe_show_answer(&r->show, "wrapping", w->name, a, note);
}

/* In each encapsulation up to the first that is answered. Leaves the client of the first one of all
 * open; its index, or -1; -2 after a message. */
static int find_wrapping(struct run *r)
{
    struct probe *p = &r->probe;
    const struct wrappings all = wrappings_of(p->link);
    int found = -1;
    for (int i = 0; i < all.n && goes_on(r); i++) {
        const struct wrapping *w = &all.of[i];
        if (w->native && p->link->udp) {
            probe_show_note(&r->show, "wrapping", "native IP", "needs raw sockets: give -S");
            break;
        }
        if (!probe_open(p, w->native, w->protect, w->order))
            return -2;
        const struct probe_answer a = probe_operation(p, &no_op);
        tell_wrapping(r, w, &a);
        probe_close(p);
        if (a.came && found < 0)
            found = i;
        if (a.came && i < all.n / 2)
            i = all.n / 2 - 1; /* to the other encapsulation */
        else if (a.came)
            break;
    }
    if (found >= 0 && p->link->keys)
        probe_show_note(&r->show, "start", "of a PDC",
                        p->new_start ? "where the FEP says (UET_NEW_START_PSN)"
                                     : "where the initiator says");
    const struct wrapping *w = &all.of[found < 0 ? 0 : found];
    return found >= 0 && !probe_open(p, w->native, w->protect, w->order) ? -2 : found;
}

/* ---- what it does ---- */

struct trial {
    const char *group, *name;
    uint8_t opcode, mode, header;
    uint8_t amo;
    uint32_t length;
    const char *note; /* what to know of the answer, or NULL */
};

static const struct trial trials[] = {
    {"mode", "RUD: NO_OP", UET_OP_NO_OP, UET_MODE_RUD, 0, 0, 0, NULL},
    {"mode", "ROD: NO_OP", UET_OP_NO_OP, UET_MODE_ROD, 0, 0, 0, NULL},
    {"mode", "RUDI: READ", UET_OP_READ, UET_MODE_RUDI, 0, 0, BYTES, NULL},
    {"mode", "RUDI: WRITE", UET_OP_WRITE, UET_MODE_RUDI, 0, 0, 0, NULL},
    {"mode", "UUD: DATAGRAM_SEND", UET_OP_DATAGRAM_SEND, UET_MODE_UUD, 0, 0, 0,
     "UUD has no answer: the FEP alone knows"},
    {"opcode", "WRITE", UET_OP_WRITE, UET_MODE_RUD, 0, 0, 0, NULL},
    {"opcode", "READ", UET_OP_READ, UET_MODE_RUD, 0, 0, BYTES, NULL},
    {"opcode", "ATOMIC", UET_OP_ATOMIC, UET_MODE_RUD, 0, UET_AMO_SUM, BYTES, NULL},
    {"opcode", "FETCHING_ATOMIC", UET_OP_FETCHING_ATOMIC, UET_MODE_RUD, 0, UET_AMO_SUM, BYTES,
     NULL},
    {"opcode", "SEND", UET_OP_SEND, UET_MODE_RUD, 0, 0, 0, NULL},
    {"opcode", "TAGGED_SEND", UET_OP_TAGGED_SEND, UET_MODE_RUD, 0, 0, 0, NULL},
    {"opcode", "TSEND_ATOMIC", UET_OP_TSEND_ATOMIC, UET_MODE_RUD, 0, UET_AMO_SUM, BYTES, NULL},
    {"opcode", "TSEND_FETCH_ATOMIC", UET_OP_TSEND_FETCH_ATOMIC, UET_MODE_RUD, 0, UET_AMO_SUM, BYTES,
     NULL},
    {"header", "small: WRITE", UET_OP_WRITE, UET_MODE_RUD, UET_OP_HEADER_SMALL, 0, 0, NULL},
    {"header", "medium: WRITE", UET_OP_WRITE, UET_MODE_RUD, UET_OP_HEADER_MEDIUM, 0, 0, NULL},
    {"header", "medium: TAGGED_SEND", UET_OP_TAGGED_SEND, UET_MODE_RUD, UET_OP_HEADER_MEDIUM, 0, 0,
     NULL},
};
enum { N_TRIALS = sizeof trials / sizeof *trials };

static struct uet_operation operation_of(struct run *r, const struct trial *t)
{
    const struct uetcat_args *a = r->args;
    struct uet_operation op = {.opcode = t->opcode,
                               .mode = t->mode,
                               .header = t->header,
                               .amo = t->amo,
                               .datatype = UET_TYPE_UINT64,
                               .data = r->bytes, /* zeroes: a sum changes nothing */
                               .into = r->into,
                               .length = t->length};
    const bool tagged = t->opcode == UET_OP_TAGGED_SEND || t->opcode == UET_OP_TSEND_ATOMIC ||
                        t->opcode == UET_OP_TSEND_FETCH_ATOMIC;
    if (tagged)
        op.key = a->given[UETCAT_TAG] ? a->tag : NO_TAG;
    else
        op.key =
            (a->given[UETCAT_KEY] ? a->key : NO_KEY) | (t->mode == UET_MODE_RUDI ? IDEMPOTENT : 0);
    if (t->header == UET_OP_HEADER_SMALL) /* which has no key but an optimized one (SES-018) */
        op.key = OPTIMIZED | a->ri;
    op.buffer_offset = a->offset;
    return op;
}

static void try_operations(struct run *r)
{
    for (int i = 0; i < N_TRIALS && goes_on(r); i++) {
        const struct trial *t = &trials[i];
        const struct uet_operation op = operation_of(r, t);
        const struct probe_answer a = probe_operation(&r->probe, &op);
        if (t->mode == UET_MODE_UUD)
            probe_show_note(&r->show, t->group, t->name, t->note);
        else
            probe_show_answer(&r->show, t->group, t->name, &a, t->note);
    }
}

/* One packet with so much payload: a tagged send that finds nothing, or is refused, arrived. */
static void try_sizes(struct run *r)
{
    char name[40];
    for (unsigned size = 1024; size <= PAYLOAD_MAX && goes_on(r); size *= 2) {
        const struct uet_operation op = {
            .opcode = UET_OP_TAGGED_SEND, .key = NO_TAG, .data = r->bytes, .length = size};
        snprintf(name, sizeof name, "payload of %u bytes", size);
        if (size > uet_fep_config(r->probe.client.fep)->payload_mtu) {
            probe_show_note(&r->show, "size", name, "our link carries no such packet");
            continue;
        }
        const struct probe_answer a = probe_operation(&r->probe, &op);
        if (a.came)
            r->payload = size;
        probe_show_answer(&r->show, "size", name, &a, NULL);
    }
}

/* ---- what it says of itself ---- */

static void try_control(struct run *r)
{
    static const struct {
        const char *name;
        uint8_t type;
    } controls[] = {{"NOOP", UET_CTL_NOOP},
                    {"PROBE", UET_CTL_PROBE},
                    {"NEGOTIATION (1.0.3)", UET_CTL_NEGOTIATION}};
    char text[120];
    for (size_t i = 0; i < sizeof controls / sizeof *controls && goes_on(r); i++) {
        const struct probe_answer a = probe_control(&r->probe, controls[i].type);
        probe_show_answer(&r->show, "control", controls[i].name, &a, NULL);
    }
    if (!goes_on(r))
        return;
    const struct probe_answer a = probe_stranger(&r->probe);
    probe_text(&a, text, sizeof text);
    if (r->args->link.keys)
        probe_show_fact(&r->show, "control", "in clear: no answer", !a.came, text);
    else
        probe_show_fact(&r->show, "control", "NACK for an unknown PDC",
                        a.nack && a.nack_code == UET_NACK_INV_DPDCID, text);
}

static void try_answers(struct run *r)
{
    char text[80];
    r->probe.marks = true;
    const struct probe_answer a = probe_operation(&r->probe, &no_op);
    r->probe.marks = false;
    if (!a.came)
        return;
    probe_show_fact(&r->show, "answer", "tells a CE mark (flags.m)", a.ce, NULL);
    probe_show_fact(&r->show, "answer", "returns the entropy value", a.same_entropy, NULL);
    snprintf(text, sizeof text, "DSCP %u", a.dscp);
    probe_show_note(&r->show, "answer", "DSCP of an ACK", text);
}

/* ---- the command ---- */

static void tell_silence(struct run *r, bool there)
{
    const char *why = uetcat_link_silence(&r->args->link);
    if (!there)
        why = "nobody answers ARP or neighbour discovery for the address: is the FEP up, has it "
              "that address, is it in this network and VLAN?";
    else if (!why && r->args->link.keys)
        why =
            "it is there, but does not answer: it may have other keys, or speak in clear alone, or "
            "the other encapsulation, or not be UET";
    else if (!why)
        why = r->args->link.udp
                  ? "no packet came, and no ICMP: the host may be off, a firewall may drop, or the "
                    "FEP takes native IP, TSS alone, or another UDP port"
                  : "it is there, but does not answer: it may use another UDP port or IP protocol "
                    "(--ip-protocol), take TSS alone, be in another job (--job), or not be UET";
    probe_show_silence(&r->show, why);
}

static int run_probe(struct run *r)
{
    struct uetcat_link *l = &r->args->link;
    if (!uetcat_link_open(l))
        return UETCAT_USAGE;
    r->probe.link = l;
    probe_show_start(&r->show, l);
    const bool there = uetcat_link_resolve(l);
    if (!l->udp)
        probe_show_fact(&r->show, "address", "ARP or neighbour discovery", there, NULL);
    int found = there && goes_on(r) ? find_wrapping(r) : -1;
    if (found >= 0) {
        try_operations(r);
        try_control(r);
        try_sizes(r);
        try_answers(r);
        probe_close(&r->probe);
    } else if (found == -1 && goes_on(r)) {
        tell_silence(r, there);
    }
    probe_show_end(&r->show, found >= 0 ? wrappings_of(l).of[found].name : NULL, r->payload);
    uetcat_link_close(l);
    if (found == -2 || l->broken)
        return UETCAT_USAGE;
    return found >= 0 ? UETCAT_YES : UETCAT_NO;
}

static int run(int argc, char **argv)
{
    struct uetcat_args *a = uetcat_args_new(&uetcat_probe);
    struct run *r = calloc(1, sizeof *r);
    int status = UETCAT_USAGE;
    if (a && !r)
        fputs("uetcat probe: out of memory\n", stderr);
    if (a && r) {
        a->link.wait_ns = 500000000;
        r->args = a;
        if (uetcat_options(&uetcat_probe, a, argc, argv, NULL, NULL) &&
            uetcat_link_address(&a->link, a->n_words, a->words)) {
            r->show.json = a->json;
            status = run_probe(r);
        }
    }
    free(r);
    free(a);
    return status;
}

static const struct uetcat_use uses[] = {
    UETCAT_USES_LINK,
    {UETCAT_WAIT, "seconds to wait for the answer to each question (default 0.5)"},
    {UETCAT_KEY, "memory key of a region, for reads, writes of no bytes and sums of 0\n"
                 "(default: one that nobody has, so that the FEP refuses)"},
    {UETCAT_OFFSET, NULL},
    {UETCAT_TAG, "match bits of a receive, which is then used up (default: some that nobody has)"},
    UETCAT_USES_SERVICE,
    {UETCAT_IP_PROTOCOL, NULL},
    UETCAT_USES_KEYS,
    {UETCAT_PCAP, NULL},
    {UETCAT_JSON, "one JSON object"},
    {0}};

static const struct uet_idle_option idle[] = {{"offset", NULL, "key"}, {NULL, NULL, NULL}};

const struct uetcat_command uetcat_probe = {
    .name = "probe",
    .purpose = "what does a FEP support? found by trying",
    .synopsis = "[OPTION...] ADDR",
    .text =
        "Is there a FEP at ADDR? Finds out what its packets are wrapped in (UDP or native IP, CRC\n"
        "and its byte order), then tries modes, opcodes, header forms, Control Packets and sizes,\n"
        "and shows what each answer was. No memory is changed; a send of no bytes uses up a\n"
        "receive, where one waits at the resource index.\n"
        "  yes      it was done\n"
        "  known    it was understood, and refused for what it was for: no such key, no receive\n"
        "  no       it was refused as not supported\n"
        "  refused  by a NACK\n"
        "  silent   no answer came\n"
        "With --keys all is sealed but one packet, which should have no answer.\n",
    .uses = uses,
    .idle = idle,
    .status = "Exit status: 0 it answered, 1 nobody is there, or nobody that answers UET, 2 the\n"
              "arguments or the interface are wrong.\n",
    .examples = "192.0.2.2\n"
                "-S 192.0.2.77 192.0.2.2\n"
                "-S 192.0.2.77 -k 1 --json 192.0.2.2\n"
                "-S 192.0.2.77 --keys keys.txt 192.0.2.2\n",
    .run = run,
};
