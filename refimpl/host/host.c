/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a host, and the way of frames and time between its FEP and a port. */
#include "refimpl/host/host.h"

#include <errno.h>
#include <stdlib.h>

#include "refimpl/host/internal.h"
#include "refimpl/violate.h"

#define MEMORY_MAX  ((uint64_t)256 << 20)
#define MAX_DOMAINS 8 /* secure domains */

void uet_host_config_default(struct uet_host_config *config)
{
    *config = (struct uet_host_config){.memory_max = MEMORY_MAX};
    uet_fep_config_default(&config->fep);
    config->fep.max_domains = MAX_DOMAINS;
}

int uet_host_violate(struct uet_host *host, const char *id)
{
    int rc = uet_fep_violate(host->fep, id);

    if (!id) { /* nothing to mend where nothing can be bent */
        json_decref(host->bent);
        host->bent = NULL;
        return 0;
    }
    if (rc)
        return rc;
    const char *name = uet_fep_violation_name((size_t)uet_fep_violation_find(id));

    if (!host->bent)
        host->bent = json_object();
    return json_object_set_new(host->bent, name, json_true()) ? -ENOMEM : 0;
}

/* The rule that the configuration names is broken, no other. 0 or -ENOENT, -ENOMEM. */
static int violate_as_configured(struct uet_host *host)
{
    const char *id = host->config.violate;

    (void)uet_host_violate(host, NULL);
    return id ? uet_host_violate(host, id) : 0;
}

/* The FEP was made anew: what was broken is broken again. */
static void violate_again(struct uet_host *host)
{
    const char *name;
    json_t *value;

    json_object_foreach(host->bent, name, value)(void)
        uet_fep_violate(host->fep, name); /* it was built in before */
}

int uet_host_new(struct uet_host **out, const struct uet_host_config *config)
{
    size_t size = uet_fep_size(&config->fep);
    struct uet_host *host;
    int rc;

    if (size == 0)
        return -EINVAL;
    host = calloc(1, sizeof(*host));
    if (!host)
        return -ENOMEM;
    host->config = *config;
    if (host->config.memory_max == 0)
        host->config.memory_max = MEMORY_MAX;
    host->next_handle = 1;
    host->fep_memory = malloc(size);
    host->frame = malloc(UET_FRAME_MAX);
    if (host->fep_memory && host->frame)
        host->fep = uet_fep_init(host->fep_memory, size, &config->fep, 0);
    if (host->fep)
        host->keys = host_keys_new(host->fep);
    rc = host->keys ? violate_as_configured(host) : -ENOMEM;
    if (rc) {
        uet_host_free(host);
        return rc;
    }
    *out = host;
    return 0;
}

void uet_host_free(struct uet_host *host)
{
    if (!host)
        return;
    host_keys_free(host->keys);
    uet_host_things_clear(host);
    free(host->things);
    free(host->told);
    free(host->frame);
    json_decref(host->violations);
    json_decref(host->bent);
    if (host->fep)
        uet_fep_erase(host->fep);
    uet_host_used_free(host);
    free(host->fep_memory);
    free(host);
}

void uet_host_reset(struct uet_host *host)
{
    /* First the FEP, which points into the memory that goes after it. */
    uet_fep_reset(host->fep, uet_host_now(host));
    host_keys_enable(host->keys);
    *uet_fep_params(host->fep) = host->config.fep.params;
    (void)violate_as_configured(host); /* it was built in when the host was made */
    uet_host_things_clear(host);
    uet_host_completions_clear(host);
}

/* ---- keys ---- */

int uet_host_install(struct uet_host *host, const struct uet_keyfile *file, char *err, size_t size)
{
    int rc = host_keys_apply(host->keys, file, HOST_ALL_DOMAINS, err, size);

    if (rc) {
        (void)uet_host_reserve(host);
        return rc;
    }
    /* also tells which floors are lost: before anything comes */
    return uet_host_reserve_or_tell(host, err, size);
}

