/* SPDX-License-Identifier: BSD-2-Clause */
/* The upper tester in the hands of a test: resources of the FEP, operations, completions. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/context/tc_internal.h"

/* What tests ask the FEP for: readable numbers, so that a capture is easy to read. */
enum { JOB = 0x1001, PID = 3, RI = 5 };

struct uet_ut *uet_tc_ut(const struct uet_tc *tc)
{
    return tc->session->ut;
}

static struct uet_ut *need_ut(struct uet_tc *tc)
{
    if (!tc->session->ut)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "no upper tester (fep.yaml: control)");
    return tc->session->ut;
}

/* No reply, or one that is none: nothing more can be done with this upper tester. */
static void answered(struct uet_tc *tc, int rc, const char *verb)
{
    if (rc < 0 && rc != -EPROTO)
        uet_error(tc, "the upper tester does not do `%s`: %s", verb, strerror(-rc));
}

/* A FEP need not know every verb, mode and argument (docs/upper-tester.md): it refuses those. */
void uet_did(struct uet_tc *tc, int rc, const char *verb)
{
    answered(tc, rc, verb);
    if (rc < 0)
        uet_skip_for(tc, UET_SKIP_VERB, "beyond the upper tester: %s", tc->session->ut->error);
}

static bool has_verb(struct uet_tc *tc, const char *verb)
{
    int has = uet_ut_has_verb(tc->session->ut, verb);

    if (has < 0)
        uet_error(tc, "the upper tester does not do `hello`: %s", tc->session->ut->error);
    return has;
}

/* The same where a test refers to what the FEP gave it: who knows the verb may not refuse now. */
static void did_still(struct uet_tc *tc, int rc, const char *verb)
{
    char why[sizeof(tc->session->ut->error)];

    if (rc != -EPROTO) {
        answered(tc, rc, verb);
        return;
    }
    snprintf(why, sizeof(why), "%s", tc->session->ut->error);
    if (has_verb(tc, verb))
        uet_error(tc, "the upper tester does not do `%s`: %s", verb, why);
    uet_skip_for(tc, UET_SKIP_VERB, "beyond the upper tester: %s", why);
}

bool uet_tc_reset(struct uet_tc *tc)
{
    struct uet_ut *ut = tc->session->ut;
    int rc = uet_ut_reset(ut);
    char why[sizeof(ut->error)];

    snprintf(why, sizeof(why), "%s", ut->error);
    tc->keeps_state = rc == -EPROTO && uet_ut_has_verb(ut, "reset") == 0;
    snprintf(ut->error, sizeof(ut->error), "%s", why);
    return rc == 0 || tc->keeps_state;
}

/* ---- parameters ---- */

bool uet_tc_told(struct uet_tc *tc, const char *name, uint64_t *value)
{
    return uet_dut_param(tc->session->dut, name, value) ||
           (tc->session->ut && uet_ut_param(tc->session->ut, name, value) == 0);
}

/* Set by the test, told in fep.yaml, or told by the FEP: the newest word holds. */
static bool known_param(struct uet_tc *tc, const char *name, uint64_t *value)
{
    for (size_t i = 0; i < tc->n_set; i++)
        if (strcmp(tc->set[i].name, name) == 0) {
            *value = tc->set[i].value;
            return true;
        }
    return uet_tc_told(tc, name, value);
}

uint64_t uet_tc_param(struct uet_tc *tc, const char *name)
{
    uint64_t value;

    if (!known_param(tc, name, &value))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "unknown parameter: %s (fep.yaml: parameters)", name);
    return value;
}

static void note_set(struct uet_tc *tc, const char *name, uint64_t value)
{
    size_t i = 0;

    while (i < tc->n_set && strcmp(tc->set[i].name, name) != 0)
        i++;
    if (i == UET_MAX_SET)
        uet_error(tc, "a test sets at most %d parameters", UET_MAX_SET);
    snprintf(tc->set[i].name, sizeof(tc->set[i].name), "%s", name);
    tc->set[i].value = value;
    if (i == tc->n_set)
        tc->n_set++;
}

