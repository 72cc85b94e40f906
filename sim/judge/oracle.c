/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The oracle knows what every operation must do to memory, and says so when something else has
 * happened: bytes that differ, messages done twice or not at all, memory that was not to be
 * touched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "sim/scenario/internal.h"

/* The first eight bytes say whose they are; the rest follows from that. */
static uint64_t op_word(const struct scenario *w, uint32_t op, uint32_t i)
{
    return i ? sim_mix(w->plan->seed ^ op_header_data(op), i) : op_header_data(op);
}

static void fill(uint8_t *bytes, uint32_t n, uint64_t seed)
{
    for (uint32_t at = 0; at < n; at += 8) {
        uint64_t word = sim_mix(seed, at);
        memcpy(bytes + at, &word, n - at < 8 ? n - at : 8);
    }
}

void oracle_make_source(const struct scenario *w, uint16_t i, uint8_t *bytes)
{
    fill(bytes, SIM_SOURCE_BYTES, sim_mix(w->plan->seed, 0x50000u + i));
}

static int make_into(struct scenario *w, uint32_t op)
{
    uint32_t bytes = op_length(w, op) + 2 * SIM_GUARD;
    w->ops[op].into = malloc(bytes);

    if (!w->ops[op].into)
        return -ENOMEM;
    memset(w->ops[op].into, SIM_CANARY, bytes);
    w->ops[op].into += SIM_GUARD;
    return 0;
}

int op_make_data(struct scenario *w, uint32_t op)
{
    uint32_t length = op_length(w, op);
    uint8_t *data;

    const struct sim_op *o = &w->plan->ops[op];

    if ((o->opcode == UET_OP_READ || sim_fetches(o)) && make_into(w, op))
        return -ENOMEM;
    if (o->opcode == UET_OP_READ || sim_is_atomic(o))
        return 0; /* its operands: atomics.c */
    data = malloc(length + 8u);
    if (!data)
        return -ENOMEM;
    for (uint32_t at = 0; at < length; at += 8) {
        uint64_t word = op_word(w, op, at / 8);
        memcpy(data + at, &word, sizeof(word));
    }
    w->ops[op].data = data;
    return 0;
}

void op_free_data(struct scenario *w, uint32_t op)
{
    free(w->ops[op].data);
    free(w->ops[op].lent);
    if (w->ops[op].into)
        free(w->ops[op].into - SIM_GUARD);
}

/* The first byte that is not `value`, or n. */
static size_t differs(const uint8_t *bytes, uint8_t value, size_t n)
{
    if (!n || (bytes[0] == value && !memcmp(bytes, bytes + 1, n - 1)))
        return n;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != value)
            return i;
    return n;
}

static uint8_t *slot_of(const struct scenario *w, uint32_t op)
{
    const struct sim_op *o = &w->plan->ops[op];

    return w->feps[o->to].region[o->mode == UET_MODE_RUDI ? SIM_JOBS_MAX : o->job] + o->offset;
}

/* Of a receive that takes this message. */
static uint32_t room_for(const struct scenario *w, uint32_t op)
{
    return sim_is_tagged(&w->plan->ops[op]) ? w->plan->tagged_bytes : w->plan->receive_bytes;
}

/* Bytes of a message that a receive takes: all, or as many as there is room for. */
static uint32_t taken_length(const struct scenario *w, uint32_t op)
{
    uint32_t length = op_length(w, op);

    return length < room_for(w, op) ? length : room_for(w, op);
}

static bool too_long(const struct scenario *w, uint32_t op)
{
    const struct sim_op *o = &w->plan->ops[op];

    return o->opcode != UET_OP_WRITE && o->opcode != UET_OP_READ && !sim_is_atomic(o) &&
           !w->plan->truncate && op_length(w, op) > room_for(w, op);
}

static bool reliable(const struct sim_op *op)
{
    return op->mode == UET_MODE_RUD || op->mode == UET_MODE_ROD;
}

/* May the target keep it, without receive? */
static bool may_keep(const struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];

    return sim_is_send(op) && w->plan->choices[op->to].keeps_all;
}

/* ---- order ---- */

static void check_order(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    uint32_t *last = &w->rod_last[flow_of(op)];

    if (op->mode != UET_MODE_ROD)
        return;
    if (*last && w->ops[number].begun < w->ops[*last - 1].begun && order_promised(w, number))
        scenario_breach(w, SIM_ORDER, "", "operation %u came after operation %u of the same flow",
                        number, *last - 1);
    *last = number + 1;
}

