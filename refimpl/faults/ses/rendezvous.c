/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of rendezvous sends (ses/rendezvous.c, ses/held.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

static uint8_t *extension(struct uet_fault_frame *f)
{
    return f->p.ext == UET_H_SES_EXT_RENDEZVOUS ? f->bytes + f->p.ext_offset : NULL;
}

#define ALTERS_EXTENSION(name, change)                                                             \
    static bool name(struct uet_fep *fep, struct uet_fault_frame *f)                               \
    {                                                                                              \
        uint8_t *e = extension(f);                                                                 \
        (void)fep;                                                                                 \
        if (e) {                                                                                   \
            change;                                                                                \
        }                                                                                          \
        return true;                                                                               \
    }

ALTERS_EXTENSION(all_is_eager,
                 uet_ses_ext_rendezvous_eager_length_set(e, uet_ses_request_length(&f->p)))
ALTERS_EXTENSION(short_key, uet_ses_ext_rendezvous_read_memory_key_set(
                                e, (uint32_t)uet_ses_ext_rendezvous_read_memory_key(e)))
ALTERS_EXTENSION(short_eager,
                 uet_ses_ext_rendezvous_eager_length_set(e, uet_ses_ext_rendezvous_eager_length(e) &
                                                                0xffff))
ALTERS_EXTENSION(own_pid,
                 uet_ses_ext_rendezvous_read_pid_on_fep_set(e,
                                                            uet_ses_req_pid_on_fep(uet_ses(&f->p))))
ALTERS_EXTENSION(first_alone,
                 if (!uet_ses_req_som(uet_ses(&f->p))) memset(e, 0, UET_SES_EXT_RENDEZVOUS_BYTES))

ALTERS_EXTENSION(eager_is_good, uet_ses_req_ie_set(uet_fault_ses(f), false))

/* ---- as initiator ---- */

static void ends_early(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        op_at(fep, id)->to_read = 0;
        fep->dispatch |= op_at(fep, id)->parked;
    }
}

static void counts_twice(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->operations.n; id++)
        for (unsigned i = 0; i < READINGS; i++)
            op_at(fep, id)->readings[i].over = false;
}

/* ---- as target ---- */

static bool is_std_read(const struct uet_fault_frame *f)
{
    return uet_is_ses_request(&f->p) && uet_is_ses_std(&f->p) &&
           uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_READ;
}

UET_FAULT_ALTERS(read_of_another_job, is_std_read, uet_ses_req_job_id_set(s, 1))
UET_FAULT_ALTERS(short_read, is_std_read,
                 uet_ses_req_std_request_length_set(s, uet_ses_request_length(&f->p) & 0xffff))

static void each_rendezvous(struct uet_law *law, void (*edit)(struct ses_op *op))
{
    edit(&law->ses.ops[UET_OP_RENDEZVOUS_SEND]);
    edit(&law->ses.ops[UET_OP_RENDEZVOUS_TSEND]);
}

static void ends_with_eager(struct ses_op *op)
{
    op->begins = NULL;
}

static void reads_nothing(struct uet_law *law)
{
    each_rendezvous(law, ends_with_eager);
}

static void written_by_length(const struct operation *op, const struct ses_segment *seg,
                              struct uet_build *b)
{
    if (op->call.eager < op->call.length)
        uet_rendezvous_write(op, seg, b);
    else
        uet_deliver_write(op, seg, b);
}

static void extends_by_length(struct ses_op *op)
{
    op->write = written_by_length;
}

static void tagged_unextended(struct uet_law *law)
{
    law->ses.ops[UET_OP_RENDEZVOUS_TSEND].write = uet_deliver_write;
}

static void eager_unextended(struct uet_law *law)
{
    each_rendezvous(law, extends_by_length);
}

/* The rest as if nothing of it had come. */
static uint32_t rest_from_start(struct uet_fep *fep, const struct uet_packet *p,
                                const struct ses_plan *plan)
{
    struct ses_plan all = *plan;
    if (all.request.carried < all.request.length)
        all.request.carried = 0;
    return uet_held_rest_begins(fep, p, &all);
}

/* The receive is as long as before: what is told of it stays right. */
static uint32_t rest_before_offset(struct uet_fep *fep, const struct uet_packet *p,
                                   const struct ses_plan *plan)
{
    struct ses_plan other = *plan;
    other.request.buffer_offset = 0;
    return uet_held_rest_begins(fep, p, &other);
}

