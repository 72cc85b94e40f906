/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No heap on the packet path: from the first frame to the last every allocation aborts, while two
 * FEPs exchange messages of all modes over a wire that loses, trims and doubles frames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "refimpl/tests/shared/counter.h"
#include "refimpl/tests/shared/peer.h"

/* ---- the linker sends every allocation of this program and its libraries through here ---- */

static bool forbidden;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

void *__wrap_malloc(size_t n)
{
    if (forbidden)
        abort();
    return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    if (forbidden)
        abort();
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    if (forbidden)
        abort();
    return __real_realloc(p, n);
}

/* ... and OpenSSL, a library that is linked already, by its own door. */
static void *ssl_take(size_t n, const char *file, int line)
{
    (void)file, (void)line;
    return malloc(n);
}

static void *ssl_again(void *p, size_t n, const char *file, int line)
{
    (void)file, (void)line;
    return realloc(p, n);
}

static void ssl_give(void *p, const char *file, int line)
{
    (void)file, (void)line;
    free(p);
}

/* The guard guards. */
static void test_abort(void **state)
{
    int status = 0;
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        forbidden = true;
        void *volatile p = malloc(1);
        free(p);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* ---- two FEPs and a bad wire, all in static memory ---- */

#define TRIMMED 11u
#define N_OPS   120u

static struct uet_fep *fep[2];
static struct uet_ip ip[2];
static uint64_t now, frames;
static size_t trim_keep; /* UDP and PDS header (Table 4-1), and the TSS header */
static uint8_t region[100000], data[20000], receive[N_OPS][5000], got[N_OPS][20000];

/* One whose keys change all the time: a new one for each four packets (TSS-032). */
static void secure(struct uet_fep *own)
{
    struct uet_fep_domain d;
    uet_fep_domain_default(&d);
    d.keys.sdi = 1;
    d.keys.rekey = true;
    d.keys.rekey_mask = 0xfffffc;
    d.keys.rekey_shift = 2;
    assert_int_equal(uet_fep_domain_install(own, &d), 0);
}

static void make(unsigned i, const char *address, bool secured)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.protect = secured ? UET_PROTECT_TSS : UET_PROTECT_NONE;
    c.max_domains = secured;
    c.seed = i + 1;
    c.dscp_request = 10;
    c.dscp_trimmed = 1u << TRIMMED;
    c.max_stored_responses = 3;
    c.max_messages = 2;
    c.max_read_parts = 6;
    c.params.SACK_Loss_Count = 3;
    c.params.OOO_Loss_Count = 5;
    c.params.EV_Loss = true;
    c.params.EV_Slots = 16;
    c.params.Tail_Loss_Time = 2 * MS;
    c.params.Infer_Loss_Count = 4;
    c.params.Max_RTO_Retx_Cnt = 15;
    c.params.Max_NACK_Retx_Cnt = 31;
    assert_int_equal(uet_ip_parse(&c.address, address), 0);
    ip[i] = c.address;
    size_t size = uet_fep_size(&c);
    fep[i] = uet_fep_init(malloc(size), size, &c, now);
    assert_non_null(fep[i]);
    if (secured)
        secure(fep[i]);
}

static void offer(void)
{
    struct uet_service s = {.job_id = JOB, .pid_on_fep = PID, .resource_index = RI};
    s.ri_class = UET_RI_RMA;
    assert_int_equal(uet_fep_service_add(fep[1], &s), 0);
    s.ri_class = UET_RI_SEND;
    assert_int_equal(uet_fep_service_add(fep[1], &s), 0);
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                 .base = region,
                                 .length = sizeof region};
    assert_int_equal(uet_fep_region_add(fep[1], &g), 0);
    for (unsigned i = 0; i < N_OPS; i++) {
        const struct uet_receive r = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = RI,
                                      .base = receive[i],
                                      .length = sizeof receive[i],
                                      .token = i};
        assert_int_equal(uet_fep_post_receive(fep[1], &r), 0);
    }
}

