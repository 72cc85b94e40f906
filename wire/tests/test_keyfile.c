/* SPDX-License-Identifier: BSD-2-Clause */
/* Key files: what a FEP takes from them, what they refuse, and where their keys are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/keyfile.h"
#include "wire/secret.h"

#define KEY   "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define OTHER "00112233445566778899aabbccddeeff00112233445566778899aabbccddeefe"

static struct uet_keyfile *parse(const char *text, char *err, size_t size)
{
    return uet_keyfile_parse(text, strlen(text), "keys", err, size);
}

static struct uet_keyfile *good(const char *text)
{
    char err[300];
    struct uet_keyfile *file = parse(text, err, sizeof err);
    if (!file)
        fail_msg("%s", err);
    assert_string_equal(err, "");
    return file;
}

static void packets_that_a_key_fits(void **state)
{
    (void)state;
    struct uet_keyfile *file = good("UET_SD sdi=7 an=1 key=" KEY "\nUET_SD sdi=8 key=" OTHER);
    assert_true(uet_key_fits(&file->keys[0], 7, 1));
    assert_false(uet_key_fits(&file->keys[0], 7, 0));
    assert_false(uet_key_fits(&file->keys[0], 8, 1));
    assert_true(uet_key_fits(&file->keys[1], 8, 0)); /* any AN */
    assert_true(uet_key_fits(&file->keys[1], 8, 1));
    assert_false(uet_key_fits(&file->keys[1], 7, 1));
    uet_keyfile_free(file);
}

static void a_domain_by_its_key(void **state)
{
    (void)state;
    struct uet_keyfile *file = good("# a comment\n\nUET_SD sdi=7 an=1 key=" KEY);
    assert_int_equal(file->n_keys, 1);
    assert_int_equal(file->n_domains, 1);
    const struct uet_key_domain *d = &file->domains[0];
    assert_int_equal(d->sdi, 7);
    assert_int_equal(d->tx, 1); /* the slot that has the key */
    assert_int_equal(d->epoch, 0);
    assert_false(d->has_ssi);
    assert_int_equal(d->n_jobs, 0);
    assert_int_equal(d->start, UET_KEY_EXPECTED_0RTT);
    /* The defaults of tss-enums: rx_max_epoch_lifetime, auth_fail_threshold, invoke_fatal. */
    assert_int_equal(d->max_epoch_age, 16);
    assert_int_equal(d->auth_fail_threshold, 1000);
    assert_true(d->counter_limit == (UINT64_C(1) << 48) - 1);
    assert_null(uet_keyfile_slot(file, 7, 0));
    assert_null(uet_keyfile_slot(file, 8, 1));
    const struct uet_key *key = uet_keyfile_slot(file, 7, 1);
    assert_non_null(key);
    assert_int_equal(key->params.mode, UET_TSS_MODE_CLUSTER);
    assert_int_equal(key->params.key[1], 0x11);
    assert_int_equal(key->params.key[31], 0xff);
    uet_keyfile_free(file);
    uet_keyfile_free(NULL);
}

