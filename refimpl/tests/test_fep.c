/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP as a whole: parameters, memory, reset, pools under pressure, and no heap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/acts_as.h"
#include "refimpl/tests/shared/fixture.h"
#include "refimpl/tests/shared/peer.h"

/* ---- the linker sends every allocation of this program and its libraries through here ---- */

static unsigned long n_allocations;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

void *__wrap_malloc(size_t n)
{
    n_allocations++;
    return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    n_allocations++;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    n_allocations++;
    return __real_realloc(p, n);
}

static struct peer t;

static void test_no_heap(void **state)
{
    (void)state;
    peer_init(&t, NULL);
    assert_true(n_allocations > 0); /* the count counts */
    unsigned long before = n_allocations;
    open_pdc(&t, 1000);
    for (uint32_t i = 1; i < 200; i++) {
        request(&t, &(struct req){.psn = 1000 + i,
                                  .no_syn = true,
                                  .opcode = UET_OP_WRITE,
                                  .key = i % 3 ? 0 : 9,
                                  .length = 100,
                                  .payload = 100});
        forget(&t);
    }
    fep_writes(&t, 100000);
    forget(&t);
    advance(&t, 1000 * MS);
    forget(&t);
    uet_fep_close(t.fep, NULL, t.now);
    uet_fep_reset(t.fep, t.now);
    assert_int_equal(n_allocations, before);
    peer_free(&t);
}

/* The defaults of Table 3-28 and their ranges. */
static void test_params(void **state)
{
    struct uet_fep_config c;
    uint64_t v;
    size_t n = 0;
    (void)state;
    uet_fep_config_default(&c);
    assert_int_equal(uet_fep_param_get(&c.params, "ACK_Gen_Trigger", &v), 0);
    assert_int_equal(v, 16384);
    assert_int_equal(uet_fep_param_get(&c.params, "Max_RTO_Retx_Cnt", &v), 0);
    assert_int_equal(v, 5);
    assert_int_equal(uet_fep_param_get(&c.params, "Max_NACK_Retx_Cnt", &v), 0);
    assert_int_equal(v, 5);
    assert_int_equal(uet_fep_param_get(&c.params, "Default_MPR", &v), 0);
    assert_int_equal(v, 8);
    assert_int_equal(uet_fep_param_set(&c.params, "Max_RTO_Retx_Cnt", 16), -ERANGE);
    assert_int_equal(c.params.Max_RTO_Retx_Cnt, 5);
    assert_int_equal(uet_fep_param_set(&c.params, "RTO_Init_Time", 8000000000), 0);
    assert_true(c.params.RTO_Init_Time == 8000000000);
    assert_int_equal(uet_fep_param_set(&c.params, "RTO_Init_Time", 8000000001), -ERANGE);
    assert_int_equal(uet_fep_param_set(&c.params, "Default_MPR", 0), -ERANGE);
    assert_int_equal(uet_fep_param_set(&c.params, "default_mpr", 1), -ENOENT);
    assert_int_equal(uet_fep_param_set(&c.params, "Max_ACK_Data_Size", 8192), 0);
    assert_int_equal(c.params.Max_ACK_Data_Size, 8192);
    assert_int_equal(uet_fep_param_set(&c.params, "UDP_Dest_Port", 1), -EPERM);
    assert_int_equal(uet_fep_config_set(&c, "UDP_Dest_Port", 65536), -ERANGE);
    assert_int_equal(uet_fep_config_set(&c, "UDP_Dest_Port", 5000), 0);
    assert_int_equal(c.udp_port, 5000);
    assert_int_equal(uet_fep_config_set(&c, "UET_Data_Protect", 3), -ERANGE);
    assert_int_equal(uet_fep_config_set(&c, "Trimmable_ACK_Size", 40), -ERANGE); /* 16 n */
    assert_int_equal(uet_fep_config_set(&c, "Trimmable_ACK_Size", 48), 0);
    assert_int_equal(uet_fep_config_get(&c, "Trimmable_ACK_Size", &v), 0);
    assert_int_equal(v, 48);
    for (; uet_fep_param_name(n); n++) { /* every one can be read and set to what it is */
        assert_int_equal(uet_fep_config_get(&c, uet_fep_param_name(n), &v), 0);
        assert_int_equal(uet_fep_config_set(&c, uet_fep_param_name(n), v), 0);
    }
    assert_true(n > uet_n_params); /* all of Table 3-28 (below), and those of this FEP */
    struct uet_fep_param_info info;
    assert_true(uet_fep_param_info(n - 1, &info) && !uet_fep_param_info(n, &info));
}

