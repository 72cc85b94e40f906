/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop in real time: a FEP in a thread of its own, between a port made of a socket pair and
 * the control socket.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "refimpl/host/run.h"
#include "ut/verbs.h"
#include "wire/build.h"

#define SECOND_NS 1000000000u

/* ---- a port made of a socket pair ---- */

struct pipe_port {
    struct uet_port port; /* first */
    int fd;
    unsigned receives; /* how often frames were asked for: once a wake-up at least */
    unsigned away_us;  /* so long the host is not scheduled before it sleeps */
    uint8_t frame[UET_FRAME_MAX];
};

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return (uint64_t)ts.tv_sec * SECOND_NS + (uint64_t)ts.tv_nsec;
}

static uint64_t pipe_now(struct uet_port *port)
{
    (void)port;
    return clock_ns(CLOCK_MONOTONIC);
}

static int pipe_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (send(((struct pipe_port *)port)->fd, frames[i].data, frames[i].len, MSG_NOSIGNAL) < 0)
            return -errno;
    return (int)n;
}

static int pipe_receive(struct uet_port *port, struct uet_frame *frames, size_t max,
                        uint64_t deadline_ns)
{
    struct pipe_port *p = (struct pipe_port *)port;
    struct pollfd poll_fd = {.fd = p->fd, .events = POLLIN};
    uint64_t now_ns = pipe_now(port), wait_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
    struct timespec timeout = {.tv_sec = (time_t)(wait_ns / SECOND_NS),
                               .tv_nsec = (long)(wait_ns % SECOND_NS)};
    ssize_t n;

    (void)max;
    p->receives++;
    if (ppoll(&poll_fd, 1, &timeout, NULL) <= 0)
        return 0;
    n = recv(p->fd, p->frame, sizeof(p->frame), 0);
    if (n <= 0)
        return -ENODEV;
    *frames = (struct uet_frame){.data = p->frame, .len = (uint32_t)n, .time_ns = pipe_now(port)};
    return 1;
}

static int pipe_wait(struct uet_port *port, struct uet_port_wait *wait)
{
    *wait = (struct uet_port_wait){.fd = ((struct pipe_port *)port)->fd, .deadline_ns = UINT64_MAX};
    usleep(((struct pipe_port *)port)->away_us);
    return 0;
}

static const struct uet_port_ops pipe_ops = {
    .send = pipe_send, .receive = pipe_receive, .wait = pipe_wait, .now = pipe_now};

/* ---- the FEP's thread ---- */

static struct pipe_port near_end, far_end;
static volatile sig_atomic_t stop;
static sigset_t let_in; /* while the FEP waits */
static struct uet_host *host;
static struct uet_ut_server *server;
static struct uet_ut *ut;
static pthread_t thread;
static volatile int result;
static char path[64];

static void *run(void *arg)
{
    const struct uet_host_run loop = {
        .port = &far_end.port, .control = server, .stop = &stop, .signals = &let_in};

    (void)arg;
    result = uet_host_run(host, &loop);
    return NULL;
}

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

/* As a program does that runs a FEP: the signal comes while it waits, and at no other time. */
static void hold_signal(void)
{
    const struct sigaction action = {.sa_handler = on_signal};
    sigset_t ours;

    sigemptyset(&ours);
    sigaddset(&ours, SIGUSR1);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &ours, &let_in), 0);
    sigdelset(&let_in, SIGUSR1);
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
}

