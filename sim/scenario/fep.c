/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEPs of a scenario: their incarnations, memory, operations and frames. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/violate.h"
#include "sim/random.h"
#include "sim/scenario/internal.h"

/* ---- memory ---- */

static uint8_t *guarded(uint64_t bytes, uint64_t behind)
{
    uint8_t *memory = malloc(SIM_GUARD + bytes + behind);

    if (!memory)
        return NULL;
    memset(memory, SIM_CANARY, SIM_GUARD + bytes + behind);
    return memory + SIM_GUARD;
}

/* Are there tagged sends that may wait for a receive, however long? */
static bool may_wait(const struct scenario *w)
{
    for (uint32_t op = w->plan->n_first; op < w->plan->n_ops; op++)
        if (w->run->choice->ops.in[op] && sim_is_tagged(&w->plan->ops[op]) &&
            (op >= w->plan->n_put_off || w->plan->keeping))
            return true;
    return false;
}

static void make_last(struct buffer *buffer)
{
    buffer->last = buffer->tagged = buffer->any_initiator = true;
    buffer->match_bits = 0;
    buffer->ignore = UINT64_MAX;
}

static int make_buffers(struct scenario *w, struct sim_fep *fep)
{
    uint32_t untagged = (uint32_t)w->plan->receives * w->plan->n_jobs;
    uint32_t last = untagged + (uint32_t)w->plan->tagged_receives * w->plan->n_jobs;
    uint32_t n = last + (may_wait(w) ? w->plan->n_jobs : 0);

    fep->buffers = calloc(n, sizeof(*fep->buffers));
    if (!fep->buffers)
        return -ENOMEM;
    fep->n_buffers = n;
    for (uint32_t i = 0; i < n; i++) {
        fep->buffers[i].job = (uint8_t)(i % w->plan->n_jobs);
        if (i >= last)
            make_last(&fep->buffers[i]);
        else if (i >= untagged)
            tag_receive(w, (uint16_t)(fep - w->feps), i, &fep->buffers[i]);
        fep->buffers[i].bytes = guarded(buffer_bytes(w, &fep->buffers[i]), SIM_GUARD);
        if (!fep->buffers[i].bytes)
            return -ENOMEM;
    }
    return 0;
}

/* Atomics begin with 0 everywhere. */
static int make_counters(struct scenario *w, struct sim_fep *fep)
{
    for (unsigned j = 0; j < w->plan->n_jobs; j++) {
        uint32_t bytes = w->plan->counter_bytes[fep - w->feps][j] + SIM_CELL_BYTES;
        fep->counters[j] = guarded(bytes, SIM_GUARD);
        if (!fep->counters[j])
            return -ENOMEM;
        memset(fep->counters[j], 0, bytes);
        fep->lone[j] = guarded(w->plan->lone_bytes[fep - w->feps][j] + SIM_LONE_BYTES, SIM_GUARD);
        if (!fep->lone[j])
            return -ENOMEM;
    }
    for (uint32_t op = w->plan->n_lone; op < w->plan->n_ops; op++)
        if (w->plan->ops[op].lone && w->plan->ops[op].to == fep - w->feps)
            lone_make(w, op);
    return 0;
}

/* What has nothing to do and is not aimed at needs no memory. */
static bool is_used(const struct scenario *w, uint16_t i)
{
    for (uint32_t op = 0; op < w->plan->n_ops; op++)
        if (w->run->choice->ops.in[op] && (w->plan->ops[op].from == i || w->plan->ops[op].to == i))
            return true;
    return false;
}

static int fep_make(struct scenario *w, uint16_t i)
{
    struct sim_fep *fep = &w->feps[i];
    size_t size = uet_fep_size(&w->plan->fep[i]);

    fep->deadline = UET_FEP_NEVER;
    if (!is_used(w, i))
        return 0;
    if (!size)
        return -EINVAL;
    fep->memory = malloc(size);
    fep->backlog = calloc(w->plan->n_ops + 1u, sizeof(*fep->backlog));
    if (!fep->memory || !fep->backlog)
        return -ENOMEM;
    for (unsigned j = 0; j <= SIM_JOBS_MAX; j++) {
        fep->region[j] = guarded(w->plan->region_bytes[i][j], SIM_RANGE_MAX);
        if (!fep->region[j])
            return -ENOMEM;
    }
    fep->source = guarded(SIM_SOURCE_BYTES, SIM_GUARD);
    if (!fep->source)
        return -ENOMEM;
    oracle_make_source(w, i, fep->source);
    return make_counters(w, fep) ? -ENOMEM : make_buffers(w, fep);
}

