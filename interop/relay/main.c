/* SPDX-License-Identifier: BSD-2-Clause */
/* uetrelay: a network between two interfaces, as bad as its plan says. docs/man/uetrelay.1 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interop/relay/forward.h"
#include "interop/relay/options.h"
#include "interop/relay/report.h"
#include "ut/descriptors.h"

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

/* Blocked but while the loop waits, so that none comes between its look and its sleep. */
static void hold_signals(sigset_t *before)
{
    const struct sigaction action = {.sa_handler = stop};
    sigset_t ours;

    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours, before);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int bad_file(const char *path, int error)
{
    fprintf(stderr, "uetrelay: %s: cannot write: %s\n", path, strerror(error));
    return 2;
}

static int make_ready(const struct relay_options *options)
{
    FILE *file;
    bool written;

    printf("uetrelay: ready between %s and %s\n", options->ifnames[RELAY_LEFT],
           options->ifnames[RELAY_RIGHT]);
    fflush(stdout);
    if (!options->ready)
        return 0;
    file = fopen(options->ready, "w");
    if (!file)
        return bad_file(options->ready, errno);
    written = fputs("ready\n", file) >= 0;
    return fclose(file) == 0 && written ? 0 : bad_file(options->ready, errno);
}

/* An output that cannot be written is told before anything is forwarded. */
static int try_counters(const struct relay_options *options)
{
    FILE *file;

    if (!options->counters)
        return 0;
    file = fopen(options->counters, "w");
    return file && fclose(file) == 0 ? 0 : bad_file(options->counters, errno);
}

static int open_ends(const struct relay_options *options, struct relay_end *ends)
{
    char err[400];

    for (int side = 0; side < RELAY_SIDES; side++)
        if (relay_end_open(&ends[side], options->ifnames[side], options->captures[side], err,
                           sizeof err)) {
            fprintf(stderr, "uetrelay: %s\n", err);
            return 2;
        }
    return 0;
}

static int run(const struct relay_options *options, struct relay *relay, struct relay_end *ends)
{
    enum relay_side broken = RELAY_LEFT;
    sigset_t before;
    int rc;

    hold_signals(&before);
    rc = make_ready(options);
    if (rc)
        return rc;
    rc = relay_forward(relay, ends, &stopped, &before, &broken);
    if (rc == 0)
        return 0;
    fprintf(stderr, "uetrelay: interface %s: %s\n", options->ifnames[broken],
            rc == -ENODEV ? "it is gone, or down" : strerror(-rc));
    return 1;
}

/* Tells what was done. The status, or 1 when something was lost or could not be written. */
static int finish(const struct relay_options *options, struct relay *relay, struct relay_end *ends,
                  uint64_t start_ns, int status)
{
    double seconds = (double)(uet_port_now(ends[RELAY_LEFT].port) - start_ns) / 1e9;
    struct relay_drops drops[RELAY_SIDES];
    int rc;

    for (int side = 0; side < RELAY_SIDES; side++) {
        drops[side] = relay_end_drops(&ends[side]);
        relay->counters[relay_other((enum relay_side)side)].left += ends[side].n_out;
    }
    relay_end(relay);
    relay_report_print(relay, drops);
    if (relay_own_losses(relay, drops))
        status = 1;
    rc = options->counters ? relay_report_write(relay, drops, seconds, options->counters) : 0;
    if (rc) {
        (void)bad_file(options->counters, -rc);
        status = 1;
    }
    return status;
}

/* Closes both, whatever is open. The status, or 1 when a capture is not whole. */
static int close_ends(const struct relay_options *options, struct relay_end *ends, int status)
{
    for (int side = 0; side < RELAY_SIDES; side++) {
        int rc = relay_end_close(&ends[side]);

        if (rc) {
            (void)bad_file(options->captures[side], -rc);
            status = 1;
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    static struct relay_options options;
    static struct relay_end ends[RELAY_SIDES];
    static struct relay relay;

    if (!uet_hold_descriptors())
        return 2;

    int status = relay_options_read(&options, argc, argv);
    if (status < 0) {
        relay.plan = options.plan;
        relay.seed = options.seed;
        relay.how.udp_port = (uint16_t)options.udp_port;
        relay.how.ip_protocol = (uint8_t)options.ip_protocol;
        status = try_counters(&options);
        if (status == 0)
            status = open_ends(&options, ends);
        if (status == 0) {
            uint64_t start_ns = uet_port_now(ends[RELAY_LEFT].port);
            status = run(&options, &relay, ends);
            status = finish(&options, &relay, ends, start_ns, status);
        }
        status = close_ends(&options, ends, status);
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("uetrelay: standard output");
    return 2;
}