static const char *needs_of(const struct uet_fep_config *c, const char *name)
{
    static struct uet_fep_needs needs;
    return uet_fep_param_needs(c, true, name, &needs) ? needs.text : "";
}

/* What a parameter needs is told while that is off. */
static void test_needs(void **state)
{
    struct uet_fep_config c;
    (void)state;
    uet_fep_config_default(&c);
    assert_string_equal(needs_of(&c, "RTO_Init_Time"), "");
    assert_string_equal(needs_of(&c, "NSCC"), "");
    assert_string_equal(needs_of(&c, "CC_Window"), "");
    assert_string_equal(needs_of(&c, "nothing"), "");
    assert_string_equal(needs_of(&c, "oversubscription"), "ARC=1 and RCCC=1");
    assert_string_equal(needs_of(&c, "MaxWnd"), "NSCC=1 or RCCC=1");
    assert_string_equal(needs_of(&c, "gamma"), "NSCC=1");
    assert_string_equal(needs_of(&c, "ev_set_size"), "LB=1..3");
    c.params.RCCC = true;
    assert_string_equal(needs_of(&c, "oversubscription"), "ARC=1");
    assert_string_equal(needs_of(&c, "MaxWnd"), "");
    assert_string_equal(needs_of(&c, "gamma"), "NSCC=1");
    assert_string_equal(needs_of(&c, "CC_Window"), "RCCC=0");
    c.params.ARC = true;
    assert_string_equal(needs_of(&c, "oversubscription"), "");
    c.params.LB = 2;
    assert_string_equal(needs_of(&c, "ev_set_size"), "");
    assert_string_equal(needs_of(&c, "EV_Loss"), "EV_Slots>=1 and LB=0");
    c.params.Max_NACK_Retx_Cnt = 0;
    assert_string_equal(needs_of(&c, "EV_Loss"), "EV_Slots>=1, LB=0 and Max_NACK_Retx_Cnt>=1");
    assert_string_equal(needs_of(&c, "SACK_Loss_Count"), "Max_NACK_Retx_Cnt>=1");
}

/* Of several needs each is said once, and none that another brings along. */
static void test_needs_together(void **state)
{
    struct uet_fep_config c;
    (void)state;
    uet_fep_config_default(&c);
    assert_string_equal(needs_of(&c, "qa_gate"), "NSCC=1");
    assert_string_equal(needs_of(&c, "reps_freeze_time"), "LB=2");
    c.params.disable_quick_adapt = true;
    c.params.trimming = false;
    assert_string_equal(needs_of(&c, "qa_gate"), "disable_quick_adapt=0 and NSCC=1");
    assert_string_equal(needs_of(&c, "reps_freeze_time"), "LB=2 and trimming=1");
    assert_string_equal(needs_of(&c, "reps_explore"), "LB=2 and trimming=1");
    c.params.NSCC = true;
    assert_string_equal(needs_of(&c, "qa_gate"), "disable_quick_adapt=0");
    assert_string_equal(needs_of(&c, "qa_threshold"), "disable_quick_adapt=0");
    c.params.LB = 2;
    assert_string_equal(needs_of(&c, "reps_freeze_time"), "trimming=1");
    c.params.trimming = true;
    assert_string_equal(needs_of(&c, "reps_freeze_time"), "");
    c.params.RCCC = true;
    assert_string_equal(needs_of(&c, "CC_Window"), "NSCC=0 and RCCC=0");
    assert_string_equal(needs_of(&c, "Max_Tail_Loss_Retx"), "Tail_Loss_Time>=1");
    c.params.Tail_Loss_Time = 1000000; /* "or more" has no end */
    assert_string_equal(needs_of(&c, "Max_Tail_Loss_Retx"), "");
}

