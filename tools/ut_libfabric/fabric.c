/* SPDX-License-Identifier: BSD-2-Clause */
/* The provider, its endpoints and its memory. What is started and ends: transfer.c. */
#include "tools/ut_libfabric/fabric.h"

#include <errno.h>
#include <netinet/in.h>
#include <rdma/fi_errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ut_libfabric/address.h"
#include "tools/ut_libfabric/internal.h"

int fabric_says(struct fabric *f, const char *doing, long rc)
{
    if (rc < 0)
        snprintf(f->error, sizeof(f->error), "%s: %s", doing, fi_strerror((int)-rc));
    return (int)rc;
}

const char *fabric_error(const struct fabric *fabric)
{
    return fabric->error;
}

const struct fi_info *fabric_info(const struct fabric *fabric)
{
    return fabric->info;
}

/* ---- the provider ---- */

/* Most first: what a provider cannot do is asked for no more. */
static const uint64_t wishes[] = {
    FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC | FI_SOURCE | FI_RMA_EVENT,
    FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC | FI_SOURCE,
    FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC,
    FI_MSG | FI_TAGGED | FI_RMA,
    FI_MSG | FI_RMA,
    FI_MSG | FI_TAGGED,
    FI_RMA,
    FI_MSG,
};

/* Offsets begin at 0 (no FI_MR_VIRT_ADDR), as those of UET do (3.4.1.3.5). */
static struct fi_info *hints_of(const struct fabric_config *config, uint64_t caps)
{
    struct fi_info *hints = fi_allocinfo();

    if (!hints)
        return NULL;
    hints->caps = caps;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = config->datagrams ? FI_EP_DGRAM : FI_EP_RDM;
    hints->domain_attr->data_progress = config->progress;
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    if (!config->provider)
        return hints;
    hints->fabric_attr->prov_name = strdup(config->provider); /* fi_freeinfo frees it */
    if (config->format == FABRIC_SOCKADDR && config->address.version)
        hints->addr_format = config->address.version == 6 ? FI_SOCKADDR_IN6 : FI_SOCKADDR_IN;
    if (!hints->fabric_attr->prov_name) {
        fi_freeinfo(hints);
        return NULL;
    }
    return hints;
}

/* An fi_info whose endpoints have that port (0: any), and that order of messages. */
static int find_info(const struct fabric *f, uint64_t caps, uint64_t order, uint16_t port,
                     struct fi_info **info)
{
    char node[UET_IP_TEXT], service[8];
    struct fi_info *hints = hints_of(&f->config, caps);
    bool by_address = f->config.format == FABRIC_SOCKADDR && f->config.address.version;

    if (!hints)
        return -FI_ENOMEM;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = order;
    snprintf(service, sizeof(service), "%u", port);
    int rc = fi_getinfo(FABRIC_API, by_address ? uet_ip_text(&f->config.address, node) : NULL,
                        by_address ? service : NULL, by_address ? FI_SOURCE : 0, hints, info);
    fi_freeinfo(hints);
    return rc;
}

/* What ROD promises: sends after sends, writes after writes (3.5.7.2). */
static uint64_t order_of(const struct fabric *f)
{
    return (f->caps & FI_MSG ? FI_ORDER_SAS : 0) | (f->caps & FI_RMA ? FI_ORDER_RMA_WAW : 0);
}

/* The most that it can. */
static int find_most(struct fabric *f)
{
    int rc = -FI_ENODATA;

    for (size_t i = 0; rc && i < sizeof(wishes) / sizeof(*wishes); i++) {
        if (f->config.datagrams && wishes[i] != FI_MSG)
            continue; /* UUD carries sends alone (SES-038) */
        f->caps = wishes[i];
        rc = find_info(f, f->caps, FI_ORDER_NONE, 0, &f->info);
    }
    return rc;
}

static bool is_sockaddr(uint32_t format)
{
    return format == FI_SOCKADDR || format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6;
}

static int open_provider(struct fabric *f)
{
    struct fi_info *ordered = NULL;
    int rc = find_most(f);

    if (rc)
        return fabric_says(f, "fi_getinfo", rc);
    if (f->config.format == FABRIC_UET && is_sockaddr(f->info->addr_format)) {
        snprintf(f->error, sizeof(f->error), "it has IP addresses and ports: --format sockaddr");
        return -FI_ENODATA;
    }
    f->orders = !f->config.datagrams && find_info(f, f->caps, order_of(f), 0, &ordered) == 0;
    fi_freeinfo(ordered);
    return 0;
}

struct fi_info *fabric_ask(const struct fabric_config *config)
{
    struct fabric f = {.config = *config};