/*
 * What is done a second time, and forgiven, has no place in the order. Nor has what was put off: it
 * has its receive in its turn, but its bytes come later; and between the two its target may forget.
 */
static void delivered_first(struct scenario *w, uint32_t number)
{
    if (sim_may_be_put_off(&w->plan->ops[number]) || may_keep(w, number))
        return;
    op_first_time(w, number);
    check_order(w, number);
}

/* ---- a receive was filled ---- */

static bool op_known(const struct scenario *w, uint64_t number)
{
    return number < w->plan->n_ops && w->ops[number].phase >= OP_ACTIVE && w->ops[number].data;
}

/* Whose message it was; UINT32_MAX when nothing says so. */
static uint32_t sender_of(const struct scenario *w, const struct buffer *buffer,
                          const struct uet_completion *c)
{
    uint64_t mark;

    if (c->initiator && !buffer->tagged)
        return c->initiator - 1;
    if (c->length < sizeof(mark) || buffer_bytes(w, buffer) < sizeof(mark))
        return UINT32_MAX;
    memcpy(&mark, buffer->bytes, sizeof(mark));
    return mark >> 48 == SIM_HEADER_DATA ? (uint32_t)mark - 1 : UINT32_MAX;
}

static void check_guards(struct scenario *w, uint16_t i, uint32_t number)
{
    const struct buffer *buffer = &w->feps[i].buffers[number];

    if (differs(buffer->bytes - SIM_GUARD, SIM_CANARY, SIM_GUARD) < SIM_GUARD ||
        differs(buffer->bytes + buffer_bytes(w, buffer), SIM_CANARY, SIM_GUARD) < SIM_GUARD)
        scenario_breach(w, SIM_MEMORY, "", "fep %u wrote outside receive %u", i, number);
}

/* Does it fill receives of this kind? */
static bool is_message(const struct sim_op *op, const struct buffer *buffer)
{
    if (sim_is_tagged(op) || buffer->tagged)
        return sim_is_tagged(op) && buffer->tagged;
    return op->opcode != UET_OP_WRITE;
}

static void check_message(struct scenario *w, uint16_t i, uint32_t number, uint32_t op,
                          const struct uet_completion *c)
{
    const struct buffer *buffer = &w->feps[i].buffers[number];
    const struct sim_op *o = &w->plan->ops[op];
    uint32_t length = taken_length(w, op), rest = buffer_bytes(w, buffer) - length;

    if (op_wrong(w, op) || too_long(w, op))
        scenario_breach(w, SIM_INTACT, "",
                        "fep %u: operation %u must be refused and filled a receive", i, op);
    else if (o->to != i || o->job != buffer->job || !is_message(o, buffer) ||
             !uet_ip_equal(&c->peer, &w->plan->fep[o->from].address))
        scenario_breach(w, SIM_INTACT, "",
                        "fep %u: receive %u names operation %u, which is another's", i, number, op);
    else if (c->length != length || memcmp(buffer->bytes, w->ops[op].data, length) != 0)
        scenario_breach(w, SIM_INTACT, "",
                        "fep %u: the message of operation %u differs (%u of %u B)", i, op,
                        c->length, length);
    else if (differs(buffer->bytes + length, SIM_CANARY, rest) < rest)
        scenario_breach(w, SIM_MEMORY, "", "fep %u: operation %u wrote behind its %u B", i, op,
                        length);
    else if (o->header_data && (!c->has_header_data || c->header_data != op_header_data(op)))
        scenario_breach(w, SIM_INTACT, "", "fep %u: the completion data of operation %u differs", i,
                        op);
}

static void message_arrived(struct scenario *w, uint16_t i, uint32_t number,
                            const struct uet_completion *c)
{
    const struct buffer *buffer = &w->feps[i].buffers[number];
    uint32_t op;

    if (c->match_bits && !buffer->tagged) {
        scenario_breach(w, SIM_TAG, "", "fep %u: a tagged send took receive %u, which has no tag",
                        i, number);
        return;
    }
    op = sender_of(w, buffer, c);
    if (!op_known(w, op)) {
        scenario_breach(w, SIM_INTACT, "", "fep %u: receive %u was filled by nobody", i, number);
        return;
    }
    check_message(w, i, number, op, c);
    if (!w->ops[op].delivered++) {
        delivered_first(w, op);
        if (buffer->tagged)
            tag_taken(w, i, number, op, c);
    } else if (reliable(&w->plan->ops[op]) && !twice_forgiven(w, op)) {
        scenario_breach(w, SIM_ONCE, "", "fep %u: operation %u was delivered again", i, op);
    }
}

