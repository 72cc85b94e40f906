/* SPDX-License-Identifier: BSD-2-Clause */
/* uetfep: the reference FEP as a process. docs/man/uetfep.1 */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "port/afpacket.h"
#include "port/udp.h"
#include "refimpl/host/run.h"
#include "tools/room.h"
#include "tools/uetfep/link.h"
#include "tools/uetfep/options.h"
#include "ut/descriptors.h"

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: waiting must end */

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/*
 * Lets them in only while the loop waits, so that none comes between its look at `stop` and its
 * sleep. *before is the mask until now.
 */
static void hold_signals(sigset_t *before)
{
    sigset_t ours;

    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours, before);
}

struct program {
    struct options options;
    struct uet_port *port;
    struct uet_host *host;
    struct uet_ut *ut;
    struct uet_ut_server *control;
};

static int fail(const char *text)
{
    fprintf(stderr, UETFEP_NAME ": %s\n", text);
    return 2;
}

/* A UDP port is a socket for each entropy value: few of them. */
enum { UDP_ENTROPIES = 16 };

static int open_udp(struct program *p)
{
    struct uet_fep_config *fep = &p->options.config.fep;
    const char *interface = p->options.interface;
    struct uet_udp_config config = {.address = fep->address,
                                    .port = fep->udp_port,
                                    .protect = fep->protect,
                                    .crc_order = fep->crc_order};
    char err[300];

    if (interface)
        config.scope = if_nametoindex(interface);
    if (interface && !config.scope)
        return fail("--port: there is no such interface (`ip link` lists them)");
    if (!interface)
        p->options.interface = "UDP";
    if (fep->params.EV_Slots == 0)
        fep->params.EV_Slots = UDP_ENTROPIES;
    return uet_udp_open(&p->port, &config, err, sizeof(err)) ? fail(err) : 0;
}

static int open_port(struct program *p)
{
    const struct uet_afpacket_config config = {.ifname = p->options.interface,
                                               .addresses = &p->options.config.fep.address,
                                               .n_addresses = 1};
    char err[300];

    if (p->options.udp)
        return open_udp(p);
    return uet_afpacket_open(&p->port, &config, err, sizeof(err)) ? fail(err) : 0;
}

/* A payload MTU that the interface carries. */
static int fit_payload_mtu(struct program *p)
{
    uint16_t *payload = &p->options.config.fep.payload_mtu;
    /* With an SSI, as the key file may have it by and by: it is read again when it changes. */
    const unsigned headers =
        UET_PACKET_HEADERS + (p->options.keys.path ? UET_SEALED_MORE(true) : 0);
    char err[200];

    while (!p->options.payload_mtu && *payload > 1024 && *payload + headers > p->port->mtu)
        *payload /= 2;
    if (*payload + headers <= p->port->mtu)
        return 0;
    snprintf(err, sizeof(err),
             "interface %s has an MTU of %u, too small for payloads of %u bytes: `ip link set %s "
             "mtu %u`",
             p->options.interface, p->port->mtu, *payload, p->options.interface,
             *payload + headers);
    return fail(err);
}

static int open_host(struct program *p)
{
    int rc = uet_host_new(&p->host, &p->options.config);

    if (rc == -EINVAL)
        return fail("the FEP does not accept this configuration: is --max-pdcs too large?");
    if (rc)
        return fail("not enough memory for a FEP of this size: lower --max-pdcs");
    uet_host_set_port(p->host, p->port);
    p->ut = uet_host_ut(p->host);
    return p->ut ? 0 : fail("not enough memory");
}

static int open_services(struct program *p)
{
    const struct resources *r = &p->options.resources;
    bool none = p->options.bare && r->n_services + r->n_memory + r->n_receives == 0;

    return !none && resources_open(r, p->ut) ? fail(p->ut->error) : 0;
}

