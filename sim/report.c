/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wire/print.h"

#define HOUR_NS 3.6e12

void sum_add(struct sum *sum, const struct sim_result *r)
{
    sum->scenarios++;
    sum->virtual_ns += r->virtual_ns;
    sum->frames += r->frames;
    sum->ops += r->ops;
    sum->ok += r->ok;
    sum->ses_error += r->ses_error;
    sum->pds_error += r->pds_error;
    sum->abandoned += r->abandoned;
    sum->ignored += r->ignored;
    sum->ghosts += r->ghosts;
    sum->refused_syns += r->refused_syns;
    sum->untracked += r->untracked;
    sum->secured += r->sealed > 0;
    sum->sealed += r->sealed;
    sum->rotations += r->rotations;
    sum->forged += r->forged;
    sum->lost += r->fabric.lost;
    sum->duplicated += r->fabric.duplicated;
    sum->corrupted += r->fabric.corrupted;
    sum->delayed += r->fabric.delayed;
    sum->down += r->fabric.down;
    sum->marked += r->fabric.marked;
    sum->trimmed += r->fabric.trimmed;
    sim_tally_add(&sum->tally, &r->tally);
    for (int c = 0; c < UET_FABRIC_CLASSES; c++)
        sum->dropped += r->fabric.dropped[c];
}

static bool on_terminal(const struct options *o)
{
    return !o->quiet && isatty(STDERR_FILENO);
}

void report_progress(const struct options *o, const struct sum *sum, const char *what)
{
    if (on_terminal(o))
        fprintf(stderr,
                "\r%.3f of %g h, %" PRIu64 " scenarios, %" PRIu64 " packets, %" PRIu64
                " findings%s\033[K",
                (double)sum->virtual_ns / HOUR_NS, o->hours, sum->scenarios, sum->frames,
                sum->findings, what);
}

void report_progress_end(const struct options *o)
{
    if (on_terminal(o))
        fputs("\r\033[K", stderr);
}

static void limits_text(const struct options *o, FILE *out)
{
    static const char *const names[] = {"rud", "rod", "rudi", "uud"};
    const char *comma = "";

    if (o->limits.feps)
        fprintf(out, " --feps %u", o->limits.feps);
    if (o->limits.modes != 15) {
        fputs(" --modes ", out);
        for (int i = 0; i < 4; i++)
            if (o->limits.modes >> i & 1) {
                fprintf(out, "%s%s", comma, names[i]);
                comma = ",";
            }
    }
    if (o->limits.secure != SIM_SECURE_MIXED)
        fprintf(out, " --secure %s", sim_secure_name(o->limits.secure));
    if (o->limits.congestion != SIM_CONGESTION_MIXED)
        fprintf(out, " --congestion %s", sim_congestion_name(o->limits.congestion));
    if (o->violate)
        fprintf(out, " --violate %s", o->violate);
    if (o->mutation)
        fprintf(out, " --mutate %s", sim_mutation_name(o->mutation));
    for (size_t i = 0; i < o->n_ignore; i++)
        fprintf(out, " --ignore %s", o->ignore[i]);
}

/* The command that repeats the finding; malloc'ed. */
static char *command_of(const struct options *o, const struct finding *f)
{
    char *text = NULL, *ops = sim_set_text(&f->choice->ops);
    char *faults = sim_set_text(&f->choice->faults), *restarts = sim_set_text(&f->choice->restarts);
    size_t len;
    FILE *out = ops && faults && restarts ? open_memstream(&text, &len) : NULL;

    if (out) {
        fprintf(out, "./dev sim --seed %" PRIu64 " --scenario %" PRIu64, o->seed,
                f->plan->scenario);
        limits_text(o, out);
        if (strcmp(ops, "all") != 0)
            fprintf(out, " --ops %s", ops);
        if (strcmp(faults, "all") != 0)
            fprintf(out, " --faults %s", faults);
        if (strcmp(restarts, "all") != 0)
            fprintf(out, " --restarts %s", restarts);
        if (f->choice->max_length != UINT32_MAX)
            fprintf(out, " --max-length %u", f->choice->max_length);
        if (fclose(out)) {
            free(text);
            text = NULL;
        }
    }
    free(ops);
    free(faults);
    free(restarts);
    return text;
}

int report_finding(const struct options *o, struct sum *sum, const struct finding *f)
{
    const struct sim_breach *b = &f->result->breach;
    char *command = command_of(o, f);
    json_t *json;

    sum->findings++;
    if (!command)
        return -ENOMEM;
    printf("%s%s%s: %s\n", sim_invariant_name(b->what), *b->requirement ? " " : "", b->requirement,
           b->text);
    printf("  %.6f ms into scenario %" PRIu64 "; %u FEPs, %u operations, %u faults, %u restarts",
           (double)b->at_ns / 1e6, f->plan->scenario, sim_choice_feps(f->choice, f->plan),
           sim_set_count(&f->choice->ops), sim_set_count(&f->choice->faults),
           sim_set_count(&f->choice->restarts));
    if (f->runs)
        printf(" (made small in %u runs)", f->runs);
    printf("\n  again: %s\n", command);
    fflush(stdout);
    json = json_pack("{s:I, s:s, s:s, s:s, s:I, s:s}", "scenario", (json_int_t)f->plan->scenario,
                     "invariant", sim_invariant_name(b->what), "requirement", b->requirement,
                     "message", b->text, "at_ns", (json_int_t)b->at_ns, "command", command);
    free(command);
    return json && json_array_append_new(sum->list, json) == 0 ? 0 : -ENOMEM;
}