    return find_most(&f) ? NULL : f.info;
}

bool fabric_orders(const struct fabric *fabric)
{
    return fabric->orders;
}

static int open_domain(struct fabric *f)
{
    struct fi_av_attr av = {.type = FI_AV_UNSPEC};

    if (fabric_says(f, "fi_fabric", fi_fabric(f->info->fabric_attr, &f->fabric, NULL)) ||
        fabric_says(f, "fi_domain", fi_domain(f->fabric, f->info, &f->domain, NULL)) ||
        fabric_says(f, "fi_av_open", fi_av_open(f->domain, &av, &f->av, NULL)))
        return -1;
    return 0;
}

int fabric_open(struct fabric **out, const struct fabric_config *config, char *err, size_t errlen)
{
    struct fabric *f = calloc(1, sizeof(*f));

    if (!f) {
        snprintf(err, errlen, "no memory left");
        return -ENOMEM;
    }
    f->config = *config;
    if (open_provider(f) || open_domain(f)) {
        snprintf(err, errlen, "provider %s, %s endpoints at this address%s: %s", config->provider,
                 config->datagrams ? "dgram" : "rdm",
                 config->progress == FI_PROGRESS_AUTO     ? ", automatic progress"
                 : config->progress == FI_PROGRESS_MANUAL ? ", manual progress"
                                                          : "",
                 f->error);
        fabric_close(f);
        return -ENODEV;
    }
    fabric_open_counters(f);
    *out = f;
    return 0;
}

static void close_fid(struct fid *fid)
{
    if (fid)
        fi_close(fid);
}

void fabric_close(struct fabric *f)
{
    if (!f)
        return;
    fabric_reset(f);
    fabric_close_counters(f);
    close_fid(f->av ? &f->av->fid : NULL);
    close_fid(f->domain ? &f->domain->fid : NULL);
    close_fid(f->fabric ? &f->fabric->fid : NULL);
    fi_freeinfo(f->info);
    free(f);
}

/* ---- endpoints ---- */

static void close_endpoint(struct endpoint *e)
{
    close_fid(e->ep ? &e->ep->fid : NULL);
    close_fid(e->cq ? &e->cq->fid : NULL);
    free(e);
}

static int enable(struct fabric *f, struct endpoint *e)
{
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_TAGGED};

    if (fabric_says(f, "fi_cq_open", fi_cq_open(f->domain, &cq, &e->cq, NULL)) ||
        fabric_says(f, "fi_ep_bind", fi_ep_bind(e->ep, &f->av->fid, 0)) ||
        fabric_says(f, "fi_ep_bind", fi_ep_bind(e->ep, &e->cq->fid, FI_TRANSMIT | FI_RECV)))
        return -1;
    fabric_count_at(f, e);
    return fabric_says(f, "fi_enable", fi_enable(e->ep));
}

/* Where it listens: a port, or the resource index of its own address. */
static int set_source(struct fabric *f, struct fi_info *info, const struct endpoint *e)
{
    uint8_t own[FABRIC_UET_ADDRESS];

    if (f->config.format != FABRIC_UET)
        return 0;
    fabric_uet_address(own, &f->config.address, f->config.pid_on_fep, e->ri, f->config.initiator);
    free(info->src_addr);
    info->src_addr = malloc(sizeof(own));
    if (!info->src_addr)
        return -FI_ENOMEM;
    memcpy(info->src_addr, own, sizeof(own));
    info->src_addrlen = sizeof(own);
    return 0;
}

static uint16_t port_of(const struct fabric *f, enum fabric_class ri_class, uint16_t ri)
{
    return (uint16_t)(f->config.port + ri_class * FABRIC_INDICES + ri);
}

static int open_endpoint(struct fabric *f, struct endpoint *e)
{
    struct fi_info *info = NULL;
    uint16_t port = e->ri_class < FABRIC_CLASSES ? port_of(f, e->ri_class, e->ri) : 0;
    int rc = find_info(f, f->caps, e->ordered ? order_of(f) : FI_ORDER_NONE, port, &info);

    if (rc)
        return fabric_says(f, "fi_getinfo", rc);
    rc = set_source(f, info, e);
    /* Who is not asked for order gives none: RUD. */
    if (!rc && !e->ordered)
        info->tx_attr->msg_order = info->rx_attr->msg_order = FI_ORDER_NONE;
    if (!rc)
        rc = fi_endpoint(f->domain, info, &e->ep, NULL);
    fi_freeinfo(info);
    if (!rc)
        return enable(f, e);
    char doing[40];
    snprintf(doing, sizeof(doing),
             f->config.format == FABRIC_SOCKADDR ? "fi_endpoint at port %u" : "fi_endpoint", port);
    return fabric_says(f, doing, rc);
}