static uint8_t any_eager_part(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct ses_request *r)
{
    return p->ext == UET_H_SES_EXT_RENDEZVOUS ? uet_deliver_check(fep, p, r) : UET_RC_OP_VIOLATION;
}

static void eager_unbounded(struct uet_law *law)
{
    law->ses.ops[UET_OP_RENDEZVOUS_SEND].check = any_eager_part;
}

static void rest_misplaced(struct uet_law *law)
{
    law->ses.ops[UET_OP_RENDEZVOUS_SEND].begins = rest_before_offset;
}

static void reads_from_start(struct ses_op *op)
{
    op->begins = rest_from_start;
}

static void reads_all(struct uet_law *law)
{
    each_rendezvous(law, reads_from_start);
}

static void rest_without_data(struct uet_fep *fep, const struct uet_packet *p,
                              const struct ses_plan *plan, bool has_data, uint64_t header_data)
{
    (void)has_data, (void)header_data;
    uet_held_rest(fep, p, plan, false, 0);
}

static void forgets_data(struct ses_op *op)
{
    op->finished = rest_without_data;
}

static void data_lost(struct uet_law *law)
{
    each_rendezvous(law, forgets_data);
}

/* One that is held ends when it has been read, whatever of it is still to come. */
static void forgets_first_packet(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->messages.n; id++) {
        const uint32_t token = message_at(fep, id)->held, place = token & 0xffff;
        if (place && held_at(fep, place)->token == token)
            held_at(fep, place)->comes = false;
    }
}

/* It is thought to have come: with its PDC, or by an error, nothing of the rendezvous ends. */
static void first_packet_is_missed(struct uet_fep *fep, bool promised)
{
    for (uint32_t id = 1; id <= fep->messages.n; id++) {
        struct message *m = message_at(fep, id);
        const uint32_t place = m->held & 0xffff;
        if (place && held_at(fep, place)->token == m->held)
            m->som_seen |= (held_at(fep, place)->receive != 0) == promised;
    }
}

static void outlives_its_pdc(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    first_packet_is_missed(fep, false);
}

static void waits_on(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    first_packet_is_missed(fep, true);
}

/* The message in error is thought to read nothing. */
static bool ends_before_its_read(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool fails = extension(f) && uet_ses_req_ie(uet_ses(&f->p));
    for (uint32_t id = 1; fails && id <= fep->messages.n; id++)
        message_at(fep, id)->rest = 0;
    return true;
}

/* One that is held has come last, whatever is kept behind it. */
static void held_is_newest(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next)
        held_at(fep, id)->number = fep->n_came;
}

/* One byte where there is room for none, as if the receive were longer. */
static uint32_t rest_of_one_byte(struct uet_fep *fep, const struct uet_packet *p,
                                 const struct ses_plan *plan)
{
    struct ses_plan other = *plan;
    const uint64_t room = receive_at(fep, plan->receive)->call.length;
    if (room && other.request.buffer_offset >= room)
        other.request.buffer_offset = room - 1;
    return uet_held_rest_begins(fep, p, &other);
}

static void cuts_to_one_byte(struct uet_law *law)
{
    law->ses.ops[UET_OP_RENDEZVOUS_SEND].begins = rest_of_one_byte;
}

static bool is_read(const struct uet_fault_frame *f)
{
    return uet_is_ses_request(&f->p) && uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_READ;
}

static bool reads_low_pid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_read(f))
        uet_ses_req_pid_on_fep_set(uet_fault_ses(f), uet_ses_req_pid_on_fep(uet_ses(&f->p)) & 0xff);
    return true;
}

static bool reads_low_offset(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_read(f))
        uet_ses_req_buffer_offset_set(uet_fault_ses(f), (uint32_t)uet_ses_buffer_offset(&f->p));
    return true;
}

static bool tells_nobody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_response(&f->p) && uet_ses_rsp_list(uet_ses(&f->p)) == UET_LIST_OVERFLOW)
        uet_ses_rsp_list_set(uet_fault_ses(f), UET_LIST_EXPECTED);
    return true;
}

/* memo: the message_id of a rendezvous send that brings no byte, and one bit more. */
static bool notes_bare(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *ses = uet_ses(&f->p);
    if (uet_is_ses_request(&f->p) && uet_is_ses_std(&f->p) &&
        uet_ses_op(fep, uet_ses_req_opcode(ses))->reads)
        *f->memo = f->p.payload_len ? 0 : 1u << 16 | uet_ses_req_std_message_id(ses);
    return true;
}

