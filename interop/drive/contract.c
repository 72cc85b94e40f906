/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/drive/contract.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    char *err;
    size_t errlen;
    bool bad, unknown; /* unknown: it asks for what this driver has never heard of */
};

static void refuse(struct reading *r, const char *name, const char *text, const char *why)
{
    if (!r->bad)
        snprintf(r->err, r->errlen, "%s%s%s: %s", name, text ? "=" : "", text ? text : "", why);
    r->bad = true;
}

static const char *text_of(struct reading *r, const char *name)
{
    const char *text = getenv(name);

    if (text && *text)
        return text;
    refuse(r, name, NULL,
           "is not set: `uetinterop run` starts endpoints with it (docs/interop.md)");
    return "";
}

static uint64_t number_of(struct reading *r, const char *name, uint64_t max)
{
    const char *text = text_of(r, name);
    char *end;
    unsigned long long n;

    errno = 0;
    n = strtoull(text, &end, 0);
    if (!r->bad && (*text < '0' || *text > '9' || *end || errno || n > max))
        refuse(r, name, text, "is no number of its range");
    return n;
}

static uint8_t word_of(struct reading *r, const char *name, const char *const *words)
{
    const char *text = text_of(r, name);

    for (size_t i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0)
            return (uint8_t)i;
    r->unknown |= !r->bad && *text;
    refuse(r, name, text, "is none of the words of docs/interop.md");
    return 0;
}

static void address_of(struct reading *r, const char *name, struct uet_ip *ip)
{
    const char *text = text_of(r, name);

    if (!r->bad && uet_ip_parse(ip, text))
        refuse(r, name, text, "is no IP address");
}

/* ---- the lists: a line a file, "NAME LENGTH JOB KEY" ---- */

static bool item_read(struct item *item, const char *line)
{
    *item = (struct item){0};
    return sscanf(line, "%31s %" SCNu64 " %" SCNu32 " %" SCNx64, item->name, &item->length,
                  &item->job_id, &item->key) == 4 &&
           !strchr(item->name, '/') && item->length <= UINT32_MAX;
}

static bool items_add(struct items *items, const struct item *item)
{
    struct item *more = realloc(items->all, (items->n + 1) * sizeof(*more));

    if (!more)
        return false;
    items->all = more;
    items->all[items->n++] = *item;
    return true;
}

static void items_of(struct reading *r, const char *name, struct items *items)
{
    const char *path = text_of(r, name);
    FILE *in = r->bad ? NULL : fopen(path, "r");
    char line[200];
    struct item item;

    if (!in) {
        refuse(r, name, path, "cannot be read");
        return;
    }
    while (fgets(line, sizeof(line), in))
        if (!item_read(&item, line) || !items_add(items, &item))
            refuse(r, name, path, "has a line that is not NAME LENGTH JOB KEY");
    fclose(in);
}

int contract_read(struct contract *c, char *err, size_t errlen)
{
    static const char *const roles[] = {"client", "server", NULL};
    struct reading r = {err, errlen, false, false};
    const uint8_t operation = word_of(&r, "UET_OPERATION", word_operations); /* first: 127 */
    const uint8_t mode = word_of(&r, "UET_MODE", word_modes);

    *c = (struct contract){
        .server = word_of(&r, "UET_ROLE", roles) == 1,
        .operation = operation,
        .mode = mode,
        .relative = number_of(&r, "UET_RELATIVE", 1),
        .keep_open = number_of(&r, "UET_KEEP_OPEN", 1),
        .pid_on_fep = (uint16_t)number_of(&r, "UET_PID_ON_FEP", 0xfff),
        .resource_index = (uint16_t)number_of(&r, "UET_RESOURCE_INDEX", 0xfff),
        .at_once = (unsigned)number_of(&r, "UET_AT_ONCE", 64),
        .pause_after = (unsigned)number_of(&r, "UET_PAUSE_AFTER", 1000000),
        .in = text_of(&r, "UET_IN"),
        .out = text_of(&r, "UET_OUT"),
        .logs = text_of(&r, "UET_LOGS"),
        .params = getenv("UET_PARAMS"),
        .ready = text_of(&r, "UET_READY"),
        .go = text_of(&r, "UET_GO"),
        .paused = text_of(&r, "UET_PAUSED"),
        .done = text_of(&r, "UET_DONE"),
    };
    address_of(&r, "UET_ADDRESS", &c->address);
    address_of(&r, "UET_PEER", &c->peer);
    items_of(&r, "UET_SEND", &c->send);
    items_of(&r, "UET_RECEIVE", &c->receive);
    if (c->at_once == 0)
        refuse(&r, "UET_AT_ONCE", "0", "one operation at least must be under way");
    return r.unknown ? -ENOTSUP : r.bad ? -EINVAL : 0;
}

void contract_free(struct contract *contract)
{
    free(contract->send.all);
    free(contract->receive.all);
}
