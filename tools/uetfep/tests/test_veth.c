/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two uetfep processes at the ends of a virtual cable, each driven over its control socket.
 *   test_uetfep_veth UETFEP UETCONFORM      under port/tests/with-veth -1
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "port/afpacket.h"
#include "port/ether.h"
#include "ut/verbs.h"
#include "wire/crc.h"

enum { PATIENCE_MS = 10000, IP_PROTOCOL = 200 };

struct process {
    pid_t pid;
    int out; /* its stdout and stderr */
    char path[64];
    struct uet_ut *ut;
};

static const char *program, *uetconform;
static struct process a, b;

static int64_t now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Reads the process's output until it holds the words, or to its end when words is NULL. */
static void read_output(struct process *p, const char *words, char *text, size_t size)
{
    int64_t deadline_ms = now_ms() + PATIENCE_MS;
    size_t len = 0;

    text[0] = 0;
    while (len + 1 < size && !(words && strstr(text, words))) {
        struct pollfd poll_fd = {.fd = p->out, .events = POLLIN};
        int64_t left_ms = deadline_ms - now_ms();
        ssize_t n;

        if (left_ms <= 0 || poll(&poll_fd, 1, (int)left_ms) <= 0)
            fail_msg("uetfep says only \"%s\"", text);
        n = read(p->out, text + len, size - 1 - len);
        if (n <= 0)
            break;
        len += (size_t)n;
        text[len] = 0;
    }
}

/* The last are the options of the group of tests that runs: NULL ends them. */
static void start(struct process *p, const char *interface, const char *address,
                  const char *const *options)
{
    char control[80], text[256], err[256] = "";
    const char *args[24] = {"uetfep",    "--port", interface, "--address", address,
                            "--control", control,  "--stats", "--seed",    "1"};
    int fds[2], n = 10;

    while (*options)
        args[n++] = *options++;

    snprintf(p->path, sizeof(p->path), "/tmp/uetfep-veth-%d-%s", (int)getpid(), interface);
    snprintf(control, sizeof(control), "unix:%s", p->path);
    assert_int_equal(pipe(fds), 0);
    p->pid = fork();
    assert_true(p->pid >= 0);
    if (p->pid == 0) {
        dup2(fds[1], STDOUT_FILENO);
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        close(fds[1]);
        execv(program, (char *const *)args);
        _exit(127);
    }
    close(fds[1]);
    p->out = fds[0];
    read_output(p, "ready on", text, sizeof(text));
    if (uet_ut_connect(&p->ut, p->path, PATIENCE_MS, err, sizeof(err)))
        fail_msg("%s", err);
}

/* Ends it by a signal; its last words go to text. */
static void end(struct process *p, int signal, char *text, size_t size)
{
    struct stat st;
    int status = -1;

    uet_ut_close(p->ut);
    assert_int_equal(kill(p->pid, signal), 0);
    read_output(p, NULL, text, size);
    assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(lstat(p->path, &st), -1); /* the socket is gone as well */
    close(p->out);
}

static int set_up_with(const char *const *options)
{
    const char *first = getenv("UET_IF_A"), *second = getenv("UET_IF_B");

    assert_non_null(first);
    assert_non_null(second);
    start(&a, first, "192.0.2.1", options);
    start(&b, second, "192.0.2.2", options);
    return 0;
}

static int set_up(void **state)
{
    static const char *const usual[] = {NULL};

    (void)state;
    return set_up_with(usual);
}

static int set_up_native(void **state)
{
    static const char *const native[] = {
        "--encapsulation", "native", "--ip-protocol", "200", "--protect", "crc", "--crc-order",
        "little",          NULL};

    (void)state;
    return set_up_with(native);
}

static int set_up_keeping(void **state)
{
    static const char *const keeping[] = {"--service", "1:0:3:send:keeps", "--service",
                                          "1:0:4:send:7:keeps", NULL};

    (void)state;
    return set_up_with(keeping);
}

static int tear_down(void **state)
{
    char text[8192];

    (void)state;
    end(&a, SIGINT, text, sizeof(text));
    assert_non_null(strstr(text, "bytes a PDC"));
    end(&b, SIGTERM, text, sizeof(text));
    assert_non_null(strstr(text, "port received"));
    return 0;
}

