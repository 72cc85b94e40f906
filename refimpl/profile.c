/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Profiles (3.3.1): which features a FEP of each has. What is mandatory it has, what is not used it
 * has not (spec-map/profiles.csv); what is optional is chosen here.
 */
#include "refimpl/fep.h"
#include "uet_spec.h"

#define IN(profile) (1u << (profile))
#define AI_BASE     IN(UET_PROFILE_AI_BASE)
#define AI_FULL     IN(UET_PROFILE_AI_FULL)
#define HPC         IN(UET_PROFILE_HPC)

/* Optional features that a profile's FEP goes without; all others it has. */
static const uint8_t without[] = {
    [UET_FEATURE_READ] = AI_BASE,
    [UET_FEATURE_DATA_RESPONSE] = AI_BASE, /* as READ and fetching atomics */
    [UET_FEATURE_FETCHING_ATOMIC] = AI_BASE,
    [UET_FEATURE_SWAP_HEADER] = AI_BASE,    /* as fetching atomics */
    [UET_FEATURE_TAGGED_ATOMICS] = AI_FULL, /* said of no profile */
    [UET_FEATURE_DEFERRAL] = AI_BASE | HPC,
    [UET_FEATURE_DEFERRABLE_TSEND] = HPC,
    [UET_FEATURE_RESTART] = AI_BASE | HPC, /* as deferral */
    [UET_FEATURE_RENDEZVOUS] = AI_BASE | AI_FULL,
    [UET_FEATURE_RENDEZVOUS_HEADER] = AI_BASE | AI_FULL,
    [UET_FEATURE_SMALL_HEADER] = AI_BASE | AI_FULL,
    [UET_FEATURE_MEDIUM_HEADER] = AI_BASE | AI_FULL,
    [UET_FEATURE_RUDI] = AI_BASE | AI_FULL, /* available in HPC only */
};

/* Features of a FEP that this one has in no profile. */
static const struct {
    uint8_t feature;
    const char *why;
} missing[] = {
    {UET_FEATURE_TFC, "not done: no public source has its algorithm"},
    {UET_FEATURE_LOSSLESS, "of the link, not of the FEP"},
};

const char *uet_fep_never_has(uint8_t feature)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        if (missing[i].feature == feature)
            return missing[i].why;
    }
    return NULL;
}

bool uet_fep_config_has(const struct uet_fep_config *config, uint8_t feature)
{
    uint8_t profile = config->profile;
    if (uet_fep_never_has(feature))
        return false;
    switch (uet_profiles[feature].duty[profile]) {
    case 'M':
        return true;
    case 'N':
        return false;
    default:
        return feature >= sizeof without || !(without[feature] & IN(profile));
    }
}