static void receive_filled(struct scenario *w, uint16_t i, const struct uet_completion *c)
{
    struct sim_fep *fep = &w->feps[i];
    uint32_t number = (uint32_t)c->token;
    bool whole = c->status == UET_STATUS_OK && !w->plan->unguarded;

    if (c->token >= fep->n_buffers || !fep->buffers[number].posted) {
        scenario_breach(w, SIM_COMPLETION, "", "fep %u completes a receive that is not posted", i);
        return;
    }
    struct buffer *buffer = &fep->buffers[number];
    uint32_t bytes = buffer_bytes(w, buffer);
    buffer->posted = false;
    fep->n_posted--;
    check_guards(w, i, number);
    fep->n_failed += c->status != UET_STATUS_OK;
    if (whole)
        message_arrived(w, i, number, c);
    /* After a whole message the rest is known to be as it was. */
    memset(buffer->bytes, SIM_CANARY, whole && c->length < bytes ? c->length : bytes);
    buffer->post_at = w->now + w->plan->receive_delay_ns;
    if (!w->plan->receive_delay_ns)
        fep_post_again(w, i, number);
}

/* ---- a write with completion data arrived ---- */

static void write_arrived(struct scenario *w, uint16_t i, const struct uet_completion *c)
{
    uint64_t op = (uint32_t)c->header_data - 1u;

    if (c->header_data >> 48 != SIM_HEADER_DATA || !op_known(w, op) || w->plan->ops[op].to != i ||
        w->plan->ops[op].opcode != UET_OP_WRITE || op_wrong(w, (uint32_t)op)) {
        scenario_breach(w, SIM_INTACT, "", "fep %u: a write completion that nobody sent", i);
        return;
    }
    bool again = w->ops[op].told++ > 0;
    if (!again)
        delivered_first(w, (uint32_t)op);
    if (again && !twice_forgiven(w, (uint32_t)op))
        scenario_breach(w, SIM_ONCE, "", "fep %u: the write of operation %u was told again", i,
                        (uint32_t)op);
    else if (!w->ops[op].sealed &&
             memcmp(slot_of(w, (uint32_t)op), w->ops[op].data, op_length(w, (uint32_t)op)) != 0)
        scenario_breach(w, SIM_INTACT, "",
                        "fep %u: the write of operation %u is told, but not there", i,
                        (uint32_t)op);
}

/*
 * Several packets, and the target was restarted meanwhile: some were acknowledged by the one
 * incarnation and the others by the next, whose PDC has the same numbers. Nothing told the
 * initiator, and neither has the whole message.
 */
static bool torn(const struct scenario *w, uint32_t number)
{
    const struct sim_plan *plan = w->plan;

    return w->ops[number].excused &&
           op_length(w, number) > plan->fep[plan->ops[number].from].payload_mtu;
}

/* ---- a write ended ---- */

static void write_ended_well(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    struct op_state *state = &w->ops[number];
    uint32_t length = op_length(w, number);

    if (op->header_data && !state->told && !torn(w, number))
        scenario_breach(w, SIM_DELIVERED, "", "operation %u ended well and its data was not told",
                        number);
    if (memcmp(slot_of(w, number), state->data, length) != 0)
        scenario_breach(w, SIM_DELIVERED, "", "operation %u ended well and its bytes are not there",
                        number);
    if (reliable(op) && !state->excused &&
        !(op->read_by && w->run->choice->ops.in[op->read_by - 1])) {
        memset(slot_of(w, number), SIM_SEALED, length);
        state->sealed = true;
        op_first_time(w, number);
    }
}

/* Bytes of what did not end well: each is as it was, or as it was to become. */
static bool partly(const uint8_t *slot, const uint8_t *data, uint32_t n, bool refused)
{
    for (uint32_t i = 0; i < n; i++)
        if (slot[i] != SIM_CANARY && (refused || slot[i] != data[i]))
            return false;
    return true;
}

/* ---- reads ---- */

