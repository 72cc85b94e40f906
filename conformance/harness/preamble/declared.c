/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory and receive buffers that stand ready at a FEP without upper tester (fep.yaml). */
#include "conformance/harness/preamble/preamble.h"

struct uet_memory uet_declared_as_memory(const struct uet_dut_memory *d)
{
    return (struct uet_memory){.job_id = d->job_id,
                               .pid_on_fep = d->pid_on_fep,
                               .resource_index = d->resource_index,
                               .ri_generation = d->ri_generation,
                               .relative = d->relative,
                               .key = d->key,
                               .length = d->length};
}

struct uet_memory uet_declared_as_receive(const struct uet_dut_receive *d)
{
    return (struct uet_memory){.job_id = d->job_id,
                               .pid_on_fep = d->pid_on_fep,
                               .resource_index = d->resource_index,
                               .ri_generation = d->ri_generation,
                               .relative = d->relative,
                               .length = d->length};
}

static _Noreturn void none_works(struct uet_tc *tc, const char *kind, unsigned line,
                                 const struct uet_entry *entry)
{
    uet_inconc(tc, "%s:%u: this entry of '%s' did not stand its own test: %s",
               tc->session->dut->path, line, kind, entry->wrong);
}

struct uet_memory uet_declared_memory(struct uet_tc *tc, uint32_t length)
{
    const struct uet_dut *dut = tc->session->dut;
    size_t bad = dut->n_memory;

    for (size_t i = 0; i < dut->n_memory; i++) {
        const struct uet_dut_memory *d = &dut->memory[i];

        if (d->no_write || d->length < length || !uet_tc_reaches(tc, d->job_id))
            continue;
        if (!tc->session->memory[i].wrong[0])
            return uet_declared_as_memory(d);
        bad = i;
    }
    if (bad < dut->n_memory)
        none_works(tc, "memory", dut->memory[bad].line, &tc->session->memory[bad]);
    uet_skip_for(tc, UET_SKIP_PARAMETER, "no writable memory of %u bytes (fep.yaml: memory)",
                 length);
}

struct uet_memory uet_declared_receive(struct uet_tc *tc, uint32_t length)
{
    const struct uet_dut *dut = tc->session->dut;
    size_t bad = dut->n_receives;

    for (size_t i = 0; i < dut->n_receives; i++) {
        const struct uet_dut_receive *d = &dut->receives[i];

        if (d->length < length || !uet_tc_reaches(tc, d->job_id))
            continue;
        if (!tc->session->receives[i].wrong[0])
            return uet_declared_as_receive(d);
        bad = i;
    }
    if (bad < dut->n_receives)
        none_works(tc, "receives", dut->receives[bad].line, &tc->session->receives[bad]);
    uet_skip_for(tc, UET_SKIP_PARAMETER, "no receive buffers of %u bytes (fep.yaml: receives)",
                 length);
}