void report_sum(const struct options *o, const struct sum *s)
{
    if (o->quiet)
        return;
    printf("%.3f virtual hours in %.1f s: %" PRIu64 " scenarios, %" PRIu64
           " packets (%.0f a second), "
           "%" PRIu64 " findings%s\n",
           (double)s->virtual_ns / HOUR_NS, s->seconds, s->scenarios, s->frames,
           s->seconds > 0 ? (double)s->frames / s->seconds : 0, s->findings,
           s->stopped ? "; stopped before the end" : "");
    printf("  operations: %" PRIu64 ", %" PRIu64 " well, %" PRIu64 " refused by SES, %" PRIu64
           " failed by PDS, %" PRIu64 " lost with their FEP\n",
           s->ops, s->ok, s->ses_error, s->pds_error, s->abandoned);
    printf("  packets: %" PRIu64 " lost, %" PRIu64 " doubled, %" PRIu64 " corrupted, %" PRIu64
           " delayed, %" PRIu64 " cut off, %" PRIu64 " marked, %" PRIu64 " trimmed, %" PRIu64
           " dropped by full queues\n",
           s->lost, s->duplicated, s->corrupted, s->delayed, s->down, s->marked, s->trimmed,
           s->dropped);
    sim_tally_print(&s->tally, stdout);
    if (s->secured)
        printf("  security: %" PRIu64 " scenarios with %" PRIu64 " packets sealed, %" PRIu64
               " changes of a key, %" PRIu64 " packets of an attacker\n",
               s->secured, s->sealed, s->rotations, s->forged);
    if (s->ignored)
        printf("  ignored: %" PRIu64 " breaches\n", s->ignored);
    if (s->ghosts)
        printf("  done twice after their PDC was closed (PDS-054): %" PRIu64 " operations\n",
               s->ghosts);
    if (s->refused_syns)
        printf(
            "  done twice after a refused SYN sent them to another PDC (PDS-137, PDS-138): %" PRIu64
            " operations\n",
            s->refused_syns);
    if (s->untracked)
        printf("  not judged to the end for want of memory: %" PRIu64 " scenarios\n", s->untracked);
}

static json_t *modes_json(const uint64_t n[SIM_MODES])
{
    return json_pack("{s:I, s:I, s:I, s:I}", "rud", (json_int_t)n[UET_MODE_RUD], "rod",
                     (json_int_t)n[UET_MODE_ROD], "rudi", (json_int_t)n[UET_MODE_RUDI], "uud",
                     (json_int_t)n[UET_MODE_UUD]);
}

/* Every opcode by its name, those that never came up, too. */
static json_t *tally_json(const struct sim_tally *t)
{
    json_t *all = json_object();

    for (unsigned opcode = 0; all && opcode < SIM_OPCODES; opcode++) {
        json_t *one =
            json_pack("{s:o, s:o, s:o}", "packets", modes_json(t->packets[opcode]), "begun",
                      modes_json(t->begun[opcode]), "ended_well", modes_json(t->well[opcode]));
        if (json_object_set_new(all, uet_print_name(UET_ENUM_SES_REQ_OPCODE, opcode), one)) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

int report_json(const struct options *o, const struct sum *s)
{
    json_t *json = json_pack(
        "{s:I, s:f, s:f, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:I, s:I, s:o, s:O}",
        "seed", (json_int_t)o->seed, "hours", (double)s->virtual_ns / HOUR_NS, "seconds",
        s->seconds, "stopped", (int)s->stopped, "scenarios", (json_int_t)s->scenarios, "packets",
        (json_int_t)s->frames, "operations", (json_int_t)s->ops, "ok", (json_int_t)s->ok,
        "ses_error", (json_int_t)s->ses_error, "pds_error", (json_int_t)s->pds_error, "abandoned",
        (json_int_t)s->abandoned, "ignored", (json_int_t)s->ignored, "ghosts",
        (json_int_t)s->ghosts, "refused_syns", (json_int_t)s->refused_syns, "secured",
        (json_int_t)s->secured, "sealed", (json_int_t)s->sealed, "rotations",
        (json_int_t)s->rotations, "forged", (json_int_t)s->forged, "untracked",
        (json_int_t)s->untracked, "by_operation", tally_json(&s->tally), "findings", s->list);
    bool to_stdout = !strcmp(o->json, "-");
    FILE *out = to_stdout ? stdout : fopen(o->json, "w");
    bool good = json && out && json_dumpf(json, out, JSON_INDENT(2)) == 0 && fputc('\n', out) >= 0;

    if (out && (to_stdout ? fflush(out) : fclose(out)))
        good = false;
    json_decref(json);
    if (!good)
        fprintf(stderr, "uetsim: --json %s: cannot be written: %s\n", o->json, strerror(errno));
    return good ? 0 : -1;
}