/* PIXIT (fep.yaml: rto-fixed): what cannot be set is not tried. */
static bool is_fixed(const struct uet_tc *tc, const char *name)
{
    uint64_t fixed = 0;

    (void)uet_dut_param(tc->session->dut, "rto-fixed", &fixed);
    return fixed && strcmp(name, "RTO_Init_Time") == 0;
}

bool uet_try_param(struct uet_tc *tc, const char *name, uint64_t value)
{
    if (is_fixed(tc, name)) {
        snprintf(need_ut(tc)->error, sizeof(tc->session->ut->error), "fep.yaml tells rto-fixed");
        return false;
    }
    if (tc->keeps_state) { /* nothing would set it back */
        snprintf(need_ut(tc)->error, sizeof(tc->session->ut->error), "there is no verb `reset`");
        return false;
    }
    int rc = uet_ut_set(need_ut(tc), name, value);

    answered(tc, rc, "set");
    if (rc)
        return false;
    note_set(tc, name, value);
    return true;
}

void uet_set_param(struct uet_tc *tc, const char *name, uint64_t value)
{
    if (!uet_try_param(tc, name, value))
        uet_skip_for(tc, UET_SKIP_VERB, "the FEP cannot set %s to %llu: %s", name,
                     (unsigned long long)value, tc->session->ut->error);
}

/* What never comes again (0 is in the range of both, 3.5.5) leaves most tests of losses nothing to
 * see: where it can, the FEP is made to retry as by default. */
void uet_tc_let_retry(struct uet_tc *tc)
{
    static const char *const counts[] = {"Max_RTO_Retx_Cnt", "Max_NACK_Retx_Cnt"};
    uint64_t count;

    for (size_t i = 0; tc->session->ut && i < sizeof(counts) / sizeof(*counts); i++)
        if (known_param(tc, counts[i], &count) && count == 0)
            uet_try_param(tc, counts[i], 5);
}

void uet_need_retries(struct uet_tc *tc)
{
    uint64_t count;

    if (known_param(tc, "Max_RTO_Retx_Cnt", &count) && count == 0)
        uet_skip(tc, "Max_RTO_Retx_Cnt is 0: this FEP never sends a packet again");
}

/*
 * Where the tester comes late, a FEP retransmits what the tester was about to acknowledge: right,
 * and of no use to a test.
 */
void uet_tc_slow_timers(struct uet_tc *tc)
{
    double slow = tc->session->slow;
    uint64_t rto;

    if (uet_tc_virtual_time(tc) || slow <= 1 || !tc->session->ut)
        return;
    if (known_param(tc, "RTO_Init_Time", &rto))
        uet_try_param(tc, "RTO_Init_Time", (uint64_t)((double)rto * slow));
}

/* ---- memory and receives of the FEP ---- */

/* Where there is no such verb, registering and posting open what they need. */
static void open_service(struct uet_tc *tc, uint32_t job, uint16_t pid, uint16_t ri,
                         uint8_t ri_class)
{
    const struct uet_ut_service service = {
        .job_id = job, .pid_on_fep = pid, .resource_index = ri, .ri_class = ri_class};
    int rc = uet_ut_service(tc->session->ut, &service);

    if (rc != -EPROTO || has_verb(tc, "service"))
        uet_did(tc, rc, "service");
}

struct uet_memory uet_need_memory_like(struct uet_tc *tc, const struct uet_ut_memory *like)
{
    struct uet_ut *ut = need_ut(tc);
    struct uet_memory m = {.job_id = like->job_id,
                           .pid_on_fep = like->pid_on_fep,
                           .resource_index = like->resource_index,
                           .relative = !like->any_job,
                           .length = like->length};

    open_service(tc, like->job_id, like->pid_on_fep, like->resource_index, UET_UT_RMA);
    uet_did(tc, uet_ut_reg_mem(ut, like, &m.handle, &m.key), "reg_mem");
    return m;
}

/* A resource index that no other service of this FEP has, as far as 12 bits go. */
static uint16_t fresh_index(struct uet_tc *tc)
{
    uint32_t n = tc->keeps_state ? tc->session->n_services++ : tc->service_count++;

    return (uint16_t)(RI + n % (4096 - RI));
}