static void check_read_guards(struct scenario *w, uint32_t number)
{
    const uint8_t *into = w->ops[number].into;
    uint32_t length = op_length(w, number);

    if (differs(into - SIM_GUARD, SIM_CANARY, SIM_GUARD) < SIM_GUARD ||
        differs(into + length, SIM_CANARY, SIM_GUARD) < SIM_GUARD)
        scenario_breach(w, SIM_MEMORY, "", "the read of operation %u wrote outside its %u B",
                        number, length);
}

/*
 * What a read finds: bytes that nobody writes; or those of the ROD write before it, if that was
 * done and the order of the two is promised. NULL: nothing is known of it.
 */
static const uint8_t *wanted(const struct scenario *w, uint32_t number, bool *surely)
{
    const struct sim_op *op = &w->plan->ops[number];
    uint32_t write = op->reads_back - 1;

    *surely = true;
    if (!op->reads_back)
        return w->feps[op->to].source + op->offset;
    *surely = w->ops[write].phase == OP_OK && order_promised(w, write);
    return w->ops[write].data;
}

static void check_read(struct scenario *w, uint32_t number, bool well)
{
    uint32_t length = op_length(w, number);
    const uint8_t *into = w->ops[number].into;
    bool surely;
    const uint8_t *bytes = wanted(w, number, &surely);

    if (!bytes)
        return;
    if (well && surely && memcmp(into, bytes, length) != 0)
        scenario_breach(w, SIM_READ, "", "operation %u read other bytes than are there", number);
    else if (!partly(into, bytes, length, op_wrong(w, number)))
        scenario_breach(w, SIM_READ, "", "operation %u read bytes that were never there", number);
}

static void read_ended(struct scenario *w, uint32_t number, bool well)
{
    struct op_state *state = &w->ops[number];

    check_read_guards(w, number);
    check_read(w, number, well);
    memset(state->into, SIM_SEALED, op_length(w, number));
    state->read_over = true;
}

/* At the end: nothing came later, nor into what its FEP forgot. */
static void check_read_end(struct scenario *w, uint32_t number)
{
    const struct op_state *state = &w->ops[number];
    uint32_t length = op_length(w, number);

    if (!state->into)
        return;
    check_read_guards(w, number);
    if (!state->read_over && sim_fetches(&w->plan->ops[number]))
        return; /* its FEP forgot it: an old value may stand there, whole */
    if (!state->read_over)
        check_read(w, number, false);
    else if (differs(state->into, SIM_SEALED, length) < length)
        scenario_breach(w, SIM_MEMORY, "", "the read of operation %u wrote after its end", number);
}

/* Of a fetching atomic: what it brought has been looked at. */
static void fetch_ended(struct scenario *w, uint32_t number)
{
    struct op_state *state = &w->ops[number];

    check_read_guards(w, number);
    if (state->phase == OP_SES_ERROR &&
        differs(state->into, SIM_CANARY, op_length(w, number)) < op_length(w, number))
        scenario_breach(w, SIM_MEMORY, "", "operation %u was refused and brought something",
                        number);
    memset(state->into, SIM_SEALED, op_length(w, number));
    state->read_over = true;
}

/* ---- an operation ended ---- */

/*
 * Of a compare-and-swap that fetches nothing no public source says whether modified_length is that
 * of the element (SES-124) or of both operands, as in the request (SES-166, SES-179).
 */
static bool counts_operands(const struct sim_op *op, uint32_t length)
{
    const uint32_t operands = 32;

    return op->opcode == UET_OP_ATOMIC && op->amo >= UET_AMO_CSWAP && length == operands;
}

/*
 * All of a rendezvous has been read and has arrived; but its receive is filled when the target
 * knows that, which may be later (SES-156): until then its bytes stand there. Its READ may also
 * fail behind the last byte, with its PDC: then a receive ends in error.
 */
static void check_rendezvous(struct scenario *w, uint32_t number)
{
    const struct op_state *state = &w->ops[number];
    const struct sim_fep *to = &w->feps[w->plan->ops[number].to];
    uint32_t length = taken_length(w, number);

    if (state->delivered || state->excused || to->n_failed != state->failed || !to->up)
        return;
    for (uint32_t b = 0; b < to->n_buffers; b++)
        if (buffer_bytes(w, &to->buffers[b]) >= length &&
            !memcmp(to->buffers[b].bytes, state->data, length))
            return;
    if (!twice_forgiven(w, number)) /* the READ of what was refused counts for the next try */
        scenario_breach(w, SIM_DELIVERED, "", "operation %u ended well and its bytes are not there",
                        number);
}

