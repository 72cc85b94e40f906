/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters of all FEPs that a user gives by name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/fep.h"
#include "sim/fabric/scenario.h"

/* Others that say the same have options of their own. */
static const char *const taken[] = {"NSCC", "RCCC", "LB", "EV_Slots"};

/* As the FEP has it, for as long as the program runs; NULL: it has none, or not for this. */
static const char *name_of(const char *text, size_t len)
{
    const char *name;

    for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
        if (strlen(taken[i]) == len && !strncmp(taken[i], text, len))
            return NULL;
    for (size_t i = 0; (name = uet_fep_param_name(i)); i++)
        if (strlen(name) == len && !strncmp(name, text, len))
            return name;
    return NULL;
}

int fabric_param_put(struct net_param *params, const struct net_param *param)
{
    size_t i = 0;

    while (i < NET_PARAMS && params[i].name && strcmp(params[i].name, param->name) != 0)
        i++;
    if (i == NET_PARAMS)
        return -E2BIG;
    params[i] = *param;
    return 0;
}

int fabric_param_read(struct net_param *params, const char *text)
{
    const char *equals = strchr(text, '=');
    struct net_param param = {0};
    struct uet_fep_config config;
    char *end;

    param.name = equals ? name_of(text, (size_t)(equals - text)) : NULL;
    if (!param.name)
        return -ENOENT;
    errno = 0;
    param.value = strtoull(equals + 1, &end, 10);
    uet_fep_config_default(&config);
    if (errno || *end || end == equals + 1 || equals[1] == '-' ||
        uet_fep_param_set(&config.params, param.name, param.value))
        return -ERANGE;
    for (size_t i = 0; i < NET_PARAMS && params[i].name; i++)
        if (strcmp(params[i].name, param.name) == 0)
            return -EEXIST;
    return fabric_param_put(params, &param);
}
