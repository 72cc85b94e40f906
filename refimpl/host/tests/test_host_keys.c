/* SPDX-License-Identifier: BSD-2-Clause */
/* What a host makes of a file of secure domains and keys, and what it keeps over a restart (3.7).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "refimpl/host/host.h"

#define KEY_DIGITS "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

/* A file of domains becomes domains: both ANs, what a line UET_DOMAIN says. */
static void domains_of_a_file(void **state)
{
    static const char text[] =
        "UET_SD sdi=7 an=0 key=" KEY_DIGITS "\nUET_SD sdi=7 an=1 key=" KEY_DIGITS "\n"
        "UET_DOMAIN sdi=7 tx=1 epoch=3 jobs=5,6\nUET_SD sdi=9 key=" KEY_DIGITS "\n";
    static const char other[] = "UET_SD sdi=8 key=" KEY_DIGITS;
    char err[200];
    struct uet_keyfile *file = uet_keyfile_parse(text, strlen(text), "keys", err, sizeof(err));
    struct uet_host_config config;
    struct uet_host *host = NULL;
    struct uet_fep_domain_state d;

    (void)state;
    assert_non_null(file);
    uet_host_config_default(&config);
    uet_ip_parse(&config.fep.address, "192.0.2.1");
    assert_int_equal(uet_host_new(&host, &config), 0);
    assert_int_equal(uet_host_install(host, file, err, sizeof(err)), 0);
    assert_true(uet_fep_domain_get(uet_host_fep(host), 0, &d));
    assert_int_equal(d.sdi, 7);
    assert_int_equal(d.an, 1);
    assert_int_equal(d.epoch, 3);
    assert_true(d.enabled && d.has_key[0] && d.has_key[1]);
    assert_true(uet_fep_domain_get(uet_host_fep(host), 1, &d));
    assert_int_equal(d.sdi, 9);
    assert_true(d.has_key[0] && !d.has_key[1]);
    assert_false(uet_fep_domain_get(uet_host_fep(host), 2, &d));
    /* The same file again changes nothing; one with another domain takes those away. */
    assert_int_equal(uet_host_install(host, file, err, sizeof(err)), 0);
    uet_keyfile_free(file);
    file = uet_keyfile_parse(other, strlen(other), "keys", err, sizeof(err));
    assert_int_equal(uet_host_install(host, file, err, sizeof(err)), 0);
    assert_true(uet_fep_domain_get(uet_host_fep(host), 0, &d));
    assert_int_equal(d.sdi, 8);
    assert_false(uet_fep_domain_get(uet_host_fep(host), 1, &d));
    uet_keyfile_free(file);
    uet_host_free(host);
}

/* A host that is made anew goes on behind what the one before may have used (TSS-018). */
static void counters_over_a_restart(void **state)
{
    static const char text[] = "UET_SD sdi=7 an=0 key=" KEY_DIGITS "\n";
    char err[200], path[] = "/tmp/uet-used-XXXXXX", fresh[sizeof(path) + 4];
    struct uet_keyfile *file = uet_keyfile_parse(text, strlen(text), "keys", err, sizeof(err));
    struct uet_host_config config;
    struct uet_fep_domain_state d;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    unlink(path); /* it need not be there */
    uet_host_config_default(&config);
    uet_ip_parse(&config.fep.address, "192.0.2.1");
    for (uint64_t life = 0; life < 3; life++) {
        struct uet_host *host = NULL;
        assert_int_equal(uet_host_new(&host, &config), 0);
        assert_int_equal(uet_host_install(host, file, err, sizeof(err)), 0);
        assert_int_equal(uet_host_remember(host, path, err, sizeof(err)), 0);
        assert_true(uet_fep_domain_get(uet_host_fep(host), 0, &d));
        assert_int_equal(d.next_counter, life << 20);
        assert_int_equal(d.start, life ? UET_RANDOM_1RTT_START : UET_EXPECTED_0RTT_START);
        uet_host_free(host);
    }
    assert_int_equal(unlink(path), 0);
    snprintf(fresh, sizeof(fresh), "%s.new", path);
    assert_int_not_equal(unlink(fresh), 0); /* nothing is left beside it */
    uet_keyfile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains_of_a_file),
        cmocka_unit_test(counters_over_a_restart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
