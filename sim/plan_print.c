/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan for people: who is there, what happens when. */
#include <inttypes.h>

#include "sim/choice.h"
#include "sim/plan_internal.h"

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
    case UET_OP_SEND:
        return "send";
    case UET_OP_DATAGRAM_SEND:
        return "datagram";
    case UET_OP_NO_OP:
        return "no-op";
    default:
        return "operation";
    }
}

static void print_op(const struct sim_plan *plan, const struct sim_choice *choice, uint32_t i,
                     FILE *out)
{
    static const char *const headers[] = {"", ", small header", ", medium header"};
    static const char *const wrong[] = {"", ", with a wrong key", ", with a wrong index",
                                        ", beyond the end"};
    const struct sim_op *op = &plan->ops[i];
    uint32_t length = op->length < choice->max_length ? op->length : choice->max_length;

    fprintf(out, "%10.3f ms  operation %u: %s %s %u -> %u, %u B, job %u, class %u%s%s%s\n",
            ms(op->at_ns), i, mode_name(op->mode), opcode_name(op->opcode), op->from, op->to,
            length, op->job, op->traffic_class, op->header_data ? ", completion data" : "",
            headers[op->header], wrong[op->wrong]);
}

static void print_fault(const struct sim_fault *fault, uint32_t i, FILE *out)
{
    const struct uet_fabric_faults *f = &fault->faults;
    uint32_t rate = f->lose | f->duplicate | f->corrupt | f->delay; /* only one is set */

    fprintf(out, "%10.3f ms  fault %u: %s for %.3f ms on cable %u", ms(fault->at_ns), i,
            fault->name, ms(fault->for_ns), fault->cable);
    fprintf(out, "%s", fault->lines == 3 ? "" : fault->lines == 1 ? ", forth" : ", back");
    if (rate)
        fprintf(out, ", %.2f %%", rate / 1e4);
    if (f->delay_ns)
        fprintf(out, ", up to %.3f ms", ms(f->delay_ns));
    if (f->buffer_percent)
        fprintf(out, ", %u %% left", f->buffer_percent);
    if (f->spared)
        fprintf(out, ", not of %s", f->spared == 1u << UET_FABRIC_HIGH ? "control" : "data");
    fputc('\n', out);
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
        fprintf(out, "fep %u: %s, %u PDCs, %u packets, %u responses, %u operations, %u messages", i,
                uet_ip_text(&c->address, text), c->max_pdcs, c->max_packets,
                c->max_stored_responses, c->max_operations, c->max_messages);
        for (size_t p = 0; (name = uet_fep_param_name(p)); p++) {
            if (uet_fep_param_get(&c->params, name, &value) ||
                uet_fep_param_get(&usual.params, name, &standard) || value == standard)
                continue;
            fprintf(out, ", %s %" PRIu64, name, value);
        }
        fputc('\n', out);
    }
}

void sim_plan_print(const struct sim_plan *plan, const struct sim_choice *choice, FILE *out)
{
    static const char *const specs[] = {"1.0.3", "1.0.2", "1.0.1"};

    fprintf(out,
            "world %" PRIu64 " of seed %" PRIu64 ": %u FEPs, %u switches, spec %s, payload MTU %u, "
            "CRC %s, trimming %s, %u receives of %u B\n",
            plan->world, plan->seed, plan->n_feps, plan->n_switches, specs[plan->fep[0].spec],
            plan->fep[0].payload_mtu, plan->protect ? "on" : "off", plan->trimming ? "on" : "off",
            plan->receives, plan->receive_bytes);
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
