/* SPDX-License-Identifier: BSD-2-Clause */
/* The providers of this host, as far as an upper tester can use them. */
#include <rdma/fi_errno.h>
#include <string.h>

#include "tools/ut_libfabric/internal.h"

static const struct {
    uint64_t cap;
    const char *name;
} able[] = {{FI_MSG, "send"},
            {FI_TAGGED, "tagged_send"},
            {FI_RMA, "write read"},
            {FI_ATOMIC, "atomic fetching_atomic"}};

static bool put(FILE *out, const struct fi_info *info)
{
    bool bad =
        fprintf(out, "%-16s %-10s %-8s", info->fabric_attr->prov_name,
                info->ep_attr->type == FI_EP_DGRAM ? "dgram" : "rdm",
                info->domain_attr->data_progress == FI_PROGRESS_AUTO ? "auto" : "manual") < 0;

    for (size_t i = 0; i < sizeof(able) / sizeof(able[0]); i++)
        if (info->caps & able[i].cap)
            bad |= fprintf(out, " %s", able[i].name) < 0;
    return fputc('\n', out) != EOF && !bad;
}

/* Has one before it in the list the same provider? There is one of each address, say. */
static bool is_told(const struct fi_info *all, const struct fi_info *info)
{
    for (; all != info; all = all->next)
        if (strcmp(all->fabric_attr->prov_name, info->fabric_attr->prov_name) == 0)
            return true;
    return false;
}

static bool put_all(FILE *out, bool datagrams)
{
    struct fi_info *all = NULL, *hints = fi_allocinfo();
    bool good = true;

    if (!hints)
        return false;
    hints->ep_attr->type = datagrams ? FI_EP_DGRAM : FI_EP_RDM;
    hints->mode = ~UINT64_C(0);
    if (fi_getinfo(FABRIC_API, NULL, NULL, 0, hints, &all) == 0)
        for (const struct fi_info *i = all; i; i = i->next) {
            const struct fabric_config config = {.provider = i->fabric_attr->prov_name,
                                                 .datagrams = datagrams};
            struct fi_info *most = is_told(all, i) ? NULL : fabric_ask(&config);

            good &= !most || put(out, most);
            fi_freeinfo(most);
        }
    fi_freeinfo(hints);
    fi_freeinfo(all);
    return good;
}

bool fabric_list(FILE *out)
{
    return fprintf(out, "%-16s %-10s %-8s %s\n", "--provider", "--endpoint", "progress",
                   "verbs that start an operation") > 0 &&
           put_all(out, false) && put_all(out, true);
}