static void a_line_for_a_domain(void **state)
{
    (void)state;
    struct uet_keyfile *file =
        good("UET_DOMAIN sdi=0x000002 tx=1 epoch=65535 ssi=0xffffffff jobs=1,0x30,16777215 "
             "start=random-1rtt max_epoch_age=0 auth_fail_threshold=2 counter_limit=0x1000\r\n"
             "UET_SD sdi=2 an=0 ssi=yes key=" KEY "\n"
             "UET_SD sdi=2 an=1 ssi=any key=" OTHER "\n"
             "UET_SD sdi=3 mode=direct iv_mask=000102030405060708090a0b key=" KEY "\n");
    assert_int_equal(file->n_keys, 3);
    assert_int_equal(file->n_domains, 2);
    const struct uet_key_domain *d = &file->domains[0];
    assert_int_equal(d->tx, 1);
    assert_int_equal(d->epoch, 65535);
    assert_true(d->has_ssi);
    assert_true(d->ssi == 0xffffffffu);
    assert_int_equal(d->n_jobs, 3);
    assert_int_equal(d->jobs[1], 0x30);
    assert_int_equal(d->jobs[2], 0xffffff);
    assert_int_equal(d->start, UET_KEY_RANDOM_1RTT);
    assert_int_equal(d->max_epoch_age, 0);
    assert_int_equal(d->auth_fail_threshold, 2);
    assert_int_equal(d->counter_limit, 0x1000);
    assert_int_equal(file->domains[1].sdi, 3);
    assert_int_equal(uet_keyfile_slot(file, 3, 0)->params.iv_mask[11], 0x0b); /* any is 0 */
    assert_false(uet_key_equal(&file->keys[0], &file->keys[1]));
    struct uet_key same = file->keys[1];
    assert_true(uet_key_equal(&same, &file->keys[1]));
    same.params.key[31] ^= 1;
    assert_false(uet_key_equal(&same, &file->keys[1]));
    uet_keyfile_free(file);
}

/* One key of a slot is in force; the same line twice is one key. */
static void several_keys_of_a_slot(void **state)
{
    (void)state;
    struct uet_keyfile *file = good("UET_SD sdi=1 an=0 key=" KEY "\nUET_SD sdi=1 an=1 key=" OTHER
                                    "\nUET_SD sdi=1 an=0 key=" KEY "\n"
                                    "UET_SD sdi=2 an=1 key=" KEY "\nUET_SD sdi=2 an=0 key=" KEY
                                    "\nUET_SD sdi=2 an=1 key=" OTHER "\n");
    assert_int_equal(uet_keyfile_unsure(file, 1), -1);
    assert_int_equal(uet_keyfile_unsure(file, 2), 1);
    assert_int_equal(uet_keyfile_unsure(file, 3), -1);
    uet_keyfile_free(file);
}

static void refuses(const char *text, const char *says)
{
    char err[300] = "";
    assert_null(parse(text, err, sizeof err));
    if (!strstr(err, says))
        fail_msg("'%s' does not say '%s'", err, says);
    assert_null(strstr(err, "00112233"));
}

#define SD "UET_SD sdi=1 key=" KEY "\n"

static void says_what_is_wrong(void **state)
{
    (void)state;
    refuses("", "keys: no key");
    refuses("UET_DOMAIN sdi=1\n", "keys: sdi=0x000001: UET_DOMAIN without a key");
    refuses(SD "UET_DOMAIN sdi=2\n", "sdi=0x000002: UET_DOMAIN without a key");
    refuses(SD "UET_DOMAIN sdi=1 tx=1\n", "tx names a slot without a key");
    refuses(SD "UET_DOMAIN sdi=1\nUET_DOMAIN sdi=1\n", "keys:3: this domain has a line already");
    refuses("UET_SD sdi=1 sdi=2 key=" KEY "\n", "keys:1: a column stands there twice");
    refuses("UET_SD sdi=1 key=" KEY " an=0 key=" OTHER "\n", "keys:1: a column stands there twice");
    refuses(SD "UET_DOMAIN sdi=1 epoch=1 tx=0 epoch=2\n", "keys:2: a column stands there twice");
    refuses(SD "UET_DOMAIN tx=0\n", "keys:2: sdi is missing");
    refuses(SD "UET_DOMAIN sdi=1 tx=2\n", "0 or 1");
    refuses(SD "UET_DOMAIN sdi=1 tx=any\n", "0 or 1");
    refuses(SD "UET_DOMAIN sdi=1 epoch=65536\n", "0 to 65535");
    refuses(SD "UET_DOMAIN sdi=1 ssi=yes\n", "32 bits");
    refuses(SD "UET_DOMAIN sdi=1 ssi=0x100000000\n", "32 bits");
    refuses(SD "UET_DOMAIN sdi=1 jobs=\n", "jobs is any");
    refuses(SD "UET_DOMAIN sdi=1 jobs=1,\n", "jobs is any");
    refuses(SD "UET_DOMAIN sdi=1 jobs=16777216\n", "jobs is any");
    refuses(SD "UET_DOMAIN sdi=1 start=0rtt\n", "expected-0rtt or random-1rtt");
    refuses(SD "UET_DOMAIN sdi=1 max_epoch_age=32768\n", "32767");
    refuses(SD "UET_DOMAIN sdi=1 counter_limit=0x1000000000000\n", "48 bits");
    refuses(SD "UET_DOMAIN sdi=1 key=" KEY "\n", "unknown column");
    refuses("UET_DOMAIN sdi=1 ssi=5\nUET_SD sdi=1 ssi=no key=" KEY "\n", "ssi=no, but");
    refuses("UET_SD sdi=1 mode=cluster iv_mask=000102030405060708090a0b key=" KEY "\n",
            "keys:1: the IV mask is derived");
    char err[300] = "";
    static const char zero[] = "UET_SD sdi=1 \0key=" KEY "\n";
    assert_null(uet_keyfile_parse(zero, sizeof zero - 1, "keys", err, sizeof err));
    assert_non_null(strstr(err, "keys:1: there is a byte 0"));
}