static struct uet_ut_completion wait_for_one(struct process *p)
{
    int64_t deadline_ms = now_ms() + PATIENCE_MS;
    struct uet_ut_completion c = {0};
    int n = 0;

    while (n == 0 && now_ms() < deadline_ms) {
        n = uet_ut_wait(p->ut, &c, 1);
        if (n == 0)
            usleep(500);
    }
    if (n != 1)
        fail_msg("no completion: %s", p->ut->error);
    return c;
}

static struct uet_ut_operation to_b(uint32_t length)
{
    struct uet_ut_operation op = {.relative = true, .key = 1, .length = length, .seed = 5};

    assert_int_equal(uet_ip_parse(&op.to, "192.0.2.2"), 0);
    return op;
}

static void answers_out_of_the_box(void **state)
{
    struct uet_ut_operation op = to_b(0);
    struct uet_ut_completion c;

    (void)state;
    assert_int_equal(uet_ut_no_op(a.ut, &op, NULL), 0);
    c = wait_for_one(&a);
    assert_int_equal(c.kind, UET_UT_KIND_NO_OP);
    assert_int_equal(c.status, UET_UT_OK);
}

/* How often the process has gone to sleep so far, as the kernel counts it. */
static unsigned long sleeps_of(const struct process *p)
{
    static const char key[] = "voluntary_ctxt_switches:";
    char path[40], line[100];
    unsigned long n = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)p->pid);
    file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file))
        if (strncmp(line, key, sizeof(key) - 1) == 0)
            n = strtoul(line + sizeof(key) - 1, NULL, 10);
    fclose(file);
    assert_true(n > 0);
    return n;
}