int feps_make(struct scenario *w)
{
    int rc = 0;

    for (uint16_t i = 0; i < w->plan->n_feps && rc == 0; i++) {
        rc = fep_make(w, i);
        if (rc == 0)
            fep_up(w, i);
    }
    return rc ? rc : w->error;
}

void feps_free(struct scenario *w)
{
    for (uint16_t i = 0; i < w->plan->n_feps; i++) {
        struct sim_fep *fep = &w->feps[i];
        if (fep->up)
            uet_fep_erase(fep->fep);
        for (unsigned j = 0; j <= SIM_JOBS_MAX; j++)
            if (fep->region[j])
                free(fep->region[j] - SIM_GUARD);
        for (unsigned j = 0; j < SIM_JOBS_MAX; j++)
            if (fep->counters[j])
                free(fep->counters[j] - SIM_GUARD);
        for (unsigned j = 0; j < SIM_JOBS_MAX; j++)
            if (fep->lone[j])
                free(fep->lone[j] - SIM_GUARD);
        if (fep->source)
            free(fep->source - SIM_GUARD);
        for (uint32_t b = 0; b < fep->n_buffers; b++)
            if (fep->buffers[b].bytes)
                free(fep->buffers[b].bytes - SIM_GUARD);
        free(fep->buffers);
        free(fep->backlog);
        free(fep->memory);
    }
}

/* ---- incarnations ---- */

static uint8_t generation_of(uint16_t fep)
{
    return (uint8_t)(SIM_GENERATION + fep);
}

static const struct uet_service services[] = {
    {.resource_index = SIM_RI, .ri_class = UET_RI_RMA},
    {.resource_index = SIM_RI, .ri_class = UET_RI_SEND},
    {.resource_index = SIM_RI, .ri_class = UET_RI_TAGGED},
    {.resource_index = SIM_RI_SOURCE, .ri_class = UET_RI_RMA},
    {.resource_index = SIM_RI_COUNTERS, .ri_class = UET_RI_RMA},
    {.resource_index = SIM_RI_DISABLED, .ri_class = UET_RI_RMA, .disabled = true},
    {.resource_index = SIM_RI_DISABLED, .ri_class = UET_RI_SEND, .disabled = true},
    {.resource_index = SIM_RI_DISABLED, .ri_class = UET_RI_TAGGED, .disabled = true},
};

/* Of the job; RUDI's, which is job 0's; what is read; the atomics'. */
enum memory { WRITTEN, SAFE, SOURCE, COUNTERS, LONE };

static const struct {
    uint64_t key;
    uint8_t rights, memory;
} regions[] = {
    {SIM_KEY, UET_RIGHT_WRITE | UET_RIGHT_READ, WRITTEN},
    {SIM_KEY_SHORT, UET_RIGHT_WRITE | UET_RIGHT_READ, WRITTEN},
    {SIM_KEY_READ, UET_RIGHT_READ, WRITTEN},
    {SIM_KEY_WRITE, UET_RIGHT_WRITE, WRITTEN},
    {SIM_KEY_SAFE, UET_RIGHT_WRITE | UET_RIGHT_READ, SAFE},
    {SIM_KEY_SHORT_SAFE, UET_RIGHT_WRITE | UET_RIGHT_READ, SAFE},
    {SIM_KEY_SOURCE, UET_RIGHT_READ, SOURCE},
    {SIM_KEY_SHORT_SOURCE, UET_RIGHT_READ, SOURCE},
    {SIM_KEY_SHORT_SAFE_SOURCE, UET_RIGHT_READ, SOURCE},
    {SIM_KEY_COUNTERS, UET_RIGHT_WRITE | UET_RIGHT_READ, COUNTERS},
    {SIM_KEY_SHORT_COUNTERS, UET_RIGHT_WRITE | UET_RIGHT_READ, COUNTERS},
    {SIM_KEY_COUNTERS_READ, UET_RIGHT_READ, COUNTERS},
    {SIM_KEY_COUNTERS_WRITE, UET_RIGHT_WRITE, COUNTERS},
    {SIM_KEY_LONE, UET_RIGHT_WRITE | UET_RIGHT_READ, LONE},
};