static int set_up(void **state)
{
    struct uet_host_config config;
    char err[256] = "";
    int fds[2];

    (void)state;
    stop = 0;
    result = 1;
    hold_signal();
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
    near_end = (struct pipe_port){.port = {.ops = &pipe_ops, .mtu = 9000}, .fd = fds[0]};
    far_end = (struct pipe_port){.port = {.ops = &pipe_ops, .mtu = 9000}, .fd = fds[1]};
    uet_host_config_default(&config);
    assert_int_equal(uet_ip_parse(&config.fep.address, "192.0.2.2"), 0);
    assert_int_equal(uet_host_new(&host, &config), 0);
    uet_host_set_port(host, &far_end.port);
    snprintf(path, sizeof(path), "/tmp/uet-host-run-%d", (int)getpid());
    if (uet_ut_server_open(&server, path, err, sizeof(err)))
        fail_msg("%s", err);
    assert_int_equal(pthread_create(&thread, NULL, run, NULL), 0);
    assert_int_equal(uet_ut_connect(&ut, path, 5000, err, sizeof(err)), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pthread_kill(thread, SIGUSR1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    uet_ut_close(ut);
    uet_ut_server_close(server);
    uet_host_free(host);
    close(near_end.fd);
    close(far_end.fd);
    return 0;
}

static void verbs_move_packets(void **state)
{
    struct uet_ut_operation op = {.job_id = 1, .resource_index = 1};
    struct uet_ut_about about;
    struct uet_frame frame;
    struct uet_packet packet;
    uint64_t handle = 0;

    (void)state;
    assert_int_equal(uet_ip_parse(&op.to, "192.0.2.1"), 0);
    assert_int_equal(uet_ut_hello(ut, &about), 0);
    assert_int_equal(uet_ut_no_op(ut, &op, &handle), 0);
    assert_int_equal(uet_port_receive(&near_end.port, &frame, 1,
                                      clock_ns(CLOCK_MONOTONIC) + 5 * (uint64_t)SECOND_NS),
                     1);
    assert_int_equal(uet_parse(&packet, frame.data, frame.len, NULL), UET_PARSE_OK);
    assert_int_equal(packet.pds, UET_H_RUD_ROD_REQ_SYN);
    assert_true(uet_is_ses_request(&packet));
}

/* Frames and timers are served while nobody says a word. */
static void timers_run_by_themselves(void **state)
{
    struct uet_ut_operation op = {.job_id = 1, .resource_index = 1};
    uint64_t limit_ns = clock_ns(CLOCK_MONOTONIC) + 5 * (uint64_t)SECOND_NS;
    struct uet_ut_completion c = {0};
    struct uet_frame frame;
    int n = 0;

    (void)state;
    assert_int_equal(uet_ip_parse(&op.to, "192.0.2.1"), 0);
    assert_int_equal(uet_ut_set(ut, "RTO_Init_Time", 1000000), 0);
    assert_int_equal(uet_ut_set(ut, "Max_RTO_Retx_Cnt", 2), 0);
    assert_int_equal(uet_ut_no_op(ut, &op, NULL), 0);
    while (n == 0 && clock_ns(CLOCK_MONOTONIC) < limit_ns) {
        usleep(2000);
        n = uet_ut_wait(ut, &c, 1);
    }
    assert_int_equal(n, 1);
    assert_int_equal(c.status, UET_UT_PDS_ERROR);
    for (int i = 0; i < 3; i++) /* the packet and its two resends */
        assert_int_equal(uet_port_receive(&near_end.port, &frame, 1, 0), 1);
}

/* To a PDC that nobody has: a NACK comes. */
static void send_frame(void)
{
    static const uint8_t probe_psn = 1;
    struct uet_route route = {0};
    struct uet_build b;
    uint8_t bytes[200], *h;
    struct uet_frame frame = {.data = bytes};

    assert_int_equal(uet_ip_parse(&route.src, "192.0.2.1"), 0);
    assert_int_equal(uet_ip_parse(&route.dst, "192.0.2.2"), 0);
    uet_build_start(&b, bytes, sizeof(bytes), &route);
    h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_NONE);
    uet_rud_rod_req_psn_set(h, probe_psn);
    uet_rud_rod_req_spdcid_set(h, 5);
    uet_rud_rod_req_dpdcid_set(h, 6);
    frame.len = (uint32_t)uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_int_equal(uet_port_send(&near_end.port, &frame, 1), 1);
}

/* What is sent to port and control socket comes, though nothing wakes the FEP in between. */
static void serves_a_verb_and_a_frame(void)
{
    struct uet_frame frame;
    uint64_t value;

    assert_int_equal(uet_ut_counter(ut, "pdcs_initiator", &value), 0);
    send_frame();
    assert_int_equal(uet_port_receive(&near_end.port, &frame, 1,
                                      clock_ns(CLOCK_MONOTONIC) + 5 * (uint64_t)SECOND_NS),
                     1);
}

/* A verb that comes behind a frame is done behind it, also by a host that finds both at once. */
static void frames_before_verbs(void **state)
{
    enum { AWAY_US = 50000 };
    uint64_t before, after;

    (void)state;
    far_end.away_us = AWAY_US;
    assert_int_equal(uet_ut_counter(ut, "frames_in", &before), 0);
    usleep(AWAY_US / 5); /* it has looked for frames, and is away now */
    send_frame();
    assert_int_equal(uet_ut_counter(ut, "frames_in", &after), 0);
    assert_int_equal(after, before + 1);
}

/*
 * A FEP that nobody speaks to sleeps; it used to look at its control socket 2,000 times a second.
 * Verbs and frames come in between, so that they wait for no tick.
 */
static void idle_sleeps(void **state)
{
    enum { SLEEPS = 4, A_SLEEP_NS = 250000000, WAKES_A_SLEEP = 4 };
    const struct timespec pause = {.tv_nsec = A_SLEEP_NS};

    (void)state;
    for (int i = 0; i < SLEEPS; i++) {
        unsigned receives;

        serves_a_verb_and_a_frame();
        usleep(20000); /* until it has gone to sleep */
        receives = far_end.receives;
        nanosleep(&pause, NULL);
        if (far_end.receives - receives > WAKES_A_SLEEP)
            fail_msg("an idle FEP woke %u times in 250 ms", far_end.receives - receives);
    }
}

/* A signal that comes just before the FEP goes to sleep ends it, too: a lost one hangs the test. */
static void signal_before_sleep(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        pthread_kill(thread, SIGUSR1);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(result, 0);
        stop = 0;
        assert_int_equal(pthread_create(&thread, NULL, run, NULL), 0);
        for (volatile unsigned spin = 0; spin < i * 50; spin++)
            ;
    }
}