static bool tells_nobody_of_bare(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_ses_response(&f->p) &&
        *f->memo == (1u << 16 | uet_ses_rsp_message_id(uet_ses(&f->p))))
        return tells_nobody(fep, f);
    return true;
}

/* What went out on ROD may be read on ROD alone. */
static bool reads_on_rod_alone(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool read =
        uet_is_ses_request(&f->p) && uet_ses_op(fep, uet_ses_req_opcode(uet_ses(&f->p)))->fetches;
    bool on_rud = uet_is_request(&f->p) && uet_rud_rod_req_type(uet_pds(&f->p)) == UET_PDS_RUD_REQ;
    for (uint32_t id = 1; read && on_rud && id <= fep->operations.n; id++) {
        if (op_at(fep, id)->to_read && op_at(fep, id)->call.mode == UET_MODE_ROD)
            return false;
    }
    return true;
}

static void plan_uncounted(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_read_plan(fep, p, plan);
    if (p->pds == UET_H_RUDI_REQ)
        plan->part.reader = 0;
}

static void rudi_reads_nothing(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].plan = plan_uncounted;
}

/* A READ of no rendezvous counts among those of the next one. */
static void plan_counted(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_read_plan(fep, p, plan);
    if (!plan->part.reader)
        uet_ses_part_begins(fep, &plan->part);
}

static void each_read_counts(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].plan = plan_counted;
}

/* memo: a bit for each region that a rendezvous send has had. */
static void region_stays_taken(struct uet_fep *fep, uint64_t *memo)
{
    for (uint32_t region = 0; region < fep->regions.n && region < 64; region++) {
        uint32_t *reader = uet_region_reader(fep, (int)region);
        if (*reader)
            *memo |= 1ull << region;
        else if (*memo >> region & 1)
            *reader = 1;
    }
}

/* One that waits for its receive: so short fits most. */
static void held_is_cut(struct uet_fep *fep, uint64_t *memo)
{
    const uint32_t most = 100;
    (void)memo;
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next) {
        struct held *h = held_at(fep, id);
        if (h->request.op->reads && !h->receive && h->request.length > most)
            h->request.length = most;
    }
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_ROB_019_HELD, .after = waits_on},
    {VIOLATION_ROB_037_HELD, .after = outlives_its_pdc},
    {VIOLATION_ROB_037_READ, .in = ends_before_its_read},
    {VIOLATION_SES_090_HELD, .after = held_is_newest},
    {VIOLATION_SES_102_NOTHING, .rows = cuts_to_one_byte},
    {VIOLATION_ROB_044_RUDI, .rows = rudi_reads_nothing},
    {VIOLATION_SES_047_EAGER, .rows = eager_unbounded},
    {VIOLATION_SES_013_REST, .rows = rest_misplaced},
    {VIOLATION_SES_023_EAGER, .rows = eager_unextended},
    {VIOLATION_SES_023_TAGGED, .rows = tagged_unextended},
    {VIOLATION_SES_101_HELD, .after = held_is_cut},
    {VIOLATION_SES_112_EAGER, .in = eager_is_good},
    {VIOLATION_SES_155, .out = all_is_eager},
    {VIOLATION_SES_155_LONG, .out = short_eager},
    {VIOLATION_SES_155_PID, .out = own_pid},
    {VIOLATION_SES_156_LONG, .out = short_read},
    {VIOLATION_SES_155_KEY, .out = short_key},
    {VIOLATION_SES_155_EARLY, .after = ends_early},
    {VIOLATION_ROB_044, .after = counts_twice},
    {VIOLATION_ROB_040_REGION, .after = region_stays_taken},
    {VIOLATION_ROB_044_BEFORE, .rows = each_read_counts},
    {VIOLATION_SES_156_JOB, .out = read_of_another_job},
    {VIOLATION_SES_156, .rows = reads_nothing},
    {VIOLATION_SES_156_ALL, .rows = reads_all},
    {VIOLATION_SES_156_PID, .out = reads_low_pid},
    {VIOLATION_SES_156_OFFSET, .out = reads_low_offset},
    {VIOLATION_SES_157, .out = tells_nobody},
    {VIOLATION_SES_157_BARE, .in = notes_bare, .out = tells_nobody_of_bare},
    {VIOLATION_SES_158, .in = reads_on_rod_alone},
    {VIOLATION_SES_171, .out = first_alone},
    {VIOLATION_SES_174_RENDEZVOUS, .rows = data_lost},
    {VIOLATION_SES_174_HELD, .after = forgets_first_packet},
};

UET_FAULT_WAYS(uet_faults_of_rendezvous, ways);