static int open_control(struct program *p)
{
    char err[300];

    if (!p->options.control)
        return 0;
    return uet_ut_server_open(&p->control, p->options.control, err, sizeof(err)) ? fail(err) : 0;
}

static int run(struct program *p)
{
    sigset_t before;
    struct link link = link_of(p->options.interface);
    struct uet_host_run loop = {.port = p->port,
                                .control = p->control,
                                .stop = &stop,
                                .signals = &before,
                                .look = link_look,
                                .look_ctx = &link,
                                .look_fd = link.fd};
    char address[UET_IP_TEXT];
    int rc;

    loop.refused = keys_refused;
    loop.refused_ctx = &p->options.keys;
    if (p->options.keys.path && p->options.keys.watch >= 0) {
        loop.keys = keys_follow;
        loop.keys_ctx = &p->options.keys;
        loop.keys_fd = p->options.keys.watch;
    }
    if (p->options.udp) /* what becomes of a link is the kernel's business */
        loop.look = NULL;
    printf(UETFEP_NAME ": ready on %s as %s\n", p->options.interface,
           uet_ip_text(&p->options.config.fep.address, address));
    fflush(stdout);
    hold_signals(&before);
    rc = uet_host_run(p->host, &loop);
    sigprocmask(SIG_SETMASK, &before, NULL);
    link_close(&link);
    if (rc && rc != -ENODEV) /* of which link_look has told */
        fprintf(stderr, UETFEP_NAME ": interface %s: %s\n", p->options.interface, strerror(-rc));
    return rc ? 1 : 0;
}

static void print_stat(const char *name, uint64_t value)
{
    printf("%-32s %" PRIu64 "\n", name, value);
}

static void print_port_stats(struct program *p)
{
    struct uet_afpacket_stats port;
    struct uet_udp_stats udp;

    if (p->options.udp) {
        uet_udp_stats(p->port, &udp);
        print_stat("port received", udp.received);
        print_stat("port sent", udp.sent);
        print_stat("port missed", udp.missed);
        print_stat("port refused", udp.refused);
        print_stat("port unreachable", udp.unreachable);
        return;
    }
    uet_afpacket_stats(p->port, &port);
    print_stat("port received", port.received);
    print_stat("port sent", port.sent);
    print_stat("port missed", port.missed);
    print_stat("port unresolved", port.unresolved);
}

static void print_stats(struct program *p)
{
    struct uet_fep *fep = uet_host_fep(p->host);

    for (size_t i = 0; i < uet_fep_n_counters(); i++)
        if (uet_fep_counter(fep, i))
            print_stat(uet_fep_counter_name(i), uet_fep_counter(fep, i));
    print_port_stats(p);
    print_stat("port lost", uet_host_lost(p->host));
    print_stat("bytes a PDC", uet_fep_pdc_size());
}

static int open_and_run(struct program *p)
{
    int rc = open_port(p);

    if (rc == 0)
        rc = fit_payload_mtu(p);
    if (rc == 0)
        rc = open_host(p);
    if (rc == 0)
        rc = keys_install(&p->options.keys, p->host);
    if (rc == 0)
        rc = open_services(p);
    if (rc == 0)
        rc = open_control(p);
    if (rc == 0) {
        rc = run(p);
        if (p->options.stats)
            print_stats(p);
    }
    return rc;
}

/* The status, unless what was printed did not arrive: a full disk is told. */
static int written(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror(UETFEP_NAME ": standard output");
    return 2;
}

int main(int argc, char **argv)
{
    if (!uet_hold_descriptors())
        return 2;

    struct program p = {0};
    int rc = options_read(&p.options, argc, argv);

    if (rc >= 0)
        return written(rc);
    catch_signals();
    rc = open_and_run(&p);
    keys_close(&p.options.keys);
    uet_ut_server_close(p.control);
    uet_ut_close(p.ut);
    uet_host_free(p.host);
    uet_port_close(p.port);
    return written(rc);
}
