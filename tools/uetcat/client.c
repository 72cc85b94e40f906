/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/client.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/room.h"
#include "wire/build.h"

enum { UDP_ENTROPIES = 16 };

struct uet_fep_config uetcat_client_config(const struct uetcat_link *l, uint32_t packets)
{
    struct uet_fep_config config;
    uet_fep_config_default(&config);
    config.address = l->src;
    config.seed = uetcat_random();
    config.protect = (uint8_t)l->protect;
    config.crc_order = l->crc_order;
    config.over_udp = !l->native;
    config.ip_protocol = l->ip_protocol;
    config.payload_mtu = 0;
    config.max_pdcs = 4;
    config.max_operations = 4;
    config.max_packets = 2 * packets; /* one PDC takes half */
    config.params.RTO_Init_Time = l->wait_ns;
    config.params.SES_Retry_Cnt = 0; /* what the FEP says is told, not tried again */
    config.params.Idle_Time = 0;
    config.params.ACK_CC = false;
    return config;
}

/* A Payload MTU that the port carries; false after a message: the one given is too large. */
static bool fit(const struct uetcat_client *c, uint16_t *payload)
{
    const struct uetcat_link *l = c->link;
    const uint32_t more = l->keys ? UET_SEALED_MORE(uetcat_domain_has_ssi(&c->domain)) : 0,
                   room = l->port->mtu, headers = UET_PACKET_HEADERS + more;
    bool chosen = *payload == 0;
    for (*payload = chosen ? 4096 : *payload;
         chosen && *payload > 1024 && *payload + headers > room;)
        *payload /= 2;
    if (*payload + headers <= room)
        return true;
    fprintf(stderr,
            "uetcat %s: %s carries IP packets of %u bytes, too small for a Payload MTU of %u\n",
            l->command, l->ifname, room, *payload);
    return false;
}

/* What is known of our end since the link was opened. */
static bool fit_link(const struct uetcat_client *c, struct uet_fep_config *config)
{
    const struct uetcat_link *l = c->link;
    config->address = l->src;
    if (l->udp && !config->params.EV_Slots) /* of the many sockets that would take */
        config->params.EV_Slots = UDP_ENTROPIES;
    return fit(c, &config->payload_mtu);
}

/* The client's memory and the FEP in it; false after a message. */
static bool make(struct uetcat_client *c, const struct uet_fep_config *config)
{
    struct uetcat_link *l = c->link;
    size_t size = uet_fep_size(config);
    c->memory = malloc(size);
    if (c->memory)
        c->fep = uet_fep_init(c->memory, size, config, c->heard_ns);
    if (!c->fep)
        fprintf(stderr, "uetcat %s: out of memory\n", l->command);
    return c->fep && (!l->keys || uetcat_domain_install(&c->domain, l->command, c->fep));
}

/* False after a message. Who is spoken to serves many jobs, and asks for nothing in clear. */
static bool open_domain(struct uetcat_client *c)
{
    const struct uetcat_link *l = c->link;
    if (!uetcat_domain_open(&c->domain, l->command, l->keys))
        return false;
    if (!l->dst.version || uetcat_domain_serves(&c->domain, l->job_id))
        return true;
    fprintf(stderr, "uetcat %s: %s: no domain serves JobID %u: give another --job\n", l->command,
            l->keys, l->job_id);
    uetcat_domain_close(&c->domain);
    return false;
}

bool uetcat_client_open(struct uetcat_client *c, struct uetcat_link *l,
                        const struct uet_fep_config *wanted)
{
    struct uet_fep_config fitting = *wanted, *config = &fitting;
    *c = (struct uetcat_client){.link = l, .heard_ns = uetcat_link_now(l)};
    if (l->keys && !open_domain(c))
        return false;
    config->max_domains = l->keys ? (uint16_t)c->domain.file->n_domains : 0;
    if (fit_link(c, config) && make(c, config))
        return true;
    uetcat_client_close(c);
    return false;
}

void uetcat_client_close(struct uetcat_client *c)
{
    if (c->fep)
        uet_fep_erase(c->fep);
    uetcat_domain_close(&c->domain);
    free(c->memory);
    c->memory = NULL;
    c->fep = NULL;
}

/* Opens a sealed packet for who watches; one that does not open stays as it is. */
static void open_sealed(struct uetcat_client *c, struct uet_packet *p,
                        const struct uet_parse_options *options)
{
    if (p->error == UET_PARSE_SEALED && c->domain.ring)
        uet_keyring_open(c->domain.ring, p, p->len, options, c->clear);
}