/* Where the memory is, of what length, and behind which resource index. */
static void find_memory(const struct scenario *w, uint16_t i, uint8_t job, uint8_t memory,
                        struct uet_region *region)
{
    const struct sim_fep *fep = &w->feps[i];
    uint8_t place = memory == SAFE ? SIM_JOBS_MAX : job;

    switch (memory) {
    case SOURCE:
        region->resource_index = SIM_RI_SOURCE;
        region->base = fep->source;
        region->length = SIM_SOURCE_BYTES;
        break;
    case COUNTERS:
        region->resource_index = SIM_RI_COUNTERS;
        region->base = fep->counters[job];
        region->length = w->plan->counter_bytes[i][job] + SIM_CELL_BYTES;
        break;
    case LONE:
        region->resource_index = SIM_RI_COUNTERS;
        region->base = fep->lone[job];
        region->length = w->plan->lone_bytes[i][job] + SIM_LONE_BYTES;
        break;
    default:
        region->resource_index = SIM_RI;
        region->base = fep->region[place];
        region->length = w->plan->region_bytes[i][place];
    }
}

static int serve_job(struct scenario *w, uint16_t i, uint8_t job)
{
    struct sim_fep *fep = &w->feps[i];
    int rc = 0;

    for (size_t k = 0; k < sizeof(services) / sizeof(*services) && rc == 0; k++) {
        struct uet_service service = services[k];
        service.job_id = fep_job(job);
        service.pid_on_fep = SIM_PID;
        service.has_generation =
            service.ri_class == UET_RI_SEND && !service.disabled && w->plan->generations;
        service.ri_generation = generation_of(i);
        rc = uet_fep_service_add(fep->fep, &service);
    }
    for (size_t k = 0; k < sizeof(regions) / sizeof(*regions) && rc >= 0; k++) {
        struct uet_region region = {.job_id = fep_job(job),
                                    .pid_on_fep = SIM_PID,
                                    .key = regions[k].key,
                                    .rights = regions[k].rights};
        find_memory(w, i, job, regions[k].memory, &region);
        if (regions[k].memory != SAFE || job == 0)
            rc = uet_fep_region_add(fep->fep, &region);
    }
    return rc;
}

static void serve(struct scenario *w, uint16_t i)
{
    int rc = 0;

    for (uint8_t j = 0; j < w->plan->n_jobs && rc >= 0; j++)
        rc = serve_job(w, i, j);
    if (rc < 0)
        w->error = rc;
}

void fep_up(struct scenario *w, uint16_t i)
{
    struct sim_fep *fep = &w->feps[i];
    struct uet_fep_config config = w->plan->fep[i];

    if (!fep->memory || fep->up)
        return;
    config.choices = &w->plan->choices[i];
    config.seed = sim_mix(config.seed, fep->incarnation++);
    fep->fep = uet_fep_init(fep->memory, uet_fep_size(&config), &config, w->now);
    if (!fep->fep) {
        w->error = -EINVAL;
        return;
    }
    fep->up = true;
    if (w->run->violate && uet_fep_violate(fep->fep, w->run->violate))
        w->error = -ENOENT;
    if (w->seals)
        domain_install(w, i);
    serve(w, i);
    for (uint32_t b = 0; b < fep->n_buffers; b++) {
        if (fep->incarnation > 1) /* the earlier incarnation may have begun to fill it */
            memset(fep->buffers[b].bytes, SIM_CANARY, buffer_bytes(w, &fep->buffers[b]));
        fep_post_again(w, i, b);
    }
    fep->dirty = true;
}