struct endpoint *fabric_endpoint(struct fabric *f, uint8_t ri_class, uint16_t ri, bool ordered)
{
    struct endpoint *e = f->endpoints;

    while (e && (e->ri_class != ri_class || e->ri != ri || e->ordered != ordered))
        e = e->next;
    if (e)
        return e;
    e = calloc(1, sizeof(*e));
    if (!e) {
        fabric_says(f, "endpoint", -FI_ENOMEM);
        return NULL;
    }
    *e = (struct endpoint){.ri_class = ri_class, .ri = ri, .ordered = ordered};
    if (open_endpoint(f, e)) {
        close_endpoint(e);
        return NULL;
    }
    e->next = f->endpoints;
    f->endpoints = e;
    return e;
}

int fabric_listen(struct fabric *f, enum fabric_class ri_class, uint16_t ri)
{
    return fabric_endpoint(f, (uint8_t)ri_class, ri, false) ? 0 : -1;
}

/* ---- peers ---- */

int fabric_peer(struct fabric *f, const struct fabric_operation *op, fi_addr_t *peer)
{
    struct sockaddr_storage at;
    uint8_t uet[FABRIC_UET_ADDRESS];
    void *address = &at;

    if (f->config.format == FABRIC_UET) {
        fabric_uet_address(uet, &op->to, op->pid_on_fep, op->ri, 0);
        address = uet;
    } else {
        fabric_sockaddr(&at, &op->to, port_of(f, op->ri_class, op->ri));
    }
    int n = fi_av_insert(f->av, address, 1, peer, 0, NULL);
    return n == 1 ? 0 : fabric_says(f, "fi_av_insert", n < 0 ? n : -FI_EADDRNOTAVAIL);
}

/* ---- memory ---- */

int fabric_register(struct fabric *f, uint16_t ri, void *base, size_t length, bool read, bool write,
                    uint64_t handle, uint64_t *key)
{
    struct endpoint *e = fabric_endpoint(f, FABRIC_RMA, ri, false);
    struct memory *m = e ? calloc(1, sizeof(*m)) : NULL;
    uint64_t access = (read ? FI_REMOTE_READ : 0) | (write ? FI_REMOTE_WRITE : 0);

    if (!m)
        return e ? fabric_says(f, "memory", -FI_ENOMEM) : -1;
    int rc = fabric_says(f, "fi_mr_reg",
                         fi_mr_reg(f->domain, base, length, access, 0, *key, 0, &m->mr, NULL));
    if (!rc && (f->info->domain_attr->mr_mode & FI_MR_ENDPOINT)) {
        rc = fabric_says(f, "fi_mr_bind", fi_mr_bind(m->mr, &e->ep->fid, 0));
        if (!rc)
            rc = fabric_says(f, "fi_mr_enable", fi_mr_enable(m->mr));
    }
    if (rc) {
        close_fid(m->mr ? &m->mr->fid : NULL);
        free(m);
        return -1;
    }
    *key = fi_mr_key(m->mr);
    m->ri = ri;
    m->handle = handle;
    m->next = f->memory;
    f->memory = m;
    return 0;
}

int fabric_unregister(struct fabric *f, uint64_t handle)
{
    struct memory **at = &f->memory;

    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    struct memory *m = *at;
    if (!m)
        return fabric_says(f, "this handle", -FI_ENOENT);
    int rc = fi_close(&m->mr->fid);
    if (rc)
        return fabric_says(f, "fi_close", rc);
    *at = m->next;
    free(m);
    return 0;
}

/* ---- all gone ---- */

void fabric_forget(struct begun *b)
{
    for (size_t i = 0; i < sizeof(b->local) / sizeof(*b->local); i++)
        if (b->local[i])
            fi_close(&b->local[i]->fid);
    free(b);
}

void fabric_reset(struct fabric *f)
{
    /* Endpoints first: what they still do uses memory, and contexts. */
    for (struct endpoint *e = f->endpoints, *next; e; e = next) {
        next = e->next;
        close_endpoint(e);
    }
    for (struct memory *m = f->memory, *next; m; m = next) {
        next = m->next;
        close_fid(&m->mr->fid);
        free(m);
    }
    for (struct begun *b = f->begun, *next; b; b = next) {
        next = b->next;
        fabric_forget(b);
    }
    f->endpoints = NULL;
    f->memory = NULL;
    f->begun = NULL;
}
