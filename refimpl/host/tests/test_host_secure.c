/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two reference FEPs with secure domains: what the verbs and key files do to them while they talk,
 * and that no packet counter is ever used twice with one key, whatever is restarted or rotated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "refimpl/host/tests/pair.h"

enum { MS = PAIR_MS, JOB = 1, RI = 4, KEY = 0x77, SDI = 5, SEEN_MAX = 20000 };
enum { STEP_NS = 300000, QUEUE = 1 << 24 }; /* a packet takes 9 us */

#define K0 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define K1 "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
#define K2 "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"

#define BOTH(tx)                                                                                   \
    "UET_SD sdi=5 an=0 key=" K0 "\nUET_SD sdi=5 an=1 key=" K1 "\nUET_DOMAIN sdi=5 tx=" tx

/* ---- what a has sealed ---- */

struct seen {
    uint8_t key; /* which: the test says what is in the slot */
    uint16_t epoch;
    uint64_t counter;
};

static struct seen seen[SEEN_MAX];
static size_t n_seen, clear_frames;
static uint8_t key_in[2]; /* by AN */

static void see(const uint8_t *frame, uint32_t len)
{
    struct uet_tss_place at;
    struct uet_tss_header h;

    if (uet_tss_locate(&at, frame, len, NULL) != UET_TSS_OK ||
        uet_tss_header_at(&h, frame, &at, true) != UET_TSS_OK) {
        clear_frames++;
        return;
    }
    assert_true(n_seen < SEEN_MAX);
    seen[n_seen++] = (struct seen){key_in[h.an], h.epoch, h.counter};
}

static int by_value(const void *x, const void *y)
{
    const struct seen *p = x, *q = y;

    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->epoch != q->epoch)
        return p->epoch < q->epoch ? -1 : 1;
    return p->counter < q->counter ? -1 : p->counter > q->counter;
}

/* How often a key and an IV came twice: the source of all of them is one, a. */
static size_t repeats(void)
{
    static struct seen sorted[SEEN_MAX];
    size_t n = 0;

    memcpy(sorted, seen, n_seen * sizeof seen[0]);
    qsort(sorted, n_seen, sizeof sorted[0], by_value);
    for (size_t i = 1; i < n_seen; i++)
        n += by_value(&sorted[i - 1], &sorted[i]) == 0;
    return n;
}

/* ---- the fixture ---- */

static char counters_path[64];

static void sealed(struct uet_host_config *config, const struct end *end)
{
    (void)end;
    config->fep.protect = UET_PROTECT_TSS;
}

static void sent(const struct end *end, const uint8_t *frame, uint32_t len)
{
    if (end == a)
        see(frame, len);
}

