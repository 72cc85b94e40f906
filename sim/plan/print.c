/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan for people: who is there, what happens when. */
#include <inttypes.h>

#include "sim/plan/choice.h"
#include "sim/plan/internal.h"
#include "wire/print.h"

static double ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

static const char *mode_name(uint8_t mode)
{
    static const char *const names[] = {"RUD", "ROD", "RUDI", "UUD"};

    return mode < sizeof(names) / sizeof(*names) ? names[mode] : "?";
}

static const char *opcode_name(uint8_t opcode)
{
    switch (opcode) {
    case UET_OP_WRITE:
        return "write";
    case UET_OP_READ:
        return "read";
    case UET_OP_SEND:
        return "send";
    case UET_OP_DATAGRAM_SEND:
        return "datagram";
    case UET_OP_NO_OP:
        return "no-op";
    case UET_OP_ATOMIC:
        return "atomic";
    case UET_OP_FETCHING_ATOMIC:
        return "fetching atomic";
    case UET_OP_TAGGED_SEND:
        return "tagged send";
    case UET_OP_RENDEZVOUS_SEND:
        return "rendezvous";
    case UET_OP_RENDEZVOUS_TSEND:
        return "tagged rendezvous";
    case UET_OP_DEFERRABLE_SEND:
        return "deferrable send";
    case UET_OP_DEFERRABLE_TSEND:
        return "tagged deferrable send";
    case UET_OP_TSEND_ATOMIC:
        return "tagged atomic";
    case UET_OP_TSEND_FETCH_ATOMIC:
        return "tagged fetching atomic";
    default:
        return "operation";
    }
}

static void print_op(const struct sim_plan *plan, const struct sim_choice *choice, uint32_t i,
                     FILE *out)
{
    static const char *const headers[] = {"", ", small header", ", medium header"};
    static const char *const wrong[SIM_WRONGS] = {"",
                                                  ", with a wrong key",
                                                  ", with a wrong index",
                                                  ", beyond the end",
                                                  ", to what is read only",
                                                  ", with a wrong PIDonFEP",
                                                  ", with a wrong JobID",
                                                  ", to a disabled index",
                                                  ", not aligned",
                                                  ", of another Payload MTU"};
    static const char *const calls[SIM_CALLS] = {"",
                                                 "close of the PDCs",
                                                 "request to close the PDCs",
                                                 "NOOP",
                                                 "Negotiation",
                                                 "Probe",
                                                 "receives withdrawn or posted again"};
    const struct sim_op *op = &plan->ops[i];
    uint32_t least = (sim_may_be_put_off(op) || sim_is_tagged(op)) && choice->max_length < 8
                         ? 8
                         : choice->max_length;
    uint32_t length = op->length < least ? op->length : least;

    if (op->call) {
        fprintf(out, "%10.3f ms  operation %u: %s %u -> %u\n", ms(op->at_ns), i, calls[op->call],
                op->from, op->to);
        return;
    }
    fprintf(out, "%10.3f ms  operation %u: %s %s %u -> %u, %u B, job %u, class %u%s%s%s%s%s%s\n",
            ms(op->at_ns), i, mode_name(op->mode), opcode_name(op->opcode), op->from, op->to,
            length, op->job, op->traffic_class, op->header_data ? ", completion data" : "",
            op->absolute ? ", absolute" : "", op->reserved ? ", reserved PDC" : "",
            headers[op->header], wrong[op->wrong],
            op->stale_generation ? ", with the generation before" : "");
    if (op->reads_back)
        fprintf(out, "%15s what operation %u wrote\n", "", op->reads_back - 1);
    if (op->lone || sim_is_tagged_atomic(op))
        fprintf(out, "%15s %s of %s\n", "", uet_print_name(UET_ENUM_AMO_OPCODE, op->amo),
                uet_print_name(UET_ENUM_AMO_DATATYPE, op->datatype));
    else if (sim_is_atomic(op))
        fprintf(out, "%15s %s, digit %u of element %u of cell %u\n", "",
                uet_print_name(UET_ENUM_AMO_OPCODE, op->amo), op->digit,
                (unsigned)(op->offset % SIM_CELL_BYTES / 8),
                (unsigned)(op->offset / SIM_CELL_BYTES));
    if (sim_is_rendezvous(op))
        fprintf(out, "%15s %u B of it eagerly\n", "", op->eager);
    if (sim_is_tagged(op))
        fprintf(out, "%15s tag %u, rank %u\n", "", op->tag, op->rank);
}

