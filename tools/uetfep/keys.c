/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "refimpl/host/watch.h"
#include "tools/uetfep/number.h"
#include "wire/secret.h"

static const char *const methods[] = {"expected-0rtt", "random-1rtt"}; /* enum uet_key_start */

int keys_take_sdi(struct keys *keys, const char *text)
{
    uint64_t value;

    if (!whole(text, 0xffffff, &value)) {
        fprintf(stderr, UETFEP_NAME ": --sdi %s: give a number of 24 bits, as 0x000001\n", text);
        return 2;
    }
    keys->one = true;
    keys->sdi = (uint32_t)value;
    return -1;
}

int keys_take_start(struct keys *keys, const char *text)
{
    if (choice(text, methods, 2) < 0) {
        fprintf(stderr, UETFEP_NAME ": --start %s: give expected-0rtt or random-1rtt\n", text);
        return 2;
    }
    keys->start = text;
    return -1;
}

/* What the command line says instead of the file. False: the file has no such domain. */
static bool adapt(const struct keys *keys, struct uet_keyfile *file)
{
    size_t n = 0;

    for (size_t i = 0; i < file->n_domains; i++) {
        if (keys->one && file->domains[i].sdi != keys->sdi)
            continue;
        file->domains[n] = file->domains[i];
        if (keys->start)
            file->domains[n].start = (uint8_t)choice(keys->start, methods, 2);
        n++;
    }
    file->n_domains = n;
    return n;
}

/* Two FEPs of one file are told apart by their address. */
static int remember(const struct keys *keys, struct uet_host *host, char *err, size_t size)
{
    char path[4096], address[UET_IP_TEXT];

    if (keys->used && strcmp(keys->used, "none") == 0)
        return 0;
    if (keys->used)
        return uet_host_remember(host, keys->used, err, size);
    int n = snprintf(path, sizeof(path), "%s.%s.used", keys->path,
                     uet_ip_text(&uet_fep_config(uet_host_fep(host))->address, address));

    return n < (int)sizeof(path) ? uet_host_remember(host, path, err, size) : -1;
}

bool keys_unguessable(uint64_t *seed)
{
    return getrandom(seed, sizeof(*seed), 0) == (ssize_t)sizeof(*seed);
}

/* 0, or -1 with a line on stderr. */
static int read_and_install(const struct keys *keys)
{
    char err[300] = "";
    int rc = -1;
    struct uet_keyfile *file = uet_keyfile_read(keys->path, err, sizeof(err));

    if (file && err[0]) /* the file is not as safe as it should be */
        fprintf(stderr, UETFEP_NAME ": %s\n", err);
    if (file && !adapt(keys, file))
        snprintf(err, sizeof(err), "%s has no domain 0x%06" PRIx32, keys->path, keys->sdi);
    else if (file)
        rc = uet_host_install(keys->host, file, err, sizeof(err));
    uet_keyfile_free(file);
    if (rc) {
        fprintf(stderr, UETFEP_NAME ": --keys: %s\n", err);
        return -1;
    }
    return 0;
}

static void guard(void)
{
    char err[300];

    if (uet_secrets_guard(err, sizeof(err)))
        fprintf(stderr, UETFEP_NAME ": %s\n", err);
}

int keys_install(struct keys *keys, struct uet_host *host)
{
    char err[300] = "its name is too long, give --used FILE";

    keys->watch = -1;
    keys->host = host;
    if (!keys->path)
        return 0;
    keys->watch = uet_watch_open(keys->path); /* first, so that no change is missed */
    if (read_and_install(keys))
        return 2;
    if (remember(keys, host, err, sizeof(err))) {
        fprintf(stderr, UETFEP_NAME ": --keys: %s\n", err);
        return 2;
    }
    guard();
    if (keys->watch < 0)
        fprintf(stderr, UETFEP_NAME ": --keys: changes of %s are not seen: %s\n", keys->path,
                strerror(-keys->watch));
    return 0;
}

void keys_follow(void *ctx)
{
    struct keys *keys = ctx;
    char err[300];

    if (!uet_watch_take(keys->watch, keys->path) || read_and_install(keys))
        return;
    (void)uet_secrets_guard(err, sizeof(err)); /* what is refused was told before */
    printf(UETFEP_NAME ": %s has changed\n", keys->path);
    fflush(stdout);
}

void keys_refused(void *ctx)
{
    struct keys *keys = ctx;
    struct uet_host_used_up what;

    while (uet_host_used_up(keys->host, &what))
        fprintf(stderr,
                UETFEP_NAME ": %sall counters of the key of AN %u in domain 0x%06" PRIx32
                            " are used up: it seals nothing until %s %s another key\n",
                what.by_verb ? "" : "--keys: ", what.an, what.sdi,
                what.by_verb ? "install_domain" : keys->path, what.by_verb ? "brings" : "names");
}

void keys_close(struct keys *keys)
{
    if (keys->path && keys->watch >= 0)
        close(keys->watch);
}