/* May it end well before it has a receive (SES-098)? Of a rendezvous nothing is kept. */
static bool told_at_once(const struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];

    return !sim_is_rendezvous(op) && may_keep(w, number) &&
           w->plan->choices[op->to].kept_told_at_once;
}

/* One that is cut may have been told as whole where its receive came later: who reads says no
 * length, and who keeps it may not know it yet. */
static bool counts_all(const struct scenario *w, uint32_t number, uint32_t length)
{
    bool early = sim_is_rendezvous(&w->plan->ops[number]) || may_keep(w, number);

    return early && length == op_length(w, number);
}

static void ended_well(struct scenario *w, uint32_t number, const struct uet_completion *c)
{
    const struct sim_op *op = &w->plan->ops[number];
    bool send = sim_is_send(op);
    uint32_t length = send ? taken_length(w, number) : op_length(w, number);

    if (op->mode == UET_MODE_UUD) /* given out is all that is known of it */
        return;
    if (op_wrong(w, number) || (too_long(w, number) && !told_at_once(w, number))) {
        scenario_breach(w, SIM_COMPLETION, "", "operation %u must be refused and ended well",
                        number);
        return;
    }
    if (c->length != length && !counts_operands(op, c->length) && !counts_all(w, number, c->length))
        scenario_breach(w, SIM_COMPLETION, "", "operation %u moved %u of %u B and ended well",
                        number, c->length, length);
    if (send && !sim_is_rendezvous(op) && !told_at_once(w, number) && !w->ops[number].delivered &&
        !torn(w, number))
        scenario_breach(w, SIM_DELIVERED, "", "operation %u ended well and filled no receive",
                        number);
    if (sim_is_rendezvous(op))
        check_rendezvous(w, number);
    if (op->opcode == UET_OP_WRITE)
        write_ended_well(w, number);
    if (op->opcode == UET_OP_TSEND_FETCH_ATOMIC &&
        differs(w->ops[number].into, SIM_CANARY, length) < length && !twice_forgiven(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u brings what was not in its receive",
                        number);
    if (op->lone)
        lone_ended_well(w, number);
    else if (sim_is_atomic(op))
        atomic_ended_well(w, number);
    if (sim_is_atomic(op)) {
        op_first_time(w, number);
    }
}

/*
 * Whom a right operation may be refused by: a target without receive (in absolute mode those of
 * other jobs are seen and forbidden, SES-059), or one whose generation it does not learn in time:
 * a message on ROD that finds no receive disables it for all, and another one follows (SES-106).
 */
static bool may_refuse(const struct scenario *w, const struct sim_op *op, uint8_t return_code)
{
    bool generations = w->plan->generations && !sim_is_tagged(op);

    if (!sim_is_send(op))
        return false;
    return return_code == UET_RC_NO_MATCH ||
           (op->absolute && return_code == UET_RC_PERM_VIOLATION) ||
           (generations && return_code == UET_RC_DISABLED_GEN) ||
           (generations && return_code == UET_RC_BAD_GENERATION);
}

/* What Table 3-19 has for it; contested codes as the table says (SES-053, 054, 064, 101, 134). */
static uint8_t code_of(const struct scenario *w, uint32_t number)
{
    static const uint8_t codes[SIM_WRONGS] = {
        [SIM_WRONG_KEY] = UET_RC_BAD_MKEY,      [SIM_WRONG_INDEX] = UET_RC_BAD_INDEX,
        [SIM_WRONG_RANGE] = UET_RC_BAD_ADDR,    [SIM_WRONG_RIGHTS] = UET_RC_OP_VIOLATION,
        [SIM_WRONG_PID] = UET_RC_BAD_PID,       [SIM_WRONG_JOB] = UET_RC_BAD_JOB_ID,
        [SIM_WRONG_DISABLED] = UET_RC_DISABLED, [SIM_WRONG_ALIGNMENT] = UET_RC_AMO_UNALIGNED,
        [SIM_WRONG_MTU] = UET_RC_OP_VIOLATION};
    uint8_t wrong = op_wrong(w, number);

    return wrong ? codes[wrong] : too_long(w, number) ? UET_RC_TOO_LONG : UET_RC_OK;
}

static void refused(struct scenario *w, uint32_t number, const struct uet_completion *c)
{
    uint8_t wanted = code_of(w, number);

    if (sim_is_tagged(&w->plan->ops[number]) && c->return_code == UET_RC_NO_MATCH)
        tag_refused(w, number);
    /* The receive is looked for before the form of the packets is (3.4.1.3). */
    if (c->return_code == wanted || may_refuse(w, &w->plan->ops[number], c->return_code) ||
        (c->return_code == UET_RC_TOO_LONG && too_long(w, number)))
        return;
    scenario_breach(w, SIM_COMPLETION, "", "operation %u was refused with return code %u, not %u",
                    number, c->return_code, wanted);
}

/*
 * A FEP whose Start_PSNs all lie before the wrap (that choice is for tests) may open a PDC after a
 * restart exactly as it had before: what its target then takes for a resend it calls done.
 */
static bool may_begin_as_before(const struct scenario *w, uint16_t i)
{
    return w->feps[i].incarnation > 1 && w->plan->choices[i].start_psn == UET_START_AT_WRAP;
}

static void ended(struct scenario *w, uint16_t i, const struct uet_completion *c)
{
    uint32_t number = (uint32_t)c->token;
    const struct sim_op *op = &w->plan->ops[number];
    struct op_state *state = &w->ops[number];

    if (c->token >= w->plan->n_ops || op->from != i || state->phase != OP_ACTIVE) {
        scenario_breach(w, SIM_COMPLETION, "", "fep %u ends operation %u, which is not under way",
                        i, number);
        return;
    }
    w->feps[i].n_active--;
    w->n_unfinished--;
    state->over = ++w->events;
    if (op->opcode == UET_OP_READ)
        read_ended(w, number, c->status == UET_STATUS_OK);
    switch (c->status) {
    case UET_STATUS_OK:
        state->phase = may_begin_as_before(w, i) ? OP_PDS_ERROR : OP_OK;
        w->result->ok++;
        w->result->tally.well[op->opcode][op->mode]++;
        if (state->phase == OP_OK)
            ended_well(w, number, c);
        break;
    case UET_STATUS_SES_ERROR:
        state->phase = OP_SES_ERROR;
        w->result->ses_error++;
        refused(w, number, c);
        break;
    default:
        state->phase = OP_PDS_ERROR;
        w->result->pds_error++;
    }
    if (sim_fetches(op))
        fetch_ended(w, number);
}

void oracle_completion(struct scenario *w, uint16_t i, const struct uet_completion *c)
{
    switch (c->kind) {
    case UET_COMPLETION_OPERATION:
        ended(w, i, c);
        break;
    case UET_COMPLETION_RECEIVE:
        receive_filled(w, i, c);
        break;
    case UET_COMPLETION_WRITE:
        write_arrived(w, i, c);
        break;
    default:
        scenario_breach(w, SIM_COMPLETION, "", "fep %u: a completion of unknown kind %u", i,
                        c->kind);
    }
}

/* ---- the end ---- */

static void check_sealed(struct scenario *w, uint32_t number)
{
    uint32_t length = op_length(w, number);

    if (differs(slot_of(w, number), SIM_SEALED, length) < length && !twice_forgiven(w, number))
        scenario_breach(w, SIM_ONCE, "", "operation %u was written again after its end", number);
}

void oracle_sealed(struct scenario *w)
{
    for (uint32_t op = 0; op < w->plan->n_ops; op++)
        if (w->ops[op].sealed)
            check_sealed(w, op);
    atomics_check(w);
}

static void check_slot(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    const struct op_state *state = &w->ops[number];
    const uint8_t *slot = slot_of(w, number);
    uint32_t length = op_length(w, number);

    if (state->sealed) {
        check_sealed(w, number);
    } else if (state->phase == OP_OK) {
        if (memcmp(slot, state->data, length) != 0)
            scenario_breach(w, SIM_INTACT, "", "the bytes of operation %u did not stay", number);
    } else if (state->phase >= OP_ACTIVE) {
        if (!partly(slot, state->data, length, op->wrong && op->wrong != SIM_WRONG_MTU))
            scenario_breach(w, SIM_INTACT, "", "the bytes of operation %u are wrong", number);
    } else if (differs(slot, SIM_CANARY, length) < length) {
        scenario_breach(w, SIM_MEMORY, "", "the place of operation %u was written before it began",
                        number);
    }
    /* What a slot does not need of its place, and the guard behind it. */
    length = op->length + SIM_GUARD - length;
    if (differs(slot + op_length(w, number), SIM_CANARY, length) < length)
        scenario_breach(w, SIM_MEMORY, "", "memory behind the bytes of operation %u was written",
                        number);
}

static void check_source(struct scenario *w, uint16_t i)
{
    const uint8_t *source = w->feps[i].source;
    uint8_t *was = malloc(SIM_SOURCE_BYTES);

    if (!was) {
        w->error = -ENOMEM;
        return;
    }
    oracle_make_source(w, i, was);
    if (memcmp(source, was, SIM_SOURCE_BYTES) != 0 ||
        differs(source - SIM_GUARD, SIM_CANARY, SIM_GUARD) < SIM_GUARD ||
        differs(source + SIM_SOURCE_BYTES, SIM_CANARY, SIM_GUARD) < SIM_GUARD)
        scenario_breach(w, SIM_MEMORY, "", "fep %u wrote to what may only be read", i);
    free(was);
}

static void check_counters(struct scenario *w, uint16_t i, unsigned job)
{
    const uint8_t *counters = w->feps[i].counters[job];
    uint32_t bytes = w->plan->counter_bytes[i][job] + SIM_CELL_BYTES;

    if (differs(counters - SIM_GUARD, SIM_CANARY, SIM_GUARD) < SIM_GUARD ||
        differs(counters + bytes, SIM_CANARY, SIM_GUARD) < SIM_GUARD)
        scenario_breach(w, SIM_MEMORY, "", "fep %u wrote outside the counters of job %u", i, job);
    bytes = w->plan->lone_bytes[i][job];
    if (differs(w->feps[i].lone[job] - SIM_GUARD, SIM_CANARY, SIM_GUARD) < SIM_GUARD ||
        differs(w->feps[i].lone[job] + bytes, SIM_CANARY, SIM_GUARD) < SIM_GUARD)
        scenario_breach(w, SIM_MEMORY, "", "fep %u wrote outside the elements of job %u", i, job);
}

/* In the end it had its receive, unless its PDC, or the READ of a rendezvous, failed before that.
 */
static void check_late(struct scenario *w, uint32_t number)
{
    const struct op_state *state = &w->ops[number];
    const struct sim_op *op = &w->plan->ops[number];
    const struct sim_fep *to = &w->feps[op->to];

    if (state->phase != OP_OK || state->delivered || state->excused || too_long(w, number) ||
        !to->up || to->incarnation > 1)
        return;
    if (sim_is_rendezvous(op) ? to->n_failed == state->failed
                              : !fep_counter(to, "ses_unexpected_lost"))
        scenario_breach(w, SIM_DELIVERED, "", "operation %u ended well and filled no receive",
                        number);
}

void oracle_late(struct scenario *w)
{
    for (uint32_t op = 0; op < w->plan->n_ops; op++)
        if (sim_is_rendezvous(&w->plan->ops[op]) || told_at_once(w, op))
            check_late(w, op);
}

void oracle_end(struct scenario *w)
{
    oracle_late(w);
    for (uint32_t op = 0; op < w->plan->n_ops; op++)
        if (w->plan->ops[op].opcode == UET_OP_WRITE && w->run->choice->ops.in[op] &&
            !w->plan->unguarded)
            check_slot(w, op);
    for (uint32_t op = 0; op < w->plan->n_ops; op++)
        check_read_end(w, op);
    atomics_check(w);
    lone_end(w);
    tags_end(w);
    for (uint16_t i = 0; i < w->plan->n_feps; i++) {
        const struct sim_fep *fep = &w->feps[i];
        for (unsigned j = 0; fep->memory && j <= SIM_JOBS_MAX; j++) {
            const uint8_t *end = fep->region[j] + w->plan->region_bytes[i][j];
            if (differs(fep->region[j] - SIM_GUARD, SIM_CANARY, 2 * SIM_GUARD) < 2 * SIM_GUARD ||
                differs(end, SIM_CANARY, SIM_RANGE_MAX) < SIM_RANGE_MAX)
                scenario_breach(w, SIM_MEMORY, "", "fep %u wrote outside region %u", i, j);
        }
        if (fep->memory)
            check_source(w, i);
        for (unsigned j = 0; fep->memory && j < w->plan->n_jobs; j++)
            check_counters(w, i, j);
        for (uint32_t b = 0; fep->memory && b < fep->n_buffers; b++)
            check_guards(w, i, b);
    }
}