/* Its time on a processor so far. */
static uint64_t cpu_ns_of(const struct process *p)
{
    struct timespec ts;
    clockid_t clock;

    assert_int_equal(clock_getcpuclockid(p->pid, &clock), 0);
    assert_int_equal(clock_gettime(clock, &ts), 0);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* For half a second it neither wakes for nothing nor spins. */
static void assert_sleeps(const struct process *p)
{
    uint64_t cpu_ns = cpu_ns_of(p);
    unsigned long sleeps = sleeps_of(p);

    usleep(500000);
    sleeps = sleeps_of(p) - sleeps;
    cpu_ns = cpu_ns_of(p) - cpu_ns;
    if (sleeps > 40 || cpu_ns > 100000000) /* the kernel itself sends ND on a new link */
        fail_msg("an idle uetfep woke %lu times and worked %lu us in 500 ms", sleeps,
                 (unsigned long)(cpu_ns / 1000));
}

/* With a tester connected and nothing to do it used to wake 2,000 times a second. */
static void sleeps_when_idle(void **state)
{
    answers_out_of_the_box(state);
    usleep(100000);
    assert_sleeps(&a);
    assert_sleeps(&b);
}

static void sends_again_and_again(void **state)
{
    struct uet_ut_operation op = to_b(60000);
    uint8_t got[60000], want[60000];

    (void)state;
    uet_ut_pattern(want, sizeof(want), 0, 5);
    for (int i = 0; i < 40; i++) { /* more than uetfep has receives: they are posted again */
        struct uet_ut_completion c;

        assert_int_equal(uet_ut_send(a.ut, &op, NULL), 0);
        c = wait_for_one(&a);
        assert_int_equal(c.status, UET_UT_OK);
        c = wait_for_one(&b);
        assert_int_equal(c.kind, UET_UT_KIND_RECV);
        assert_int_equal(c.length, 60000);
        assert_int_equal(uet_ut_get_mem(b.ut, c.handle, 0, got, sizeof(got)), 0);
        assert_memory_equal(got, want, sizeof(got));
    }
}

static void write_is_read_back(void **state)
{
    const struct uet_ut_service service = {.job_id = 2, .resource_index = 9};
    const struct uet_ut_memory memory = {
        .job_id = 2, .resource_index = 9, .key = 0xabc, .length = 300000};
    struct uet_ut_operation op = to_b(300000);
    static uint8_t got[300000], want[300000];
    uint64_t handle = 0;

    (void)state;
    op.job_id = 2;
    op.resource_index = 9;
    op.key = 0xabc;
    assert_int_equal(uet_ut_service(b.ut, &service), 0);
    assert_int_equal(uet_ut_reg_mem(b.ut, &memory, &handle, NULL), 0);
    assert_int_equal(uet_ut_write(a.ut, &op, NULL), 0);
    assert_int_equal(wait_for_one(&a).status, UET_UT_OK);
    assert_int_equal(uet_ut_get_mem(b.ut, handle, 0, got, sizeof(got)), 0);
    uet_ut_pattern(want, sizeof(want), 0, 5);
    assert_memory_equal(got, want, sizeof(got));
}

/* Sends that came before their receive fill it. */
static void keeps_what_comes_early(void **state)
{
    static const uint8_t generations[] = {0, 7};
    uint8_t got[1000], want[1000];

    (void)state;
    uet_ut_pattern(want, sizeof(want), 0, 5);
    for (uint16_t i = 0; i < 2; i++) {
        struct uet_ut_operation op = to_b(sizeof(got));
        struct uet_ut_completion c;
        const struct uet_ut_receive receive = {
            .job_id = 1, .resource_index = 3 + i, .length = sizeof(got)};
        uint64_t handle = 0;

        op.job_id = 1;
        op.resource_index = 3 + i;
        op.generation = generations[i];
        assert_int_equal(uet_ut_send(a.ut, &op, NULL), 0);
        usleep(50000);
        assert_int_equal(uet_ut_post_recv(b.ut, &receive, &handle), 0);
        c = wait_for_one(&b);
        assert_int_equal(c.handle, handle);
        assert_int_equal(c.status, UET_UT_OK);
        assert_int_equal(wait_for_one(&a).status, UET_UT_OK);
        assert_int_equal(uet_ut_get_mem(b.ut, handle, 0, got, sizeof(got)), 0);
        assert_memory_equal(got, want, sizeof(got));
    }
}

static size_t count(const char *text, const char *words)
{
    size_t n = 0;

    for (; (text = strstr(text, words)); text++)
        n++;
    return n;
}

/* A tester that comes while this test drives a. */
static void second_tester_is_told(void **state)
{
    char yaml[80], command[200], text[1024] = "", want[200];
    FILE *file;

    (void)state;
    snprintf(yaml, sizeof(yaml), "/tmp/uetfep-veth-%d.yaml", (int)getpid());
    file = fopen(yaml, "wxe");
    assert_non_null(file);
    fprintf(file,
            "address: 192.0.2.1\ntester: [192.0.2.11]\nport: {interface: %s}\n"
            "control: %s\nclaims: [rud]\n",
            getenv("UET_IF_B"), a.path);
    fclose(file);
    snprintf(command, sizeof(command), "%s run --fep %s 2>&1", uetconform, yaml);
    file = popen(command, "re");
    assert_non_null(file);
    (void)fread(text, 1, sizeof(text) - 1, file);
    unlink(yaml);
    assert_int_equal(WEXITSTATUS(pclose(file)), 2);
    snprintf(want, sizeof(want), "%s: the upper tester takes one client at a time, and pid %d ",
             a.path, (int)getpid());
    if (!strstr(text, want))
        fail_msg("\"%s\" does not say \"%s\"", text, want);
    assert_int_equal(count(text, "\n"), 1);
}

/* Is anybody there? No more than PATIENCE_MS is waited: an end that is just up may drop frames. */
static void comes_to_answer(void)
{
    int64_t deadline_ms = now_ms() + PATIENCE_MS;
    struct uet_ut_operation op = to_b(0);
    struct uet_ut_completion c;

    do {
        assert_int_equal(uet_ut_no_op(a.ut, &op, NULL), 0);
        c = wait_for_one(&a);
    } while (c.status != UET_UT_OK && now_ms() < deadline_ms);
    assert_int_equal(c.status, UET_UT_OK);
}

/* The end of a goes down for a while, so that of b has no carrier: each says so once. */
static void survives_link_flap(void **state)
{
    struct uet_ut_operation op = to_b(0);
    char text[1024], command[80];

    (void)state;
    comes_to_answer();
    snprintf(command, sizeof(command), "ip link set %s down", getenv("UET_IF_A"));
    assert_int_equal(system(command), 0);
    read_output(&a, "is down: waiting", text, sizeof(text));
    read_output(&b, "has no carrier: waiting", text, sizeof(text));
    assert_int_equal(uet_ut_no_op(a.ut, &op, NULL), 0); /* it listens, but its packets get lost */
    assert_int_equal(wait_for_one(&a).status, UET_UT_PDS_ERROR);
    assert_sleeps(&a); /* also while its port is broken */
    assert_sleeps(&b);
    snprintf(command, sizeof(command), "ip link set %s up", getenv("UET_IF_A"));
    assert_int_equal(system(command), 0);
    read_output(&a, "is up again", text, sizeof(text));
    assert_int_equal(count(text, "down"), 0);
    read_output(&b, "is up again", text, sizeof(text));
    assert_int_equal(count(text, "carrier"), 0);
    comes_to_answer();
}

/* What a sends: protocol 200 (3.5.10.1), and behind it a CRC with its lowest byte first. */
static void goes_on_native_ip(void **state)
{
    struct uet_afpacket_config cfg = {.ifname = getenv("UET_IF_B"), .all = true};
    struct uet_ut_operation op = to_b(0);
    struct uet_frame frame;
    struct uet_port *tap = NULL;
    char err[256] = "";
    int native = 0;

    (void)state;
    if (uet_afpacket_open(&tap, &cfg, err, sizeof(err)))
        fail_msg("%s", err);
    assert_int_equal(uet_ut_no_op(a.ut, &op, NULL), 0);
    assert_int_equal(wait_for_one(&a).status, UET_UT_OK);
    while (uet_port_receive(tap, &frame, 1, uet_port_now(tap)) == 1)
        if (frame.len > 34 && uet_port_get16(frame.data + 12) == UET_ETHER_IPV4) {
            size_t end = 14u + uet_port_get16(frame.data + 16); /* behind it Ethernet may pad */
            uint32_t crc = uet_crc32c(0, frame.data + 26, end - 26 - 4); /* from the IP source */

            assert_int_equal(frame.data[23], IP_PROTOCOL);
            for (unsigned i = 0; i < 4; i++)
                assert_int_equal(frame.data[end - 4 + i], crc >> 8 * i & 0xff);
            native++;
        }
    assert_true(native > 0);
    uet_port_close(tap);
}

/* Last: after it the cable is gone, and each ends by itself. */
static void ends_without_interface(void **state)
{
    struct process *both[] = {&a, &b};
    char text[1024], command[80];
    int status = -1;

    set_up(state);
    snprintf(command, sizeof(command), "ip link del %s", getenv("UET_IF_A"));
    assert_int_equal(system(command), 0);
    for (int i = 0; i < 2; i++) {
        read_output(both[i], "is gone", text, sizeof(text));
        assert_int_equal(waitpid(both[i]->pid, &status, 0), both[i]->pid);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        uet_ut_close(both[i]->ut);
        close(both[i]->out);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_out_of_the_box), cmocka_unit_test(sleeps_when_idle),
        cmocka_unit_test(sends_again_and_again),  cmocka_unit_test(write_is_read_back),
        cmocka_unit_test(second_tester_is_told),  cmocka_unit_test(survives_link_flap),
    };
    const struct CMUnitTest native[] = {
        cmocka_unit_test(goes_on_native_ip),
        cmocka_unit_test(sends_again_and_again),
        cmocka_unit_test(write_is_read_back),
    };
    const struct CMUnitTest keeping[] = {cmocka_unit_test(keeps_what_comes_early)};
    const struct CMUnitTest last[] = {cmocka_unit_test(ends_without_interface)};
    int rc;

    if (argc != 3) {
        fprintf(stderr, "usage: test_uetfep_veth UETFEP UETCONFORM (under with-veth -1)\n");
        return 2;
    }
    program = argv[1];
    uetconform = argv[2];
    rc = cmocka_run_group_tests(tests, set_up, tear_down);
    rc |= cmocka_run_group_tests(native, set_up_native, tear_down);
    rc |= cmocka_run_group_tests(keeping, set_up_keeping, tear_down);
    return cmocka_run_group_tests(last, NULL, NULL) | rc;
}