void fep_down(struct scenario *w, uint16_t i)
{
    struct sim_fep *fep = &w->feps[i];

    if (!fep->up)
        return;
    uet_fep_erase(fep->fep);
    fep->up = false;
    fep->dirty = true;
    fep->deadline = UET_FEP_NEVER;
    fep->n_active = fep->n_posted = fep->n_lent = 0;
    for (uint32_t b = 0; b < fep->n_buffers; b++)
        fep->buffers[b].posted = fep->buffers[b].withdrawn = false;
    for (uint32_t op = 0; op < w->plan->n_ops; op++) {
        struct op_state *state = &w->ops[op];
        if (state->phase != OP_ACTIVE)
            continue;
        if (w->plan->ops[op].from == i || w->plan->ops[op].to == i)
            state->excused = true;
        if (w->plan->ops[op].from != i)
            continue;
        state->phase = OP_ABANDONED;
        w->result->abandoned++;
        w->n_unfinished--;
    }
    if (watch_restart(w, i))
        w->error = -ENOMEM;
}

/* ---- operations ---- */

/* Does it read what nobody writes? */
static bool reads_source(const struct sim_op *op)
{
    return op->opcode == UET_OP_READ && !op->reads_back;
}

static uint64_t key_of(const struct sim_op *op)
{
    bool safe = op->mode == UET_MODE_RUDI;

    if (op->lone)
        return SIM_KEY_LONE;
    if (sim_is_atomic(op))
        return op->header == UET_OP_HEADER_SMALL ? SIM_KEY_SHORT_COUNTERS : SIM_KEY_COUNTERS;
    if (reads_source(op)) {
        if (op->header != UET_OP_HEADER_SMALL)
            return SIM_KEY_SOURCE;
        return safe ? SIM_KEY_SHORT_SAFE_SOURCE : SIM_KEY_SHORT_SOURCE;
    }
    if (op->header == UET_OP_HEADER_SMALL)
        return safe ? SIM_KEY_SHORT_SAFE : SIM_KEY_SHORT;
    return safe ? SIM_KEY_SAFE : SIM_KEY;
}

static uint64_t end_of_memory(const struct scenario *w, const struct sim_op *op)
{
    if (reads_source(op))
        return SIM_SOURCE_BYTES;
    if (sim_is_atomic(op))
        return w->plan->counter_bytes[op->to][op->job] + SIM_CELL_BYTES;
    return w->plan->region_bytes[op->to][op->mode == UET_MODE_RUDI ? SIM_JOBS_MAX : op->job];
}

/* One thing is wrong with it; the rest is as it should be. */
static void make_wrong(const struct scenario *w, const struct sim_op *op,
                       struct uet_operation *call)
{
    switch (op->wrong) {
    case SIM_WRONG_KEY:
        call->key ^= 0x40;
        break;
    case SIM_WRONG_INDEX:
        call->resource_index = SIM_RI_DISABLED + 1;
        break;
    case SIM_WRONG_RANGE:
        call->buffer_offset = end_of_memory(w, op);
        if (!sim_is_atomic(op)) /* those stay aligned */
            call->buffer_offset = call->buffer_offset - call->length / 2 + !call->length;
        break;
    case SIM_WRONG_ALIGNMENT:
        call->buffer_offset += 4;
        break;
    case SIM_WRONG_RIGHTS:
        if (sim_is_atomic(op)) { /* which need both (SES-135) */
            call->key = op->digit & 1 ? SIM_KEY_COUNTERS_READ : SIM_KEY_COUNTERS_WRITE;
            break;
        }
        call->resource_index = SIM_RI;
        call->key = op->opcode == UET_OP_READ ? SIM_KEY_WRITE : SIM_KEY_READ;
        break;
    case SIM_WRONG_PID:
        call->pid_on_fep++;
        break;
    case SIM_WRONG_JOB:
        call->job_id += 0x80;
        break;
    case SIM_WRONG_DISABLED:
        call->resource_index = SIM_RI_DISABLED;
        break;
    default:
        break;
    }
}

static uint16_t index_of(const struct sim_op *op)
{
    return sim_is_atomic(op) ? SIM_RI_COUNTERS : reads_source(op) ? SIM_RI_SOURCE : SIM_RI;
}

