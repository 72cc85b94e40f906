/* SPDX-License-Identifier: BSD-2-Clause */
/* The Ethernet side of the commands that speak to a FEP, or UDP of the kernel in its place:
 * interface, address, frames, a capture. */
#ifndef UETCAT_LINK_H
#define UETCAT_LINK_H

#include <net/if.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "port/afpacket.h"
#include "port/pcapng.h"
#include "port/udp.h"
#include "tools/uetcat/entropy.h"
#include "wire/packet.h"

/* Set by SIGINT and SIGTERM; a signal handler can reach nothing else. */
extern volatile sig_atomic_t uetcat_interrupted;

struct uetcat_link {
    const char *command;      /* for messages */
    const char *ifname;       /* NULL: the interface whose network holds dst, or else src */
    const char *pcap;         /* where to write what was sent and received, or NULL */
    struct uet_ip src, dst;   /* of a command that is spoken to, dst is none */
    bool native;              /* native IP instead of UDP (3.5.10.1) */
    uint8_t ip_protocol;      /* of native IP; 0 stands for 253 */
    enum uet_protect protect; /* none or crc */
    uint8_t crc_order;        /* enum uet_crc_order of the trailer */
    uint64_t wait_ns;         /* for an answer */
    uint32_t job_id;          /* whom the requests are for */
    uint16_t pid_on_fep, resource_index;
    bool relative;
    bool have_source;
    bool udp; /* over UDP of the kernel: asked for, and since the opening whether it is so */
    bool nobody_listens;           /* ICMP of dst: no such port or protocol there */
    bool broken;                   /* an error was told: nothing more can be done */
    const char *keys;              /* a file: speak sealed by it (3.7), or NULL */
    struct uetcat_entropy entropy; /* values that the packets sent have in turn */
    struct uet_port *port;
    struct uet_pcapng *capture;
    uint64_t to_real_ns; /* from the port's clock to the time of day */
    char name[IF_NAMESIZE];
    char zone[IF_NAMESIZE];       /* of an IPv6 address, "" without one */
    uint8_t frame[UET_FRAME_MAX]; /* the next one to send */
};

/*
 * An address, of IPv6 also with the zone behind it (fe80::2%eth1), which is then the interface. The
 * option is for the message, which is printed before false.
 */
bool uetcat_link_ip(struct uetcat_link *l, const char *option, const char *text, struct uet_ip *ip);

/* The values of --encapsulation and --ip-protocol; false after a message. */
bool uetcat_link_encapsulation(struct uetcat_link *l, const char *text);
bool uetcat_link_ip_protocol(struct uetcat_link *l, const char *text);

/* The words after the options: the address of the FEP, which must fit that of -S. */
bool uetcat_link_address(struct uetcat_link *l, int n, char **words);

/* The same of a command that is spoken to: there is no address but -S. */
bool uetcat_link_own_address(struct uetcat_link *l, int n, char **words);

/*
 * Opens port and capture, and lets signals interrupt; false after a message. Without -S, or where
 * raw sockets will not do, the port is one over UDP of the kernel; this and what it cannot do is
 * told on standard error.
 */
bool uetcat_link_open(struct uetcat_link *l);
/*
 * Does anybody have the address? Waits for ARP or neighbour discovery as long as for an answer of
 * the FEP, and a second at least: a neighbour's kernel takes its time, however fast the FEP is.
 */
bool uetcat_link_resolve(struct uetcat_link *l);
/* Why there may be no answer, as far as this host knows; NULL: it does not. */
const char *uetcat_link_silence(struct uetcat_link *l);

/* Packets that the kernel dropped, because this program read too slowly. */
uint64_t uetcat_link_missed(struct uetcat_link *l);

void uetcat_link_close(struct uetcat_link *l);

uint64_t uetcat_link_now(const struct uetcat_link *l);
/* Sends the first len bytes of frame. */
void uetcat_link_send(struct uetcat_link *l, size_t len);
/* Receives until the deadline, once; take is called for each packet that came. */
void uetcat_link_receive(struct uetcat_link *l, uint64_t deadline_ns,
                         void (*take)(void *ctx, const struct uet_packet *p, uint64_t now_ns),
                         void *ctx);

uint64_t uetcat_random(void);

#endif