static int set_up(void **state)
{
    const struct pair_config config = {.cable = {0,
                                                 1,
                                                 {.latency_ns = PAIR_LATENCY_NS,
                                                  .bits_per_s = 1000000000,
                                                  .drop_bytes = {QUEUE, QUEUE, QUEUE}}},
                                       .host = sealed,
                                       .sent = sent};

    (void)state;
    n_seen = clear_frames = 0;
    key_in[0] = 0;
    key_in[1] = 1;
    pair_open(&config);
    snprintf(counters_path, sizeof counters_path, "/tmp/uet-counters-%d", (int)getpid());
    unlink(counters_path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pair_close();
    unlink(counters_path);
    return 0;
}

/* ---- steps ---- */

static void install(struct end *end, const char *text)
{
    char err[300] = "";
    struct uet_keyfile *file = uet_keyfile_parse(text, strlen(text), "keys", err, sizeof err);

    if (!file || uet_host_install(end->host, file, err, sizeof err))
        fail_msg("%s", err);
    uet_keyfile_free(file);
}

static void open_target(void)
{
    const struct uet_ut_service service = {
        .job_id = JOB, .resource_index = RI, .ri_class = UET_UT_RMA};
    const struct uet_ut_memory memory = {
        .job_id = JOB, .resource_index = RI, .key = KEY, .length = 1 << 20};

    assert_int_equal(uet_ut_service(b->ut, &service), 0);
    assert_int_equal(uet_ut_reg_mem(b->ut, &memory, NULL, NULL), 0);
}

static void begin_write(uint32_t length)
{
    const struct uet_ut_operation write = {.to = b->address,
                                           .job_id = JOB,
                                           .resource_index = RI,
                                           .relative = true,
                                           .key = KEY,
                                           .length = length,
                                           .seed = 3};
    uint64_t handle;

    if (uet_ut_write(a->ut, &write, &handle))
        fail_msg("%s", a->ut->error);
}

/* All that was begun ends well. */
static void ends_well(int n)
{
    struct uet_ut_completion c[16];

    pass(200 * (uint64_t)MS);
    assert_int_equal(uet_ut_wait(a->ut, c, 16), n);
    for (int i = 0; i < n; i++)
        assert_int_equal(c[i].status, UET_UT_OK);
}

static void nothing_was_dropped(void)
{
    static const char *const names[] = {"in_auth_fail_pkts", "in_invalid", "in_invalid_sa",
                                        "in_late_pkts", "in_errored_pkts"};

    for (int i = 0; i < 2; i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (counter(&ends[i], names[n]))
                fail_msg("%s of %s", names[n], i ? "b" : "a");
    assert_int_equal(counter(a, "tx_retx"), 0);
}

static void keep_counters(void)
{
    char err[300] = "";

    if (uet_host_remember(a->host, counters_path, err, sizeof err))
        fail_msg("%s", err);
}

/* a is another process now, with the same keys. */
static void another_process(const char *keys, bool counters)
{
    close_end(a);
    open_end(a);
    install(a, keys);
    if (counters)
        keep_counters();
}

/* ---- tests ---- */

/* TSS-034: the steps of a re-key in the middle of a message, at one end after the other. */
static void rotates_without_a_loss(void **state)
{
    static const char *const steps[] = {
        "UET_SD sdi=5 an=0 key=" K0,
        BOTH("0"),
        BOTH("1"),
        "UET_SD sdi=5 an=1 key=" K1,
        "UET_SD sdi=5 an=0 key=" K2 "\nUET_SD sdi=5 an=1 key=" K1 "\nUET_DOMAIN sdi=5 tx=1",
        "UET_SD sdi=5 an=0 key=" K2 "\nUET_SD sdi=5 an=1 key=" K1 "\nUET_DOMAIN sdi=5 tx=0"};
    struct uet_fep_domain_state d;
    size_t before = 0;

    (void)state;
    install(a, steps[0]);
    install(b, steps[0]);
    open_target();
    for (size_t i = 1; i < sizeof steps / sizeof *steps; i++) {
        begin_write(50000);
        pass(STEP_NS / 3); /* some of it is on its way, and answers */
        assert_true(n_seen > before);
        before = n_seen;
        if (i == 4)
            key_in[0] = 2;
        install(i % 2 ? a : b, steps[i]);
        pass(STEP_NS / 3);
        begin_write(50000);
        install(i % 2 ? b : a, steps[i]);
        pass(10 * STEP_NS); /* all of it has arrived before the next step */
    }
    begin_write(1000);
    ends_well(11);
    nothing_was_dropped();
    assert_int_equal(clear_frames, 0);
    assert_int_equal(repeats(), 0);
    assert_true(seen[0].key == 0 && seen[n_seen - 1].key == 2);
    assert_true(uet_fep_domain_get(uet_host_fep(a->host), 0, &d));
    assert_int_equal(d.an, 0);
}

/* Back to a key that was used before: it goes on where it was left, in whatever way it comes back.
 */
static void a_key_that_comes_back(void **state)
{
    (void)state;
    install(a, BOTH("0"));
    install(b, BOTH("0"));
    open_target();
    begin_write(20000);
    ends_well(1);
    install(a, BOTH("1"));
    begin_write(20000);
    ends_well(1);
    install(a, BOTH("0"));
    begin_write(20000);
    ends_well(1);
    /* Out of the slot, and into it again. */
    install(a, "UET_SD sdi=5 an=0 key=" K0);
    install(a, BOTH("1"));
    begin_write(20000);
    ends_well(1);
    /* A domain that goes, and is there again. */
    install(a, "UET_SD sdi=6 key=" K2);
    install(a, BOTH("0"));
    begin_write(20000);
    ends_well(1);
    assert_int_equal(repeats(), 0);
    nothing_was_dropped();
}

/* That the key with that AN is used up. */
static void is_told_once(uint8_t of, bool by_verb)
{
    struct uet_host_used_up what = {.an = 2};

    assert_true(uet_host_used_up(a->host, &what));
    assert_int_equal(what.sdi, 5);
    assert_int_equal(what.an, of);
    assert_int_equal(what.by_verb, by_verb);
    assert_false(uet_host_used_up(a->host, &what));
}

/* The FEP leaves a key that is used up by itself, and stays away from it when the file is read
 * anew. */
static void a_key_that_is_used_up(void **state)
{
    struct uet_host_used_up what;

    (void)state;
    install(a, BOTH("0 counter_limit=60"));
    install(b, BOTH("0"));
    open_target();
    while (n_seen < 80) {
        begin_write(20000);
        ends_well(1);
        install(a, BOTH("0 counter_limit=60"));
    }
    assert_int_equal(seen[0].key, key_in[0]);
    assert_int_equal(seen[n_seen - 1].key, key_in[1]);
    assert_int_equal(seen[59].key, key_in[0]);
    assert_int_equal(seen[60].key, key_in[1]);
    nothing_was_dropped();
    assert_false(uet_host_used_up(a->host, &what));
    /* Both were used when the domain comes back: it goes on with none of them by itself. */
    install(a, "UET_SD sdi=6 key=" K2);
    install(a, BOTH("0 counter_limit=60"));
    begin_write(20000);
    pass(200 * (uint64_t)MS);
    assert_int_equal(repeats(), 0);
    is_told_once(0, false);
    install(a, BOTH("0 counter_limit=60")); /* as it was: nothing new */
    assert_false(uet_host_used_up(a->host, &what));
    install(a, BOTH("1 counter_limit=60"));
    assert_false(uet_host_used_up(a->host, &what));
}

/* In a later epoch, or where both slots hold one key, nothing takes over: no IV comes twice. */
static void nothing_takes_over(const char *domains)
{
    install(a, domains);
    install(b, domains);
    open_target();
    begin_write(200000);
    pass(200 * (uint64_t)MS);
    assert_int_equal(n_seen, 60);
    assert_int_equal(seen[59].key, seen[0].key);
    assert_int_equal(repeats(), 0);
    is_told_once(0, false);
}

static void no_roll_over_in_later_epochs(void **state)
{
    (void)state;
    nothing_takes_over(BOTH("0 counter_limit=60 epoch=1"));
}

static void no_roll_over_to_itself(void **state)
{
    (void)state;
    nothing_takes_over("UET_SD sdi=5 an=0 key=" K1 "\nUET_SD sdi=5 an=1 key=" K1
                       "\nUET_DOMAIN sdi=5 tx=0 counter_limit=60");
}

static void epochs_rise(void **state)
{
    (void)state;
    install(a, BOTH("0 epoch=3"));
    install(b, BOTH("0 epoch=3"));
    open_target();
    begin_write(50000);
    pass(STEP_NS);
    install(a, BOTH("0 epoch=4"));
    begin_write(50000);
    ends_well(2);
    assert_int_equal(seen[0].epoch, 3);
    assert_int_equal(seen[n_seen - 1].epoch, 4);
    install(a, BOTH("0 epoch=2")); /* never back */
    begin_write(1000);
    ends_well(1);
    assert_int_equal(seen[n_seen - 1].epoch, 4);
    assert_int_equal(repeats(), 0);
    nothing_was_dropped();
}

/* TSS-018 over a loss of power in mid-stream, by the verb and by another process. */
static void restarts_repeat_no_iv(void **state)
{
    char err[300];

    (void)state;
    install(a, BOTH("0"));
    keep_counters();
    install(b, BOTH("0"));
    open_target();
    for (int i = 0; i < 6; i++) {
        size_t before = n_seen;

        begin_write(100000);
        pass(STEP_NS);
        assert_true(n_seen > before);
        if (i % 2)
            another_process(BOTH("0"), true);
        else
            assert_int_equal(uet_ut_restart(a->ut), 0);
        before = n_seen;
        if (i > 2) /* and with another key in use */
            install(a, BOTH("1"));
        begin_write(20000);
        ends_well(1);
        assert_true(n_seen >= before + 20);
        install(a, BOTH("0"));
    }
    assert_int_equal(repeats(), 0);
    assert_int_equal(clear_frames, 0);
    assert_true(seen[n_seen - 1].counter > 1u << 20); /* blocks were left, not counted on */
    assert_int_equal(uet_host_restart(a->host, err, sizeof err), 0);
}

static void seals_with_the_other(void)
{
    install(a, BOTH("1"));
    begin_write(20000);
    ends_well(1);
}

/* The idle slot has a key that an earlier life has used; it goes, and comes back. */
static void an_idle_key_of_another_life(void **state)
{
    (void)state;
    install(a, BOTH("0"));
    keep_counters();
    install(b, BOTH("0"));
    open_target();
    seals_with_the_other();
    another_process(BOTH("0"), true);
    assert_int_equal(uet_ut_remove_key(a->ut, 5, 1), 0);
    install(a, BOTH("0"));
    seals_with_the_other();
    another_process(BOTH("0"), true);
    assert_int_equal(uet_ut_remove_domain(a->ut, 5), 0);
    install(a, BOTH("0"));
    seals_with_the_other();
    another_process(BOTH("0"), true);
    install(a, "UET_SD sdi=5 an=0 key=" K0);
    seals_with_the_other();
    assert_int_equal(repeats(), 0);
}

static uint8_t start_of(const struct end *end)
{
    struct uet_fep_domain_state d;

    assert_true(uet_fep_domain_get(uet_host_fep(end->host), 0, &d));
    assert_false(uet_fep_domain_get(uet_host_fep(end->host), 1, &d));
    return d.start;
}

/*
 * Where a key was used and the floor of its domain is lost, what was recorded must not open a PDC:
 * peers are told where to begin (TSS-056). Elsewhere the key file says how PDCs start.
 */
static void lost_floors(void **state)
{
    static const char first[] = "UET_SD sdi=5 an=0 key=" K0, second[] = "UET_SD sdi=6 an=0 key=" K2;
    static const char jobs[] = "UET_SD sdi=5 an=0 key=" K0 "\nUET_DOMAIN sdi=5 jobs=1";

    (void)state;
    install(a, first);
    install(b, first);
    keep_counters();
    open_target();
    begin_write(1000);
    ends_well(1);
    install(a, jobs); /* another domain, with the floor of the first */
    assert_int_equal(start_of(a), UET_EXPECTED_0RTT_START);
    install(a, second); /* the first goes, */
    assert_int_equal(start_of(a), UET_EXPECTED_0RTT_START);
    install(a, first); /* and is there again */
    assert_int_equal(start_of(a), UET_RANDOM_1RTT_START);
    install(a, jobs);
    assert_int_equal(start_of(a), UET_RANDOM_1RTT_START);

    another_process(second, true); /* its key stood in the file, and was not used */
    install(a, "UET_SD sdi=7 an=0 key=" K1);
    assert_int_equal(start_of(a), UET_EXPECTED_0RTT_START);
    install(a, first); /* a key of the life before, later than the start of this one */
    assert_int_equal(start_of(a), UET_RANDOM_1RTT_START);
}

/* The key has another slot in the next life: what counts is the key. */
static void a_key_in_another_slot(void **state)
{
    static const char here[] = "UET_SD sdi=5 an=0 key=" K0, there[] = "UET_SD sdi=5 an=1 key=" K0;

    (void)state;
    install(a, here);
    keep_counters();
    install(b, here);
    open_target();
    begin_write(20000);
    ends_well(1);
    key_in[1] = key_in[0];
    another_process(there, true);
    install(b, there);
    begin_write(20000);
    ends_well(1);
    assert_int_equal(repeats(), 0);
}

static const uint8_t key0[32] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
                                 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f};

/* Of the domain with that SDI. */
static struct uet_fep_domain_state state_of(const struct end *end, uint32_t sdi)
{
    struct uet_fep_domain_state d = {0};

    for (size_t i = 0; uet_fep_domain_get(uet_host_fep(end->host), i, &d); i++)
        if (d.sdi == sdi)
            return d;
    fail_msg("no domain %u", (unsigned)sdi);
    return d;
}

/*
 * Where the file cannot be written a key that comes new seals nothing, as nobody would know of it
 * after a restart; and of each domain, not of the first alone, the floor counts as lost (TSS-056).
 */
static void counters_that_cannot_be_kept(void **state)
{
    static const char first[] = "UET_SD sdi=5 an=0 key=" K0, other[] = "UET_SD sdi=4 an=0 key=" K2;
    static const char all[] = "UET_SD sdi=4 an=0 key=" K2 "\nUET_DOMAIN sdi=4 jobs=9\n"
                              "UET_SD sdi=3 an=0 key=" K1 "\nUET_DOMAIN sdi=3 jobs=8\n"
                              "UET_SD sdi=5 an=0 key=" K0;
    char err[300] = "", fresh[sizeof counters_path + 8];
    struct uet_keyfile *file = uet_keyfile_parse(all, strlen(all), "keys", err, sizeof err);
    const struct uet_ut_domain again = {.sdi = 2, .key = key0};

    (void)state;
    install(a, first);
    keep_counters();
    install(b, first);
    open_target();
    begin_write(1000);
    ends_well(1);
    another_process(other, true);
    snprintf(fresh, sizeof fresh, "%s.new", counters_path);
    assert_int_equal(mkdir(fresh, 0700), 0); /* root may write any file, but no folder */
    size_t before = n_seen;
    assert_int_equal(uet_host_install(a->host, file, err, sizeof err), -EISDIR);
    assert_non_null(strstr(err, "cannot be kept"));
    assert_int_equal(state_of(a, SDI).start, UET_RANDOM_1RTT_START);
    assert_true(state_of(a, SDI).next_counter >= 1u << 20);
    begin_write(1000);
    pass(STEP_NS);
    assert_int_equal(n_seen, before);
    assert_int_equal(uet_ut_install_domain(a->ut, &again), -EPROTO);
    assert_non_null(strstr(a->ut->error, "it is installed, but"));
    assert_int_equal(uet_ut_restart(a->ut), -EPROTO);
    assert_non_null(strstr(a->ut->error, "cannot be kept"));
    assert_int_equal(rmdir(fresh), 0);
    begin_write(1000);
    ends_well(1);
    assert_true(n_seen > before);
    assert_int_equal(repeats(), 0);
    assert_int_equal(clear_frames, 0);
    uet_keyfile_free(file);
}

/* What the file of counters is for: without it the test above would fail. */
static void without_the_file_ivs_repeat(void **state)
{
    (void)state;
    install(a, BOTH("0"));
    install(b, BOTH("0"));
    open_target();
    begin_write(20000);
    ends_well(1);
    another_process(BOTH("0"), false);
    begin_write(20000);
    pass(200 * (uint64_t)MS);
    assert_true(repeats() > 0);
}

/* ---- verbs ---- */

static void verb_fails(struct uet_ut *ut, json_t *request, const char *says)
{
    json_t *reply = NULL;

    assert_int_equal(uet_ut_call(ut, request, &reply), -EPROTO);
    if (!strstr(ut->error, says))
        fail_msg("'%s' does not say '%s'", ut->error, says);
    assert_null(strstr(ut->error, "00010203"));
    json_decref(reply);
}

static void by_verbs(void **state)
{
    struct uet_ut_domain domain = {.sdi = SDI, .key = key0, .epoch = 2};
    uint8_t key1[32];

    (void)state;
    assert_int_equal(uet_ut_has_verb(a->ut, "install_domain"), 1);
    for (int i = 0; i < 32; i++)
        key1[i] = (uint8_t)(key0[i] + 16);
    install(b, BOTH("0 epoch=2"));
    open_target();
    assert_int_equal(uet_ut_install_domain(a->ut, &domain), 0);
    begin_write(1000);
    ends_well(1);
    assert_int_equal(seen[0].epoch, 2);
    assert_int_equal(uet_ut_rotate(a->ut, SDI, 1), -EPROTO); /* no key there */
    domain = (struct uet_ut_domain){.sdi = SDI, .key = key1, .an = 1};
    assert_int_equal(uet_ut_install_domain(a->ut, &domain), 0);
    assert_int_equal(uet_ut_rotate(a->ut, SDI, 1), 0);
    assert_int_equal(uet_ut_advance_counter(a->ut, SDI, 0x7ffffff), 0);
    begin_write(1000);
    ends_well(1);
    assert_int_equal(seen[n_seen - 1].key, 1);
    assert_int_equal(seen[n_seen - 1].epoch, 0); /* TSS-035 */
    assert_true(seen[n_seen - 1].counter >= 0x7ffffff);
    assert_int_equal(uet_ut_advance_counter(a->ut, SDI, 5), 0); /* at least: it is there already */
    begin_write(1000);
    ends_well(1);
    assert_true(seen[n_seen - 1].counter > 0x7ffffff);
    assert_int_equal(repeats(), 0);
    /* What a verb has installed is gone with the power. */
    assert_int_equal(uet_ut_restart(a->ut), 0);
    assert_int_equal(uet_ut_rotate(a->ut, SDI, 1), -EPROTO);
    /* It comes back and repeats nothing. */
    assert_int_equal(uet_ut_install_domain(a->ut, &domain), 0);
    domain = (struct uet_ut_domain){.sdi = SDI, .key = key0}; /* of b's answers */
    assert_int_equal(uet_ut_install_domain(a->ut, &domain), 0);
    begin_write(1000);
    ends_well(1);
    assert_int_equal(repeats(), 0);
}

static void by_file(void **state)
{
    char path[] = "/tmp/uet-host-keys-XXXXXX";
    const struct uet_ut_domain domain = {.sdi = SDI, .file = path},
                               other = {.sdi = SDI + 1, .file = path};
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, BOTH("1 epoch=9"), strlen(BOTH("1 epoch=9"))),
                     (ssize_t)strlen(BOTH("1 epoch=9")));
    close(fd);
    install(b, BOTH("1 epoch=9"));
    open_target();
    assert_int_equal(uet_ut_install_domain(a->ut, &domain), 0);
    begin_write(1000);
    ends_well(1);
    assert_int_equal(seen[0].key, 1);
    assert_int_equal(seen[0].epoch, 9);
    assert_int_equal(uet_ut_install_domain(a->ut, &other), -EPROTO);
    assert_non_null(strstr(a->ut->error, "no key of the secure domain 0x000006"));
    unlink(path);
    assert_int_equal(uet_ut_install_domain(a->ut, &domain), -EPROTO);
    assert_non_null(strstr(a->ut->error, "No such file"));
}