static void make_atomic(const struct scenario *w, uint32_t number, struct uet_operation *call)
{
    const struct sim_op *op = &w->plan->ops[number];
    const struct op_state *state = &w->ops[number];

    call->amo = op->amo;
    call->datatype = op->datatype;
    if (sim_is_tagged_atomic(op)) /* its operand is the data of a send */
        return;
    call->data = op->lone ? state->lone : (const uint8_t *)state->operand;
    call->compare = op->lone ? state->mask : (const uint8_t *)&state->compare;
}

static struct uet_operation operation(const struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    uint32_t length = op_length(w, number);
    struct uet_operation call = {
        .to = w->plan->fep[op->to].address,
        .opcode = op->opcode,
        .mode = op->mode,
        .header = op->header,
        .relative = !op->absolute,
        .delivery_complete = op->delivery_complete,
        .has_header_data = op->header_data,
        .header_data = op->header_data ? op_header_data(number) : 0,
        .job_id = fep_job(op->job),
        .pid_on_fep = SIM_PID,
        .resource_index = index_of(op),
        .initiator = sim_is_tagged(op) ? tag_initiator(op->rank) : number + 1,
        .traffic_class = op->traffic_class,
        .reserved = op->reserved,
        .data = !length                 ? NULL
                : sim_is_rendezvous(op) ? w->ops[number].lent
                                        : w->ops[number].data,
        .eager = op->eager < length ? op->eager : length,
        .region = w->ops[number].region,
        .into = w->ops[number].into,
        .length = length,
        .token = number,
    };

    if (op->opcode == UET_OP_WRITE || op->opcode == UET_OP_READ || sim_is_atomic(op)) {
        call.key = key_of(op);
        call.buffer_offset = op->offset;
    }
    if (sim_is_tagged(op))
        call.key = tag_bits(op->tag);
    if (sim_is_atomic(op) || sim_is_tagged_atomic(op))
        make_atomic(w, number, &call);
    if (w->plan->generations && sim_is_send(op) && !sim_is_tagged(op))
        call.ri_generation = (uint8_t)(generation_of(op->to) - op->stale_generation);
    if (w->run->mutation == SIM_MUTATE_MODE && op->mode == UET_MODE_ROD)
        call.mode = UET_MODE_RUD;
    if (w->run->mutation == SIM_MUTATE_INTO && call.into)
        call.into += 8;
    make_wrong(w, op, &call);
    return call;
}

/* Calls without a completion; a Probe needs a PDC, the others may find none free. */
static void call(struct scenario *w, uint32_t number)
{
    static const uint8_t ctl_types[SIM_CALLS] = {[SIM_CALL_NOOP] = UET_CTL_NOOP,
                                                 [SIM_CALL_NEGOTIATION] = UET_CTL_NEGOTIATION,
                                                 [SIM_CALL_PROBE] = UET_CTL_PROBE};
    const struct sim_op *op = &w->plan->ops[number];
    const struct uet_ip *to = &w->plan->fep[op->to].address;
    struct sim_fep *fep = &w->feps[op->from];
    int rc = 0;

    w->n_unfinished--;
    if (!fep->up) {
        w->ops[number].phase = OP_ABANDONED;
        w->result->abandoned++;
        return;
    }
    w->ops[number].phase = OP_OK;
    w->result->ok++;
    if (op->call == SIM_CALL_CLOSE)
        uet_fep_close(fep->fep, to, w->now);
    else if (op->call == SIM_CALL_CLOSE_REQUEST)
        uet_fep_close_request(fep->fep, to, w->now);
    else if (op->call == SIM_CALL_WITHDRAW)
        withdraw_receives(w, number);
    else
        rc = uet_fep_control(fep->fep, to, ctl_types[op->call], w->now);
    if (rc && rc != -ENOSPC && !(rc == -ENOENT && op->call == SIM_CALL_PROBE))
        scenario_breach(w, SIM_COMPLETION, "", "fep %u refuses call %u: %s", op->from, number,
                        strerror(-rc));
    fep->dirty = true;
}