static void print_fault(const struct sim_fault *fault, uint32_t i, FILE *out)
{
    const struct uet_fabric_faults *f = &fault->faults;
    /* only one is set */
    uint32_t rate = f->lose | f->duplicate | f->corrupt | f->delay | f->mark | f->trim;
    uint64_t late = f->delay_ns | f->copy_delay_ns;
    uint32_t run = (uint32_t)f->lose_run | f->mark_run | f->trim_run;

    fprintf(out, "%10.3f ms  fault %u: %s for %.3f ms on cable %u", ms(fault->at_ns), i,
            fault->name, ms(fault->for_ns), fault->cable);
    fprintf(out, "%s", fault->lines == 3 ? "" : fault->lines == 1 ? ", forth" : ", back");
    if (rate)
        fprintf(out, ", %.2f %%", rate / 1e4);
    if (run)
        fprintf(out, ", up to %u in a row", run);
    if (f->hits)
        fprintf(out, ", of%s%s%s", f->hits & UET_FABRIC_HITS_FIRST ? " data" : "",
                f->hits & UET_FABRIC_HITS_AGAIN ? " resends" : "",
                f->hits & UET_FABRIC_HITS_CONTROL ? " control" : "");
    if (late)
        fprintf(out, ", up to %.3f ms", ms(late));
    if (f->buffer_percent)
        fprintf(out, ", %u %% left", f->buffer_percent);
    if (f->spared)
        fprintf(out, ", not of %s", f->spared == 1u << UET_FABRIC_HIGH ? "control" : "data");
    fputc('\n', out);
}

static const char *const specs[] = {"1.0.3", "1.0.2", "1.0.1"};

static void print_choices(const struct uet_fep_choices *c, FILE *out)
{
    static const char *const bases[] = {"", ", SACK at the trigger", ", SACK in eights",
                                        ", SACK behind the trigger"};
    static const char *const starts[] = {"", ", Start_PSN positive", ", Start_PSN at the wrap"};
    static const char *const orders[] = {"", ", PDCIDs falling", ", PDCIDs shuffled"};

    fprintf(out, "%s%s%s%s%s%s%s%s", bases[c->sack_base], starts[c->start_psn], orders[c->pdcids],
            c->ack_each ? ", acknowledges each" : "", c->ack_old ? ", acknowledges old ones" : "",
            c->syn_resends ? ", resends with SYN" : "",
            c->mismatch_says_tpdcid ? ", tells the TPDCID" : "",
            c->cps_when_open ? ", CPs when open" : "");
    if (c->tss_floor_low)
        fputs(", keeps the floor low", out);
    if (c->answer_delay_ns)
        fprintf(out, ", answers %.3f ms later", ms(c->answer_delay_ns));
}

static void print_feps(const struct sim_plan *plan, FILE *out)
{
    struct uet_fep_config usual;
    uint64_t value, standard;
    const char *name;

    uet_fep_config_default(&usual);
    for (uint16_t i = 0; i < plan->n_feps; i++) {
        const struct uet_fep_config *c = &plan->fep[i];
        char text[UET_IP_TEXT];
        fprintf(out,
                "fep %u: %s, spec %s, payload MTU %u, %u PDCs (%u reserved), %u packets, %u of "
                "RUDI, %u responses, %u operations, %u messages, %u parts of reads, %u held sends",
                i, uet_ip_text(&c->address, text), specs[c->spec], c->payload_mtu, c->max_pdcs,
                c->reserved_pdcs, c->max_packets, c->max_rudi_packets, c->max_stored_responses,
                c->max_operations, c->max_messages, c->max_read_parts, c->max_held);
        if (*plan->variant[i])
            fprintf(out, ", variant %s", plan->variant[i]);
        else
            print_choices(&plan->choices[i], out);
        for (size_t p = 0; (name = uet_fep_param_name(p)); p++) {
            if (uet_fep_param_get(&c->params, name, &value) ||
                uet_fep_param_get(&usual.params, name, &standard) || value == standard)
                continue;
            fprintf(out, ", %s %" PRIu64, name, value);
        }
        fputc('\n', out);
    }
}