static void jobs_up_to_8(void **state)
{
    (void)state;
    char text[600], err[300];
    size_t at = (size_t)snprintf(text, sizeof text, SD "UET_DOMAIN sdi=1 jobs=0");
    for (unsigned i = 1; i < 8; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, ",%u", i);
    struct uet_keyfile *file = good(text);
    assert_int_equal(file->domains[0].n_jobs, 8);
    assert_int_equal(file->domains[0].jobs[7], 7);
    uet_keyfile_free(file);
    snprintf(text + at, sizeof text - at, ",8");
    assert_null(parse(text, err, sizeof err));
}

/* A file of its own, with these rights and this text. */
static struct uet_keyfile *read_file(mode_t mode, const char *text, char *err, size_t size)
{
    char path[] = "/tmp/uet-keyfile-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
    struct uet_keyfile *file = uet_keyfile_read(path, err, size);
    unlink(path);
    return file;
}

static void tells_rights(void **state)
{
    (void)state;
    static const struct {
        mode_t mode;
        const char *says;
    } cases[] = {{0600, ""},
                 {0400, ""},
                 {0640, ""}, /* a group of its own is a usual way */
                 {0644, "every user of this host can read these keys (mode 0644): chmod 600"},
                 {0606, "every user of this host can change"},
                 {0660, "its group can change"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char err[300];
        struct uet_keyfile *file = read_file(cases[i].mode, SD, err, sizeof err);
        assert_non_null(file);
        if (*cases[i].says ? !strstr(err, cases[i].says) : *err)
            fail_msg("mode %o: '%s'", cases[i].mode, err);
        uet_keyfile_free(file);
    }
    char err[300];
    assert_null(uet_keyfile_read("/tmp/uet-no-such-file", err, sizeof err));
    assert_non_null(strstr(err, "No such file"));
    assert_null(uet_keyfile_read("/tmp", err, sizeof err));
    assert_non_null(strstr(err, "Is a directory"));
}

/* More than one buffer's worth, over the end of the first. */
static void long_files(void **state)
{
    (void)state;
    enum { LINES = 600, LINE = 120 };
    char *text = malloc(LINES * LINE), err[300];
    size_t at = 0;
    for (unsigned i = 0; i < LINES; i++)
        at += (size_t)snprintf(text + at, LINE, "UET_SD sdi=%u an=%u key=" KEY "\n", i / 2, i % 2);
    struct uet_keyfile *file = read_file(0600, text, err, sizeof err);
    assert_non_null(file);
    assert_int_equal(file->n_keys, LINES);
    assert_int_equal(file->n_domains, LINES / 2);
    assert_non_null(uet_keyfile_slot(file, LINES / 2 - 1, 1));
    uet_keyfile_free(file);
    free(text);
}

static bool same_domain(const struct uet_key_domain *a, const struct uet_key_domain *b)
{
    return a->sdi == b->sdi && a->tx == b->tx && a->has_ssi == b->has_ssi && a->ssi == b->ssi &&
           a->epoch == b->epoch && a->max_epoch_age == b->max_epoch_age &&
           a->auth_fail_threshold == b->auth_fail_threshold &&
           a->counter_limit == b->counter_limit && a->start == b->start && a->n_jobs == b->n_jobs &&
           memcmp(a->jobs, b->jobs, a->n_jobs * sizeof *a->jobs) == 0;
}

/* What is written is read as the same again, in every column. */
static void written_and_read(void **state)
{
    (void)state;
    static const char lines[] =
        "UET_SD sdi=7 an=0 ssi=yes key=" KEY " rekey_mask=0xfff0 rekey_shift=4 encrypt_from=30\n"
        "UET_SD sdi=7 an=1 ssi=yes key=" OTHER "\n"
        "UET_SD sdi=8 mode=direct key=" OTHER " iv_mask=000102030405060708090a0b\n"
        "UET_SD sdi=0xffffff an=1 mode=server ssi=no key=" KEY " encrypt_from=0xffff\n"
        "UET_DOMAIN sdi=7 tx=1 epoch=65535 ssi=0xffffffff jobs=1,0x30 start=random-1rtt "
        "max_epoch_age=3 auth_fail_threshold=5 counter_limit=9\n";
    char text[4096] = "";
    struct uet_keyfile *file = good(lines);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    for (size_t i = 0; i < file->n_keys; i++)
        uet_key_write(out, &file->keys[i]);
    for (size_t i = 0; i < file->n_domains; i++)
        uet_key_domain_write(out, &file->domains[i]);
    assert_int_equal(fclose(out), 0);
    struct uet_keyfile *again = good(text);
    assert_int_equal(again->n_keys, 4);
    assert_int_equal(again->n_domains, 3);
    for (size_t i = 0; i < 4; i++)
        assert_true(uet_key_equal(&file->keys[i], &again->keys[i]));
    for (size_t i = 0; i < 3; i++)
        assert_true(same_domain(&file->domains[i], &again->domains[i]));
    uet_keyfile_free(again);
    uet_keyfile_free(file);
}

/* A field of this process's /proc/self/smaps for the mapping that holds p; "" when there is none.
 */
static void mapping_says(const void *p, const char *field, char *out, size_t size)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    bool here = false;
    *out = '\0';
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            here = (uintptr_t)p >= from && (uintptr_t)p < to;
        else if (here && strncmp(line, field, strlen(field)) == 0)
            strncat(out, line + strlen(field), size - strlen(out) - 1);
    }
    if (maps)
        fclose(maps);
}