static void submit_backlog(struct scenario *w, struct sim_fep *fep)
{
    while (fep->backlog_n) {
        uint32_t number = fep->backlog[fep->backlog_head];
        if (w->plan->ops[number].lone)
            lone_prepare(w, number);
        else if (sim_is_atomic(&w->plan->ops[number]))
            atomic_prepare(w, number);
        if (sim_is_rendezvous(&w->plan->ops[number]) && lend_region(w, number)) {
            scenario_breach(w, SIM_LEAK, "", "fep %u takes no region for operation %u",
                            (unsigned)(fep - w->feps), number);
            return;
        }
        struct uet_operation call = operation(w, number);
        int rc = uet_fep_submit(fep->fep, &call, w->now);
        if (rc == -ENOSPC) {
            if (!fep->n_active)
                scenario_breach(w, SIM_LEAK, "", "fep %u takes no operation although it has none",
                                (unsigned)(fep - w->feps));
            return;
        }
        if (rc) {
            scenario_breach(w, SIM_COMPLETION, "", "fep %u refuses operation %u: %s",
                            (unsigned)(fep - w->feps), number, strerror(-rc));
            return;
        }
        w->ops[number].phase = OP_ACTIVE;
        w->result->tally.begun[call.opcode][call.mode]++;
        op_begin(w, number);
        fep->n_active++;
        fep->backlog_head++;
        fep->backlog_n--;
    }
}

void fep_submit(struct scenario *w, uint32_t op)
{
    struct sim_fep *fep = &w->feps[w->plan->ops[op].from];

    if (w->plan->ops[op].call) {
        call(w, op);
        return;
    }
    if (op_make_data(w, op)) {
        w->error = -ENOMEM;
        return;
    }
    w->ops[op].phase = OP_QUEUED;
    fep->backlog[fep->backlog_head + fep->backlog_n++] = op;
    fep->dirty = true;
}

/* What is due, completions, and operations that wait for one. */
uint64_t fep_advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct scenario *w = ctx;
    struct sim_fep *fep = &w->feps[host];
    bool due = fep->deadline <= now_ns, again = true;
    struct uet_completion c;

    if (!fep->up || scenario_over(w))
        return UET_FABRIC_NEVER;
    w->now = now_ns;
    if (due)
        uet_fep_advance(fep->fep, w->run->mutation == SIM_MUTATE_CLOCK ? SIM_START_NS : now_ns);
    while (again && !scenario_over(w)) {
        again = fep->dirty = false;
        for (; uet_fep_completion(fep->fep, &c); again = true)
            oracle_completion(w, host, &c);
        take_regions_back(w, host);
        submit_backlog(w, fep);
    }
    fep->deadline = uet_fep_deadline(fep->fep);
    if (due && fep->deadline <= now_ns)
        scenario_breach(w, SIM_CLOCK, "", "fep %u: the next deadline is not ahead", host);
    return fep->deadline;
}

uint64_t fep_deadline(void *ctx, uint16_t host)
{
    struct scenario *w = ctx;
    struct sim_fep *fep = &w->feps[host];

    if (!fep->up || scenario_over(w))
        return UET_FABRIC_NEVER;
    fep->deadline = uet_fep_deadline(fep->fep);
    return fep->deadline;
}

/* ---- frames ---- */

size_t fep_pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    struct scenario *w = ctx;
    struct sim_fep *fep = &w->feps[host];
    size_t len;

    if (!fep->up || scenario_over(w))
        return 0;
    w->now = now_ns;
    domain_reserve(w, host);
    congestion_look(w, host);
    len = uet_fep_transmit(fep->fep, buffer, cap, now_ns);
    if (!len)
        return 0;
    w->result->frames++;
    if (w->run->mutation)
        mutate(w, buffer, len);
    watch_sent(w, host, buffer, (uint32_t)len);
    attacker_sees(w, host, buffer, (uint32_t)len);
    return len;
}

void fep_deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    struct scenario *w = ctx;
    struct sim_fep *fep = &w->feps[host];

    if (!fep->up || scenario_over(w))
        return;
    w->now = now_ns;
    watch_received(w, host, frame, len);
    seals_deliver(w, host, frame, len);
    attacker_strikes(w, host);
}