static void print_security(const struct sim_security *s, FILE *out)
{
    static const char *const attacks[SIM_ATTACKS] = {"flips", "replays", "clear ones", "mirrored",
                                                     "cut"};

    if (s->kind == SIM_IN_CLEAR)
        return;
    fprintf(out, "security: %s%s, SDI %u, epoch %u, counter %" PRIu64, sim_secure_name(s->kind),
            s->ssi ? " with SSI" : "", s->sdi, s->epoch, s->counter);
    if (s->rekey)
        fprintf(out, ", rekey mask 0x%" PRIx64 " and shift %u", s->rekey_mask, s->rekey_shift);
    if (s->encrypt_from)
        fprintf(out, ", encrypted from byte %u on", s->encrypt_from);
    if (s->by_epoch)
        fprintf(out, ", a new epoch after a restart");
    else
        fprintf(out, ", %u counters reserved at a time", s->block);
    for (unsigned i = 0; i < SIM_ATTACKS; i++)
        if (s->attacks[i])
            fprintf(out, ", %.2f %% %s", s->attacks[i] / 1e4, attacks[i]);
    fputc('\n', out);
    for (uint8_t i = 0; i < s->n_rotations; i++)
        fprintf(out, "%10.3f ms  rotation %u: within %.3f ms\n", ms(s->rotations[i].at_ns), i,
                ms(s->rotations[i].for_ns));
}

void sim_plan_print(const struct sim_plan *plan, const struct sim_choice *choice, FILE *out)
{
    fprintf(out,
            "scenario %" PRIu64 " of seed %" PRIu64
            ": %u FEPs, %u switches, %s, CRC %s, trimming %s, "
            "%u receives of %u B, %u tagged ones of %u B%s%s%s%s\n",
            plan->scenario, plan->seed, plan->n_feps, plan->n_switches,
            plan->native ? "native IP" : "UDP", plan->protect == UET_PROTECT_CRC ? "on" : "off",
            !plan->trimming ? "off"
            : plan->lasthop ? "on"
                            : "on without last hop",
            plan->receives, plan->receive_bytes, plan->tagged_receives, plan->tagged_bytes,
            plan->truncate ? ", truncating" : "", plan->generations ? ", with generations" : "",
            plan->keeping ? ", some are kept" : "",
            plan->unguarded ? "; corruption without CRC: survival is watched only" : "");
    print_security(&plan->secure, out);
    if (plan->congestion != SIM_UNCONTROLLED)
        fprintf(out, "congestion control: %s%s\n", sim_congestion_name(plan->congestion),
                plan->dscp_rtx == UET_FABRIC_NO_DSCP ? "" : ", resends have a code point");
    print_feps(plan, out);
    for (uint16_t i = 0; i < plan->n_cables; i++)
        fprintf(out, "cable %u: %u - %u, %.3f us, %.0f Gbit/s, queue %u B\n", i, plan->cables[i].a,
                plan->cables[i].b, (double)plan->cables[i].line.latency_ns / 1e3,
                (double)plan->cables[i].line.bits_per_s / 1e9,
                plan->cables[i].line.drop_bytes[UET_FABRIC_LOW]);
    for (uint32_t i = 0; i < plan->n_faults; i++)
        if (choice->faults.in[i])
            print_fault(&plan->faults[i], i, out);
    for (uint32_t i = 0; i < plan->n_restarts; i++)
        if (choice->restarts.in[i])
            fprintf(out, "%10.3f ms  restart %u: fep %u, %.3f ms down\n",
                    ms(plan->restarts[i].at_ns), i, plan->restarts[i].fep,
                    ms(plan->restarts[i].down_ns));
    for (uint32_t i = 0; i < plan->n_ops; i++)
        if (choice->ops.in[i])
            print_op(plan, choice, i, out);
}