static void test_needs_of_the_table(void **state)
{
    struct uet_fep_config c;
    struct uet_fep_needs needs;
    (void)state;
    uet_fep_config_default(&c);
    assert_string_equal(needs_of(&c, "UDP_Dest_Port"), "");
    assert_string_equal(needs_of(&c, "IP_Proto_Nxt_Hdr"), "UET_Over_UDP=0");
    assert_string_equal(needs_of(&c, "ACK_On_ECN"), "");
    assert_string_equal(needs_of(&c, "Max_ACK_Data_Size"), "");
    c.params.Max_ACK_Data_Size = c.params.Trimmable_ACK_Size = 1024;
    assert_string_equal(needs_of(&c, "Trimmable_ACK_Size"), "a larger Max_ACK_Data_Size");
    c.params.Max_ACK_Data_Size = 1025;
    assert_string_equal(needs_of(&c, "Trimmable_ACK_Size"), "");
    assert_string_equal(needs_of(&c, "Deferral_Time"), "");
    assert_string_equal(needs_of(&c, "New_PDC_Time"), "");
    assert_true(uet_fep_param_needs(&c, false, "New_PDC_Time", &needs));
    assert_string_equal(needs.text, "a secure domain");
    c.over_udp = false;
    c.params.ACK_Gen_Trigger = 0;
    c.profile = UET_PROFILE_AI_BASE;
    assert_string_equal(needs_of(&c, "UDP_Dest_Port"), "UET_Over_UDP=1");
    assert_string_equal(needs_of(&c, "ACK_On_ECN"), "ACK_Gen_Trigger>=1");
    assert_string_equal(needs_of(&c, "ACK_Gen_Min_Pkt_Add"), "ACK_Gen_Trigger>=1");
    assert_string_equal(needs_of(&c, "Max_ACK_Data_Size"),
                        "reads or fetching atomics in the profile");
    assert_string_equal(needs_of(&c, "Deferral_Time"), "deferral or rendezvous in the profile");
    c.profile = UET_PROFILE_HPC; /* no deferral, but rendezvous, which waits as long */
    assert_string_equal(needs_of(&c, "Deferral_Time"), "");
    c.profile = UET_PROFILE_AI_FULL;
    assert_string_equal(needs_of(&c, "Rendezvous_Time"), "rendezvous in the profile");
}

/* No variant says what it does not do. */
static void test_variants_need_nothing(void **state)
{
    const char *variant;
    (void)state;
    for (size_t v = 0; (variant = uet_fep_variant(v, NULL)); v++) {
        struct uet_fep_config c, usual;
        const char *name;
        uet_fep_config_default(&c);
        usual = c;
        assert_int_equal(uet_fep_config_variant(&c, variant), 0);
        for (size_t i = 0; (name = uet_fep_param_name(i)); i++) {
            uint64_t is, was;
            assert_int_equal(uet_fep_config_get(&c, name, &is), 0);
            assert_int_equal(uet_fep_config_get(&usual, name, &was), 0);
            if (is != was && *needs_of(&c, name))
                fail_msg("%s: %s has no effect without %s", variant, name, needs_of(&c, name));
        }
    }
}

/* Every parameter of the table is there; what it takes beyond the table is marked as a choice. */
static void test_params_of_the_table(void **state)
{
    struct uet_fep_param_info info;
    size_t of_table = 0;
    (void)state;
    assert_int_equal(uet_n_params, 24);
    for (size_t i = 0; uet_fep_param_info(i, &info); i++) {
        assert_non_null(info.unit);
        assert_true(info.low <= info.standard && info.standard <= info.high);
        assert_ptr_equal(info.spec, uet_param_find(info.name));
        if (info.local)
            continue;
        of_table++;
        if (info.spec->ranged) /* never more than the table allows */
            assert_true(info.low >= info.spec->low && info.high <= info.spec->high);
        if (info.spec->defaulted)
            assert_int_equal(info.standard, info.spec->standard);
    }
    assert_int_equal(of_table, uet_n_params);
}

/* UET_Over_UDP = 0: native IP on the way out, and only that on the way in (3.5.10.1). */
static void native(struct uet_fep_config *c)
{
    assert_int_equal(uet_fep_config_set(c, "UET_Over_UDP", 0), 0);
    assert_int_equal(uet_fep_config_set(c, "IP_Proto_Nxt_Hdr", 254), 0);
}

static void test_native_ip(void **state)
{
    static uint8_t region[4096], data[4096];
    struct fixture w;
    struct uet_completion c;
    uint8_t frame[UET_FRAME_MAX];
    (void)state;
    fixture_init(&w, 3, 4, native);
    const struct uet_service s = {.job_id = JOB, .pid_on_fep = PID, .resource_index = RI};
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_WRITE,
                                 .base = region,
                                 .length = sizeof region};
    const struct uet_operation op = {.to = w.ip[1],
                                     .opcode = UET_OP_WRITE,
                                     .job_id = JOB,
                                     .relative = true,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .data = data,
                                     .length = sizeof data};
    memset(data, 0x5a, sizeof data);
    assert_int_equal(uet_fep_service_add(w.fep[1], &s), 0);
    assert_int_equal(uet_fep_region_add(w.fep[1], &g), 0);
    assert_int_equal(uet_fep_submit(w.fep[0], &op, w.now), 0);
    size_t n = uet_fep_transmit(w.fep[0], frame, sizeof frame, w.now);
    assert_int_equal(frame[14 + 9], 254); /* the protocol of the IPv4 header */
    assert_int_equal(frame[14 + 20 + 2] | frame[14 + 20 + 3], 0); /* behind the entropy (NET-032) */
    uet_fep_receive(w.fep[1], frame, n, w.now);
    assert_true(fixture_run(&w, w.now + 1000 * MS));
    assert_true(uet_fep_completion(w.fep[0], &c));
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_memory_equal(region, data, sizeof data);
    assert_int_equal(counter(w.fep[1], "drop_not_uet"), 0);
    fixture_free(&w);
}