/* A key of the user's form: bits 63:48 zero (Table 2-13). */
static uint64_t some_key(struct uet_tc *tc)
{
    return 0x0000a00000000000u | (uet_tc_random(tc) & 0xffffff);
}

struct uet_memory uet_need_memory(struct uet_tc *tc, uint32_t length)
{
    if (!tc->session->ut)
        return uet_declared_memory(tc, length);
    const struct uet_ut_memory like = {.job_id = JOB,
                                       .pid_on_fep = PID,
                                       .resource_index = fresh_index(tc),
                                       .key = some_key(tc),
                                       .length = length};
    return uet_need_memory_like(tc, &like);
}

struct uet_memory uet_need_idempotent(struct uet_tc *tc, uint32_t length)
{
    const struct uet_ut_memory like = {.job_id = JOB,
                                       .pid_on_fep = PID,
                                       .resource_index = fresh_index(tc),
                                       .key = 1ull << 63 | some_key(tc),
                                       .length = length};
    return uet_need_memory_like(tc, &like);
}

struct uet_memory uet_need_receive(struct uet_tc *tc, uint32_t length, unsigned count)
{
    if (!tc->session->ut && count == 0)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER,
                     "only an upper tester opens a send resource without buffers");
    if (!tc->session->ut)
        return uet_declared_receive(tc, length);
    if (count == 0 && !has_verb(tc, "service"))
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester opens no send resource without buffers");
    struct uet_memory m = {.job_id = JOB,
                           .pid_on_fep = PID,
                           .resource_index = fresh_index(tc),
                           .relative = true,
                           .length = length};
    const struct uet_ut_receive receive = {.job_id = m.job_id,
                                           .pid_on_fep = m.pid_on_fep,
                                           .resource_index = m.resource_index,
                                           .length = length};
    open_service(tc, m.job_id, m.pid_on_fep, m.resource_index, UET_UT_SEND);
    for (unsigned i = 0; i < count; i++) {
        uint64_t handle;

        uet_did(tc, uet_ut_post_recv(tc->session->ut, &receive, &handle), "post_recv");
        if (i == 0)
            m.handle = handle;
        m.last_handle = handle;
    }
    return m;
}

void uet_read_back(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset, void *out,
                   size_t n)
{
    did_still(tc, uet_ut_get_mem(need_ut(tc), m->handle, offset, out, n), "get_mem");
}

/* ---- the FEP as initiator ---- */

/*
 * The upper tester's way is not the wire: in real time a verb may overtake a packet sent before
 * it, and the FEP would act on what it does not know yet.
 */
static void settle(struct uet_tc *tc)
{
    if (tc->unsettled)
        uet_tc_settle(tc);
    tc->unsettled = false;
}

void uet_tc_settle(struct uet_tc *tc)
{
    if (!uet_tc_virtual_time(tc))
        uet_wait(tc, (uint64_t)(2 * UET_MS * tc->session->slow));
}

struct uet_ut_operation uet_op(struct uet_tc *tc, uint32_t length)
{
    return (struct uet_ut_operation){.to = tc->session->dut->tester[0],
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .relative = true,
                                     .key = some_key(tc),
                                     .length = length,
                                     .seed = (uint8_t)uet_tc_random(tc)};
}

/* For a verdict: what made the FEP act. */
static void note_asked(struct uet_tc *tc, const char *verb, const struct uet_ut_operation *op)
{
    char to[UET_IP_TEXT];

    snprintf(tc->asked, sizeof(tc->asked), "upper tester: %s of %u bytes to %s", verb, op->length,
             uet_ip_text(&op->to, to));
}

/* Starts an operation; a mode that `hello` does not tell is not asked for. */
static uint64_t start(struct uet_tc *tc, const struct uet_ut_operation *op, const char *verb,
                      int (*call)(struct uet_ut *ut, const struct uet_ut_operation *op,
                                  uint64_t *handle))
{
    static const char *const modes[] = {"rud", "rod", "rudi", "uud"};
    uint64_t handle = 0;
    int has = op->mode ? uet_ut_has_mode(need_ut(tc), op->mode) : 1;

    answered(tc, has, "hello");
    if (!has)
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester does not tell mode `%s`",
                     modes[op->mode]);
    settle(tc);
    note_asked(tc, verb, op);
    uet_did(tc, call(need_ut(tc), op, &handle), verb);
    return handle;
}