/* That its key is used up is told, too; no file that the FEP follows names it. */
static void used_up_by_verb(void **state)
{
    static const char text[] = "UET_SD sdi=5 an=0 key=" K0 "\nUET_DOMAIN sdi=5 counter_limit=1\n";
    char path[] = "/tmp/uet-host-keys-XXXXXX";
    const struct uet_ut_domain domain = {.sdi = SDI, .file = path};
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    install(b, "UET_SD sdi=5 an=0 key=" K0);
    open_target();
    assert_int_equal(uet_ut_install_domain(a->ut, &domain), 0);
    unlink(path);
    begin_write(20000);
    pass(200 * (uint64_t)MS);
    is_told_once(0, true);
}

static void refused(void **state)
{
    (void)state;
    install(a, BOTH("0"));
    verb_fails(a->ut, json_pack("{s:s}", "verb", "install_domain"), "sdi");
    verb_fails(a->ut, json_pack("{s:s, s:i}", "verb", "install_domain", "sdi", 9),
               "give \"file\", or \"key\"");
    verb_fails(a->ut, json_pack("{s:s, s:i, s:s}", "verb", "install_domain", "sdi", 9, "key", "00"),
               "64 hex digits");
    verb_fails(a->ut,
               json_pack("{s:s, s:i, s:s, s:s}", "verb", "install_domain", "sdi", 9, "key", K0,
                         "file", "x"),
               "not both");
    verb_fails(
        a->ut,
        json_pack("{s:s, s:i, s:s, s:i}", "verb", "install_domain", "sdi", 9, "file", "x", "an", 1),
        "no argument \"an\"");
    verb_fails(a->ut,
               json_pack("{s:s, s:i, s:s, s:s}", "verb", "install_domain", "sdi", 9, "key", K0,
                         "iv_mask", "000102030405060708090a0b"),
               "IV mask is derived");
    verb_fails(
        a->ut,
        json_pack("{s:s, s:i, s:s, s:i}", "verb", "install_domain", "sdi", SDI, "key", K2, "an", 0),
        "sends with that AN");
    verb_fails(a->ut,
               json_pack("{s:s, s:i, s:s, s:[i]}", "verb", "install_domain", "sdi", 9, "key", K0,
                         "jobs", 0x1000000),
               "24 bits");
    verb_fails(a->ut, json_pack("{s:s, s:i}", "verb", "enable_domain", "sdi", SDI), "enabled");
    verb_fails(a->ut, json_pack("{s:s, s:i, s:b}", "verb", "enable_domain", "sdi", 9, "enabled", 0),
               "0x000009");
    verb_fails(a->ut, json_pack("{s:s, s:i}", "verb", "remove_domain", "sdi", 9),
               "no domain 0x000009");
    verb_fails(a->ut, json_pack("{s:s, s:i, s:i}", "verb", "remove_domain", "sdi", SDI, "an", 0),
               "rotate first");
    verb_fails(a->ut, json_pack("{s:s, s:i, s:i}", "verb", "remove_domain", "sdi", 9, "an", 1),
               "no key of AN 1");
    verb_fails(a->ut, json_pack("{s:s, s:i, s:i}", "verb", "rotate", "sdi", 9, "an", 1),
               "no domain 0x000009");
    verb_fails(a->ut,
               json_pack("{s:s, s:i, s:i}", "verb", "advance_counter", "sdi", 9, "counter", 1),
               "no domain 0x000009");
    verb_fails(a->ut,
               json_pack("{s:s, s:i, s:s}", "verb", "advance_counter", "sdi", SDI, "counter",
                         "0x1000000000000"),
               "counter");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rotates_without_a_loss),
        TEST(a_key_that_comes_back),
        TEST(a_key_that_is_used_up),
        TEST(no_roll_over_in_later_epochs),
        TEST(no_roll_over_to_itself),
        TEST(lost_floors),
        TEST(epochs_rise),
        TEST(restarts_repeat_no_iv),
        TEST(an_idle_key_of_another_life),
        TEST(a_key_in_another_slot),
        TEST(counters_that_cannot_be_kept),
        TEST(without_the_file_ivs_repeat),

        TEST(by_verbs),
        TEST(by_file),
        TEST(used_up_by_verb),
        TEST(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