int uet_host_restart(struct uet_host *host, char *err, size_t size)
{
    struct uet_fep_config config = host->config.fep;

    host_keys_note(host->keys);
    uet_fep_erase(host->fep);
    config.seed += ++host->restarts;
    if (config.secret) /* a FEP that begins anew demands other Start_PSNs */
        config.secret += host->restarts;
    host->fep = uet_fep_init(host->fep_memory, uet_fep_size(&config), &config, uet_host_now(host));
    violate_again(host);
    uet_host_things_clear(host);
    uet_host_completions_clear(host);
    uet_host_used_again(host);
    int rc = host_keys_install_again(host->keys, err, size);
    return rc ? rc : uet_host_reserve_or_tell(host, err, size);
}

bool uet_host_used_up(struct uet_host *host, struct uet_host_used_up *what)
{
    return host_keys_used_up(host->keys, what);
}

struct uet_fep *uet_host_fep(struct uet_host *host)
{
    return host->fep;
}

uint64_t uet_host_lost(const struct uet_host *host)
{
    return host->lost_frames;
}

/* ---- frames and time ---- */

uint64_t uet_host_now(struct uet_host *host)
{
    return host->io.now ? host->io.now(host->io.ctx) : 0;
}

void uet_host_pump(struct uet_host *host, uint64_t now_ns)
{
    size_t len;

    if (host->used.path) /* where it cannot be written the FEP stops at the end of its block */
        (void)uet_host_reserve(host);
    /* A completion taken may let the FEP go on, so until there is neither. */
    do {
        while ((len = uet_fep_transmit(host->fep, host->frame, UET_FRAME_MAX, now_ns)) > 0)
            if (!host->io.emit || host->io.emit(host->io.ctx, host->frame, (uint32_t)len))
                host->lost_frames++;
    } while (uet_host_take_completions(host) > 0);
}

static void device_frame(void *ctx, const uint8_t *data, uint32_t len, uint64_t now_ns)
{
    struct uet_host *host = ctx;

    uet_fep_receive(host->fep, data, len, now_ns);
    uet_host_pump(host, now_ns);
}

static uint64_t device_advance(void *ctx, uint64_t now_ns)
{
    struct uet_host *host = ctx;

    uet_fep_advance(host->fep, now_ns);
    uet_host_pump(host, now_ns);
    return uet_fep_deadline(host->fep);
}

struct uet_mem_device uet_host_device(struct uet_host *host)
{
    return (struct uet_mem_device){.ctx = host, .frame = device_frame, .advance = device_advance};
}

void uet_host_set_io(struct uet_host *host, const struct uet_host_io *io)
{
    host->io = *io;
}

/* ---- ports ---- */

static uint64_t port_now(void *ctx)
{
    return uet_port_now(ctx);
}

static int memory_emit(void *ctx, const uint8_t *frame, uint32_t len)
{
    return uet_mem_emit(ctx, frame, len);
}

static void memory_kick(void *ctx)
{
    uet_mem_port_kick(ctx);
}

int uet_host_mem_port(struct uet_host *host, uint64_t latency_ns, struct uet_port **port)
{
    struct uet_mem_device device = uet_host_device(host);
    int rc = uet_mem_port_open(port, &device, latency_ns);

    if (rc == 0)
        host->io = (struct uet_host_io){
            .ctx = *port, .now = port_now, .emit = memory_emit, .kick = memory_kick};
    return rc;
}

static int port_emit(void *ctx, const uint8_t *data, uint32_t len)
{
    /* The port writes its MAC addresses into the frame: ours to be overwritten, see uet_host_pump.
     */
    struct uet_frame frame = {.data = (uint8_t *)(uintptr_t)data, .len = len};
    int sent = uet_port_send(ctx, &frame, 1);

    return sent == 1 ? 0 : sent < 0 ? sent : -ENOBUFS;
}

void uet_host_set_port(struct uet_host *host, struct uet_port *port)
{
    host->io = (struct uet_host_io){.ctx = port, .now = port_now, .emit = port_emit};
}