static void test_config(void **state)
{
    struct uet_fep_config c;
    (void)state;
    uet_fep_config_default(&c);
    assert_int_equal(uet_fep_size(&c), 0); /* no address */
    assert_int_equal(uet_ip_parse(&c.address, "192.0.2.9"), 0);
    size_t size = uet_fep_size(&c);
    assert_true(size > 0);
    void *memory = malloc(size);
    assert_null(uet_fep_init(memory, size - 1, &c, 0));
    assert_non_null(uet_fep_init(memory, size, &c, 0));
    free(memory);
    c.payload_mtu = 1500;
    assert_int_equal(uet_fep_size(&c), 0);
    c.payload_mtu = 8192;
    c.max_pdcs = 0;
    assert_int_equal(uet_fep_size(&c), 0);
    c.max_pdcs = 65535;
    assert_true(uet_fep_size(&c) > 0);
    assert_true(uet_fep_pdc_size() <= 512);
}

/* An operation that makes no sense is refused. */
static void test_submit(void **state)
{
    static const uint8_t data[9000];
    (void)state;
    peer_init(&t, NULL);
    struct uet_operation op = {.to = t.ip, .opcode = UET_OP_SEND, .data = data, .length = 10};
    op.header = UET_OP_HEADER_SMALL;
    op.length = 4097;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL); /* more than one packet */
    op.length = 4096;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.opcode = UET_OP_WRITE;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL); /* key not optimized */
    op.key = 1ull << 62 | 5;
    op.resource_index = 5;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.opcode = UET_OP_READ;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op.opcode = UET_OP_NO_OP;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL); /* with data */
    op.length = 0;
    op.to.version = 6;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op.to.version = 4;
    op.job_id = 0x1000000;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    peer_free(&t);
}

/* A full queue of operations says so, and goes on after completions were taken. */
static void test_operation_limit(void **state)
{
    struct uet_completion done;
    (void)state;
    peer_init(&t, NULL);
    const struct uet_operation op = {.to = t.ip, .opcode = UET_OP_NO_OP};
    for (int i = 0; i < 256; i++)
        assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -ENOSPC);
    take(&t);
    t.dpdcid = uet_rud_rod_req_spdcid(uet_pds(&t.p));
    uint32_t psn = uet_packet_psn(&t.p);
    forget(&t);
    ack(&t, &(struct ack_spec){.cack = psn, .psn = psn, .code = UET_RC_OK});
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -ENOSPC); /* its completion waits */
    assert_true(uet_fep_completion(t.fep, &done));
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    peer_free(&t);
}

/* After a reset nothing is left but what a FEP remembers over it. */
static void test_reset(void **state)
{
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, 1000);
    fep_writes(&t, 100000);
    forget(&t);
    uet_fep_params(t.fep)->RTO_Init_Time = 1;
    uet_fep_reset(t.fep, t.now);
    assert_int_equal(uet_fep_pdcs(t.fep, true) + uet_fep_pdcs(t.fep, false), 0);
    assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
    assert_true(uet_fep_params(t.fep)->RTO_Init_Time == 5 * MS);
    take_nothing(&t);
    request(&t, &(struct req){.psn = 1000, .opcode = UET_OP_WRITE, .length = 4, .payload = 4});
    take(&t);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)), UET_RC_BAD_JOB_ID);
    peer_free(&t);
}

/* ---- two FEPs, too little of everything, and half the operations in error ---- */

static void scarce(struct uet_fep_config *c)
{
    c->max_pdcs = 2;
    c->max_packets = 30;
    c->max_stored_responses = 2;
    c->max_messages = 1;
    c->payload_mtu = 1024;
    c->params.Max_RTO_Retx_Cnt = 15;
    c->params.Max_NACK_Retx_Cnt = 31;
}

#define N_OPS 200

static uint8_t remote[N_OPS][3000], data[3000];