/* The entropy value is the sender's to choose, for each packet (3.5.10.1). */
static void set_entropy(struct uetcat_link *l, struct uet_packet *p, uint16_t entropy)
{
    p->entropy = entropy;
    if (p->udp_offset)
        uet_udp_src_port_set(l->frame + p->udp_offset, entropy);
    else
        uet_entropy_value_set(l->frame + p->entropy_offset, entropy);
    uet_refresh_as(l->frame, p->len, l->protect, l->crc_order);
}

/*
 * The packet that is about to be sent: its entropy value, and who looks at it. Returns where that
 * value stands in the UDP header, 0: it was not chosen here.
 */
static uint16_t show_sent(struct uetcat_client *c, size_t len, uint16_t *entropy)
{
    struct uetcat_link *l = c->link;
    const struct uet_parse_options options = {
        .protect = (uint8_t)l->protect, .crc_order = l->crc_order, .ip_protocol = l->ip_protocol};
    struct uet_packet p;
    bool turns = !c->pick && l->entropy.n;
    if (!c->watch && !c->pick && !turns)
        return 0;
    uet_parse(&p, l->frame, len, &options);
    open_sealed(c, &p, &options);
    if (p.error != UET_PARSE_OK)
        return 0;
    if (turns)
        *entropy = uetcat_entropy_take(&l->entropy);
    bool chosen = turns || (c->pick && c->pick(c->watch_ctx, &p, entropy));
    if (chosen)
        set_entropy(l, &p, *entropy);
    if (c->watch)
        c->watch(c->watch_ctx, &p, true, uetcat_link_now(l));
    return chosen ? p.udp_offset : 0;
}

static void flush(struct uetcat_client *c)
{
    struct uetcat_link *l = c->link;
    size_t len;
    while (!l->broken &&
           (len = uet_fep_transmit(c->fep, l->frame, sizeof l->frame, uetcat_link_now(l))) > 0) {
        uint16_t entropy, at = show_sent(c, len, &entropy);
        uetcat_link_send(l, len);
        c->not_had += at && uet_udp_src_port(l->frame + at) != entropy;
    }
}

/* Packets of the FEP that it speaks to, or of all, as far as they are sound. */
static void listen_to(struct uetcat_client *c, const struct uet_packet *p, uint64_t now_ns,
                      uint64_t time_ns)
{
    if (p->error != UET_PARSE_OK || !p->pds || !p->ip_end)
        return;
    struct uet_ip src = uet_src_ip(p), dst = uet_dst_ip(p);
    const bool of_it = c->link->dst.version == 0 || uet_ip_equal(&src, &c->link->dst);
    if (!of_it || !uet_ip_equal(&dst, &c->link->src))
        return;
    uetcat_domain_heard(&c->domain, c->link->command, p);
    c->heard = true;
    c->heard_ns = now_ns;
    if (uet_is_nack(p)) {
        c->nacked = true;
        c->nack_code = uet_nack_nack_code(uet_pds(p));
    }
    if (c->watch)
        c->watch(c->watch_ctx, p, false, time_ns);
}

static void take(void *ctx, const struct uet_packet *p, uint64_t time_ns)
{
    struct uetcat_client *c = ctx;
    uint64_t now_ns = uetcat_link_now(c->link);
    const struct uet_parse_options options = {.ip_protocol = c->link->ip_protocol};
    struct uet_packet seen = *p;
    open_sealed(c, &seen, &options);
    listen_to(c, &seen, now_ns, time_ns);
    uet_fep_receive(c->fep, p->frame, p->len, now_ns); /* time_ns may lie before the last timer */
    flush(c);
}

void uetcat_client_step(struct uetcat_client *c, uint64_t deadline_ns)
{
    uint64_t due_ns;
    uet_fep_advance(c->fep, uetcat_link_now(c->link));
    flush(c);
    due_ns = uet_fep_deadline(c->fep);
    if (!c->link->broken)
        uetcat_link_receive(c->link, due_ns < deadline_ns ? due_ns : deadline_ns, take, c);
}

void uetcat_client_hang_up(struct uetcat_client *c, uint64_t deadline_ns)
{
    sig_atomic_t before = uetcat_interrupted;
    uetcat_interrupted = 0; /* a second Ctrl-C ends the closing, too */
    uet_fep_close(c->fep, NULL, uetcat_link_now(c->link));
    while (c->heard && !c->link->broken && !uetcat_interrupted && uet_fep_pdcs(c->fep, true) &&
           uetcat_link_now(c->link) < deadline_ns)
        uetcat_client_step(c, deadline_ns);
    uetcat_interrupted |= before;
}
