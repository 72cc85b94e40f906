/* SPDX-License-Identifier: BSD-2-Clause */
/* Who belongs to which domain (3.7.4): jobs, PDCs, SSIs, the clients of a server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/pds/state.h"
#include "refimpl/tests/tss/tss_pair.h"
#include "wire/build.h"

static void of_one_job(struct uet_fep_domain *d, int i)
{
    (void)i;
    d->jobs[0] = PAIR_JOB;
    d->n_jobs = 1;
}

/* Another domain with the same key, for another job. */
static void other_domain(struct pair *t, struct uet_tss_sa *sa)
{
    struct uet_fep_domain d = pair_domain(t, 1);
    d.keys.sdi = PAIR_SDI + 1;
    d.jobs[0] = PAIR_JOB + 1;
    assert_int_equal(uet_tss_setup(sa, &d.keys), 0);
    assert_int_equal(uet_fep_domain_install(t->fep[1], &d), 0);
    assert_int_equal(uet_fep_domain_install(t->fep[1], &d), -EEXIST);
    d.keys.sdi++;
    assert_int_equal(uet_fep_domain_install(t->fep[1], &d), -ENOSPC);
}

/* In clear, and of another SDI, whether it opens a PDC or names one (TSS-045, 048, 049). */
static void test_isolation(void **state)
{
    struct pair t;
    struct uet_tss_sa other;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true, .change = of_one_job});
    other_domain(&t, &other);
    for (unsigned i = 0; i < 2; i++) { /* the SYN, then a Request on the PDC */
        pair_write(&t, 40);
        assert_non_null(pair_take(&t, 0));
        const struct pair_frame good = t.taken;
        struct pair_frame wrong = pair_sealed(&t, &other, (struct uet_tss_stamp){.counter = i});
        uint64_t n = counter(t.fep[1], "in_binding_failure_pkts");
        pair_give(&t, 1, &wrong);
        memcpy(wrong.bytes, t.clear, t.clear_len);
        wrong.len = t.clear_len;
        pair_give(&t, 1, &wrong);
        assert_null(pair_take(&t, 1));
        assert_int_equal(counter(t.fep[1], "in_binding_failure_pkts"), n + 2);
        assert_int_equal(counter(t.fep[1], "drop_clear_bound"), i + 1);
        assert_int_equal(counter(t.fep[1], "drop_job_not_served"), 1);
        assert_int_equal(counter(t.fep[1], "drop_other_domain"), i);
        assert_int_equal(counter(t.fep[1], "rx_request_new"), i);
        pair_give(&t, 1, &good);
        pair_finished(&t);
    }
    uet_tss_erase(&other);
    pair_free(&t);
}

/* Another domain may serve the job as well: its packets have no place on this one's PDC (TSS-045).
 */
static void test_other_pdc(void **state)
{
    struct pair t;
    struct uet_tss_sa other;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true, .change = of_one_job});
    struct uet_fep_domain d = pair_domain(&t, 1);
    d.keys.sdi = PAIR_SDI + 1;
    d.n_jobs = 0;
    assert_int_equal(uet_fep_domain_install(t.fep[1], &d), 0);
    assert_int_equal(uet_tss_setup(&other, &d.keys), 0);
    pair_write(&t, 40);
    pair_finished(&t);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame f = pair_sealed(&t, &other, (struct uet_tss_stamp){.counter = 1});
    pair_give(&t, 1, &f);
    assert_null(pair_take(&t, 1));
    assert_int_equal(counter(t.fep[1], "in_binding_failure_pkts"), 1);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1);
    uet_tss_erase(&other);
    pair_free(&t);
}

/* An SSI that is missing, or is not expected (TSS-040, TSS-041). */
static void test_ssi_mode(void **state)
{
    (void)state;
    for (int ssi = 0; ssi < 2; ssi++) {
        struct pair t;
        struct uet_tss_sa other;
        pair_init(&t, &(struct pair_kind){.ssi = ssi});
        struct uet_tss_params keys = t.keys;
        keys.ssi_mode = !ssi;
        assert_int_equal(uet_tss_setup(&other, &keys), 0);
        pair_write(&t, 40);
        assert_non_null(pair_take(&t, 0));
        struct pair_frame f = pair_sealed(&t, &other, (struct uet_tss_stamp){.ssi = 5});
        pair_give(&t, 1, &f);
        assert_null(pair_take(&t, 1));
        assert_int_equal(counter(t.fep[1], "in_invalid"), 1);
        uet_tss_erase(&other);
        pair_free(&t);
    }
}

/* Server mode: FEP 0 is the client, whose key the server derives, with its SSI (TSS-028, 029). */
static void test_server(void **state)
{
    (void)state;
    for (int ssi = 0; ssi < 2; ssi++) {
        struct pair t;
        pair_init(&t, &(struct pair_kind){.mode = UET_TSS_MODE_SERVER, .ssi = ssi});
        const struct uet_operation op = {.to = t.ip[0], .opcode = UET_OP_NO_OP};
        if (ssi) /* whose client has not spoken */
            assert_int_equal(uet_fep_submit(t.fep[1], &op, t.now), -EACCES);
        pair_write_read_send(&t);
        pair_close(&t);
        assert_int_equal(uet_fep_submit(t.fep[1], &op, t.now), 0);
        assert_non_null(pair_take(&t, 1));
        if (ssi)
            assert_int_equal(t.h.ssi, 0x1000); /* the client's, in what the server sent last */
        pair_free(&t);
    }
}

/*
 * At a server with SSIs a client names the PDC of another one: so it is when its own has ended in
 * error and the PDCID was given anew. It is told so (Table 3-58), under its own SSI (TSS-029).
 */
static void test_other_client(void **state)
{
    struct pair t;
    struct uet_tss_sa client;
    (void)state;
    pair_init(&t, &(struct pair_kind){.mode = UET_TSS_MODE_SERVER, .ssi = true});
    struct uet_tss_params keys = t.keys;
    keys.client = UET_CLIENT_SRC;
    assert_int_equal(uet_tss_setup(&client, &keys), 0);
    pair_write(&t, 40);
    pair_finished(&t);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    t.clear[UET_ETH_BYTES + 14]++; /* of the source; the TTL keeps the checksum right */
    t.clear[UET_ETH_BYTES + 8]--;
    struct pair_frame f = pair_sealed(&t, &client, (struct uet_tss_stamp){.ssi = 0x2000});
    pair_give(&t, 1, &f);
    assert_non_null(pair_take(&t, 1));
    assert_int_equal(t.h.ssi, 0x2000);
    assert_int_equal(t.p.pds, UET_H_NACK);
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_PDC_HDR_MISMATCH);
    assert_int_equal(uet_nack_spdcid(uet_pds(&t.p)), 0);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1); /* isolation holds (TSS-049) */
    pair_give(&t, 1, &good);
    pair_finished(&t);
    uet_tss_erase(&client);
    pair_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isolation),    cmocka_unit_test(test_other_pdc),
        cmocka_unit_test(test_ssi_mode),     cmocka_unit_test(test_server),
        cmocka_unit_test(test_other_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