static void submit_mixed(struct fixture *w)
{
    for (unsigned i = 0; i < N_OPS; i++) {
        const struct uet_operation op = {.to = w->ip[1],
                                         .opcode = UET_OP_WRITE,
                                         .relative = true,
                                         .job_id = i % 4 == 3 ? 78u : JOB, /* two PDCs */
                                         .pid_on_fep = PID,
                                         .resource_index = RI,
                                         .buffer_offset = i * 3000u,
                                         .key = i % 2 ? 1u : KEY,
                                         .data = data,
                                         .length = (i * 377u) % 3000u,
                                         .token = i};
        assert_int_equal(uet_fep_submit(w->fep[0], &op, w->now), 0);
    }
}

static void check_mixed(struct fixture *w)
{
    unsigned seen[N_OPS] = {0}, n = 0;
    struct uet_completion c;
    for (; uet_fep_completion(w->fep[0], &c); n++) {
        assert_int_equal(seen[c.token]++, 0);
        uint8_t want = c.token % 4 == 3   ? UET_RC_BAD_JOB_ID
                       : c.token % 2 == 1 ? UET_RC_BAD_MKEY
                                          : UET_RC_OK;
        assert_int_equal(c.return_code, want);
        assert_int_equal(c.status, want == UET_RC_OK ? UET_STATUS_OK : UET_STATUS_SES_ERROR);
    }
    assert_int_equal(n, N_OPS);
    for (unsigned i = 0; i < N_OPS; i++) {
        uint32_t length = (i * 377u) % 3000u, from = i % 2 ? 0 : length;
        assert_memory_equal(remote[i], data, from);
        for (uint32_t k = from; k < 3000; k++)
            assert_int_equal(remote[i][k], 0);
    }
}

static void test_scarce(void **state)
{
    (void)state;
    memset(data, 0x5a, sizeof data);
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct fixture w;
        memset(remote, 0, sizeof remote);
        fixture_init(&w, 100 + seed, 4, scarce);
        fixture_wire(&w, (uint32_t)(seed % 3 * 50), (uint32_t)(seed % 5 * 20), seed % 2 * 30000);
        const struct uet_service s = {.job_id = JOB, .pid_on_fep = PID, .resource_index = RI};
        const struct uet_region g = {.job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .rights = UET_RIGHT_WRITE,
                                     .base = remote[0],
                                     .length = sizeof remote};
        assert_int_equal(uet_fep_service_add(w.fep[1], &s), 0);
        assert_int_equal(uet_fep_region_add(w.fep[1], &g), 0);
        submit_mixed(&w);
        assert_true(fixture_run(&w, w.now + 36000000 * MS));
        check_mixed(&w);
        uet_fep_close(w.fep[0], NULL, w.now);
        assert_true(fixture_run(&w, w.now + 36000000 * MS));
        assert_int_equal(uet_fep_pdcs(w.fep[0], true), 0);
        assert_int_equal(uet_fep_pdcs(w.fep[1], false), 0);
        fixture_free(&w);
    }
}

/* Three hundred peers take turns at 256 PDCs: operations wait, idle PDCs make room. */
static void test_more_peers_than_pdcs(void **state)
{
    (void)state;
    peer_init(&t, NULL);
    for (unsigned i = 0; i < 256; i++) {
        t.ip.bytes[3] = (uint8_t)(i % 200 + 10);
        t.ip.bytes[2] = (uint8_t)(i / 200);
        fep_writes(&t, 10);
        take(&t);
        uint32_t psn = uet_packet_psn(&t.p);
        t.dpdcid = uet_rud_rod_req_spdcid(uet_pds(&t.p));
        ack(&t, &(struct ack_spec){.cack = psn, .psn = psn, .code = UET_RC_OK});
        struct uet_completion c;
        assert_true(uet_fep_completion(t.fep, &c));
    }
    assert_int_equal(uet_fep_pdcs(t.fep, true), 256);
    t.ip.bytes[2] = 9;
    fep_writes(&t, 10);
    take(&t);
    assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_CLOSE_COMMAND);
    take_nothing(&t);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_heap),
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_params_of_the_table),
        cmocka_unit_test(test_needs),
        cmocka_unit_test(test_needs_together),
        cmocka_unit_test(test_needs_of_the_table),
        cmocka_unit_test(test_variants_need_nothing),
        cmocka_unit_test(test_native_ip),
        cmocka_unit_test(test_config),
        cmocka_unit_test(test_submit),
        cmocka_unit_test(test_operation_limit),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_scarce),
        cmocka_unit_test(test_more_peers_than_pdcs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