static void broken_port_ends_the_loop(void **state)
{
    (void)state;
    shutdown(near_end.fd, SHUT_RDWR);
    for (int i = 0; i < 500 && result == 1; i++)
        usleep(10000);
    assert_int_equal(result, -ENODEV);
}

/* ---- a host that is not scheduled for a minute ---- */

struct sleeper_port {
    struct uet_port port; /* first */
    uint64_t now_ns;
    unsigned sent, waits;
    struct uet_packet request;
    uint8_t frame[UET_FRAME_MAX];
    uint32_t len; /* of the frame that waits */
    volatile sig_atomic_t stop;
};

static uint64_t sleeper_now(struct uet_port *port)
{
    return ((struct sleeper_port *)port)->now_ns;
}

/* The peer's answer to the request in `frame`, in its place. */
static void answer(struct sleeper_port *p)
{
    struct uet_route route = {0};
    struct uet_build b;
    uint8_t *h;
    int n;

    assert_int_equal(uet_parse(&p->request, p->frame, p->len, NULL), UET_PARSE_OK);
    const uint32_t psn = uet_packet_psn(&p->request);
    const uint16_t pdcid = uet_spdcid(&p->request);
    route.src = uet_dst_ip(&p->request);
    route.dst = uet_src_ip(&p->request);
    uet_build_start(&b, p->frame, sizeof(p->frame), &route);
    h = uet_build_pds(&b, UET_H_ACK);
    uet_ack_type_set(h, UET_PDS_ACK);
    uet_ack_next_hdr_set(h, UET_NH_NONE);
    uet_ack_cack_psn_set(h, psn);
    uet_ack_spdcid_set(h, 77);
    uet_ack_dpdcid_set(h, pdcid);
    n = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_true(n > 0);
    p->len = (uint32_t)n;
}

static int sleeper_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    struct sleeper_port *p = (struct sleeper_port *)port;

    memcpy(p->frame, frames[0].data, frames[0].len);
    p->len = frames[0].len;
    p->sent += (unsigned)n;
    return (int)n;
}

/* The first wait lasts a minute; the answer has come meanwhile, but is not told. */
static int sleeper_wait(struct uet_port *port, struct uet_port_wait *wait)
{
    struct sleeper_port *p = (struct sleeper_port *)port;

    p->stop = p->waits++ > 0;
    p->now_ns += 60 * (uint64_t)SECOND_NS;
    *wait = (struct uet_port_wait){.fd = -1, .deadline_ns = 0};
    return 0;
}

static int sleeper_receive(struct uet_port *port, struct uet_frame *frames, size_t max,
                           uint64_t deadline_ns)
{
    struct sleeper_port *p = (struct sleeper_port *)port;

    (void)max;
    assert_true(deadline_ns <= p->now_ns);
    if (p->waits == 0 || p->len == 0)
        return 0;
    answer(p);
    frames[0] = (struct uet_frame){.data = p->frame, .len = p->len};
    p->len = 0;
    return 1;
}

static void frames_before_timers(void **state)
{
    static const struct uet_port_ops ops = {
        .send = sleeper_send, .receive = sleeper_receive, .wait = sleeper_wait, .now = sleeper_now};
    static struct sleeper_port port = {.port = {.ops = &ops, .mtu = 9000}, .now_ns = SECOND_NS};
    const struct uet_host_run loop = {.port = &port.port, .stop = &port.stop};
    struct uet_ut_operation op = {.job_id = 1, .resource_index = 1};
    struct uet_host_config config;
    struct uet_ut_completion c;
    struct uet_host *sleeper;
    struct uet_ut *verbs;

    (void)state;
    uet_host_config_default(&config);
    assert_int_equal(uet_ip_parse(&config.fep.address, "192.0.2.2"), 0);
    assert_int_equal(uet_ip_parse(&op.to, "192.0.2.1"), 0);
    config.fep.params.Max_RTO_Retx_Cnt = 0;
    assert_int_equal(uet_host_new(&sleeper, &config), 0);
    uet_host_set_port(sleeper, &port.port);
    verbs = uet_host_ut(sleeper);
    assert_int_equal(uet_ut_no_op(verbs, &op, NULL), 0);
    assert_int_equal(uet_host_run(sleeper, &loop), 0);
    assert_int_equal(port.sent, 1);
    assert_int_equal(uet_ut_wait(verbs, &c, 1), 1);
    assert_int_equal(c.status, UET_UT_OK); /* not given up for the RTO that passed meanwhile */
    uet_ut_close(verbs);
    uet_host_free(sleeper);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(verbs_move_packets),
        TEST(timers_run_by_themselves),
        TEST(frames_before_verbs),
        TEST(idle_sleeps),
        TEST(signal_before_sleep),
        TEST(broken_port_ends_the_loop),
        cmocka_unit_test(frames_before_timers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