/* Every 13th frame is lost, every 9th trimmed if it can be, every 17th comes twice. */
static void carry(unsigned from)
{
    static uint8_t frame[UET_FRAME_MAX];
    size_t n;
    while ((n = uet_fep_transmit(fep[from], frame, sizeof frame, now))) {
        frames++;
        if (frames % 13 == 0)
            continue;
        int cut = frames % 9 == 0 ? uet_trim(frame, n, trim_keep, TRIMMED) : 0;
        if (cut > 0)
            n = (size_t)cut;
        uet_fep_receive(fep[1 - from], frame, n, now);
        if (frames % 17 == 0)
            uet_fep_receive(fep[1 - from], frame, n, now);
    }
}

static bool step(void)
{
    uint64_t before = frames;
    for (unsigned i = 0; i < 2; i++)
        carry(i);
    if (frames != before)
        return true;
    uint64_t a = uet_fep_deadline(fep[0]), b = uet_fep_deadline(fep[1]);
    uint64_t next = a < b ? a : b;
    if (next == UET_FEP_NEVER)
        return false;
    now = next;
    for (unsigned i = 0; i < 2; i++)
        uet_fep_advance(fep[i], now);
    return true;
}

static void start(void)
{
    for (unsigned i = 0; i < N_OPS; i++) {
        struct uet_operation op = {.to = ip[1],
                                   .opcode = i % 3 == 0   ? UET_OP_SEND
                                             : i % 5 == 0 ? UET_OP_READ
                                                          : UET_OP_WRITE,
                                   .mode = i % 2 ? UET_MODE_ROD : UET_MODE_RUD,
                                   .relative = true,
                                   .job_id = JOB,
                                   .pid_on_fep = PID,
                                   .resource_index = RI,
                                   .key = i % 7 ? KEY : 1u,
                                   .data = data,
                                   .into = got[i],
                                   .length = i % 3 ? i * 150 : i * 40,
                                   .token = i};
        assert_int_equal(uet_fep_submit(fep[0], &op, now), 0);
    }
}

static void exchange(bool secured)
{
    unsigned done = 0, failed = 0;
    struct uet_completion c;
    now = 1000 * MS;
    trim_keep = secured ? 24 + UET_TSS_HDR_12_BYTES : 24;
    make(0, FEP_IP, secured);
    make(1, PEER_IP, secured);
    offer();
    forbidden = true;
    start();
    assert_int_equal(uet_fep_control(fep[0], &ip[1], UET_CTL_NOOP, now), 0);
    while (step())
        ;
    for (; uet_fep_completion(fep[0], &c); done++)
        failed += c.status != UET_STATUS_OK;
    uet_fep_close_request(fep[1], NULL, now);
    uet_fep_close(fep[0], NULL, now);
    while (step())
        ;
    uint64_t quicker = counter(fep[0], "loss_by_sack") + counter(fep[0], "loss_by_ev");
    forbidden = false;
    assert_int_equal(done, N_OPS);
    assert_int_equal(failed,
                     12); /* every 7th of 120 has a bad key, but those of them that are sends */
    assert_true(quicker > 0);
    assert_true(counter(fep[1], "tx_nack_trimmed") > 0);
    assert_true(counter(fep[1], "tx_nack_rod_ooo") > 0);
    assert_true(counter(fep[1], "tx_return_request") > 0);
    assert_true(counter(fep[1], "tx_nack_no_resource") > 0);
    assert_true(counter(fep[0], "rx_read_data") > 0);
    assert_true(counter(fep[0], "rto_expired") > 0);
    assert_int_equal(uet_fep_pdcs(fep[0], true) + uet_fep_pdcs(fep[1], false), 0);
    assert_int_equal(counter(fep[0], "out_auth_pkts") > 0, secured);
    uet_fep_reset(fep[0], now);
    for (int i = 0; i < 2; i++) {
        uet_fep_erase(fep[i]);
        free(fep[i]);
    }
}

static void test_exchange(void **state)
{
    (void)state;
    exchange(false);
}

static void test_exchange_sealed(void **state)
{
    (void)state;
    exchange(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_exchange_sealed),
    };
    if (CRYPTO_set_mem_functions(ssl_take, ssl_again, ssl_give) != 1)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