#ifdef __SANITIZE_ADDRESS__
enum { LOCKS = 0 }; /* it takes mlock away from the program */
#else
enum { LOCKS = 1 };
#endif

/* Flags of the kernel: dd is left out of core dumps, lo locked. */
static void secrets_are_kept_apart(void **state)
{
    (void)state;
    char flags[256];
    struct rlimit limit;
    uint8_t *secret = uet_secret_new(5000);
    assert_non_null(secret);
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(secret[i], 0);
    memset(secret, 0x5a, 5000);
    mapping_says(secret, "VmFlags:", flags, sizeof flags);
    if (!*flags)
        skip(); /* a kernel that does not tell */
    assert_non_null(strstr(flags, " dd"));
    if (LOCKS && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
        (geteuid() == 0 || limit.rlim_cur >= 65536))
        assert_non_null(strstr(flags, " lo"));
    uet_secret_free(secret);
    uet_secret_free(NULL);
    assert_null(uet_secret_new(SIZE_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_that_a_key_fits),
        cmocka_unit_test(a_domain_by_its_key),
        cmocka_unit_test(a_line_for_a_domain),
        cmocka_unit_test(several_keys_of_a_slot),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(jobs_up_to_8),
        cmocka_unit_test(tells_rights),
        cmocka_unit_test(long_files),
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(secrets_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