uint64_t uet_do_send(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "send", uet_ut_send);
}

uint64_t uet_do_write(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "write", uet_ut_write);
}

uint64_t uet_do_read(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "read", uet_ut_read);
}

uint64_t uet_do_no_op(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "no_op", uet_ut_no_op);
}

/* ---- completions ---- */

#define POLL_NS (UET_MS / 2)
#define AT_ONCE 64

/* Room for what one `wait` brings, whatever the test has left lying so far. */
static void make_room(struct uet_tc *tc)
{
    if (tc->room_completions - tc->n_completions >= AT_ONCE)
        return;
    size_t room = tc->room_completions ? 2 * tc->room_completions : 2 * AT_ONCE;
    struct uet_ut_completion *more = uet_tc_alloc(tc, room * sizeof(*more));

    if (tc->n_completions)
        memcpy(more, tc->completions, tc->n_completions * sizeof(*more));
    tc->completions = more;
    tc->room_completions = room;
}

/* Takes what the FEP has completed, and that handle (NULL: any) out of it. */
static bool take_completion(struct uet_tc *tc, const uint64_t *handle,
                            struct uet_ut_completion *out)
{
    make_room(tc);
    int n = uet_ut_wait(need_ut(tc), tc->completions + tc->n_completions, AT_ONCE);

    did_still(tc, n, "wait");
    tc->n_completions += (size_t)n;
    for (size_t i = 0; i < tc->n_completions; i++) {
        if (handle && tc->completions[i].handle != *handle)
            continue;
        *out = tc->completions[i];
        tc->n_completions--;
        memmove(tc->completions + i, tc->completions + i + 1,
                (tc->n_completions - i) * sizeof(*out));
        return true;
    }
    return false;
}

static bool completion(struct uet_tc *tc, const uint64_t *handle, uint64_t within_ns,
                       struct uet_ut_completion *out)
{
    uint64_t until =
        uet_tc_now(tc) + (within_ns ? uet_tc_scale(tc, within_ns) : uet_tc_patience(tc));

    for (;;) {
        if (take_completion(tc, handle, out))
            return true;
        uint64_t now = uet_tc_now(tc), next = now + POLL_NS;
        if (now >= until)
            return false;
        uet_tc_pump(tc, next < until ? next : until);
    }
}

bool uet_completion(struct uet_tc *tc, uint64_t handle, uint64_t within_ns,
                    struct uet_ut_completion *out)
{
    return completion(tc, &handle, within_ns, out);
}

bool uet_any_completion(struct uet_tc *tc, uint64_t within_ns, struct uet_ut_completion *out)
{
    return completion(tc, NULL, within_ns, out);
}

struct uet_ut_completion uet_expect_completion(struct uet_tc *tc, uint64_t handle)
{
    struct uet_ut_completion c;

    if (!uet_completion(tc, handle, 0, &c)) {
        tc->current = NULL;
        uet_fail(tc, tc->claim, "the FEP reports no completion of the operation");
    }
    return c;
}

/* The first packet of a PDC: one with syn before which none of it came. */
static bool opens(const struct uet_in *in, const void *ctx)
{
    const struct uet_tc *tc = ctx;
    const struct uet_packet *p = &in->packet;

    if ((p->pds != UET_H_RUD_ROD_REQ_SYN && p->pds != UET_H_CP_SYN) || !in->pdc)
        return false;
    for (const struct uet_in *before = tc->in_first; before != in; before = before->next)
        if (before->pdc == in->pdc)
            return false;
    return true;
}

struct uet_pdc *uet_accept(struct uet_tc *tc, const struct uet_in **first)
{
    const struct uet_in *in = uet_expect(
        tc, &(struct uet_want){.also = opens, .ctx = tc, .named = "packet that opens a PDC"}, 0);

    if (uet_is_cp(&in->packet)) /* a NOOP opened it (3.5.16.1); the Request follows */
        in = uet_expect_any_request(tc, in->pdc);
    if (first)
        *first = in;
    return in->pdc;
}
