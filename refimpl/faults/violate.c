/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rules can be broken, and which are (refimpl/violate.h). No code of the FEP calls this. */
#include "refimpl/violate.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "refimpl/faults/faults.h"
#include "refimpl/faults/ways.h"

#ifdef UET_BENT
static const struct {
    const char *id, *name;
} list[] = {
#define UET_VIOLATION_ROW(name, id, text) {id, #name},
    UET_VIOLATIONS(UET_VIOLATION_ROW)
#undef UET_VIOLATION_ROW
};

static const struct uet_fault_ways *const parts[] = {
    &uet_faults_of_completions, &uet_faults_of_edge,        &uet_faults_of_full,
    &uet_faults_of_leaks,       &uet_faults_of_robust,      &uet_faults_of_acked,
    &uet_faults_of_answers,     &uet_faults_of_closing,     &uet_faults_of_cp,
    &uet_faults_of_lookup,      &uet_faults_of_nacked,      &uet_faults_of_nack_frames,
    &uet_faults_of_checks,      &uet_faults_of_pdc,         &uet_faults_of_requests,
    &uet_faults_of_returned,    &uet_faults_of_single,      &uet_faults_of_timers,
    &uet_faults_of_trimmed,     &uet_faults_of_ses_again,   &uet_faults_of_forms,
    &uet_faults_of_atomic,      &uet_faults_of_deferral,    &uet_faults_of_generation,
    &uet_faults_of_header_data, &uet_faults_of_initiator,   &uet_faults_of_messages,
    &uet_faults_of_msg_error,   &uet_faults_of_rendezvous,  &uet_faults_of_ses,
    &uet_faults_of_tagged,      &uet_faults_of_unexpected,  &uet_faults_of_congestion,
    &uet_faults_of_contexts,    &uet_faults_of_credit,      &uet_faults_of_windows,
    &uet_faults_of_flight,      &uet_faults_of_adapt,       &uet_faults_of_probes,
    &uet_faults_of_tss_dropped, &uet_faults_of_tss_frames,  &uet_faults_of_tss_isolation,
    &uet_faults_of_tss_keys,    &uet_faults_of_tss_opening, &uet_faults_of_tss_start,
    &uet_faults_of_tss_trimmed};

#define N_PARTS (sizeof parts / sizeof *parts)

/* Between which ways those of the broken rules stand: mostly one is broken, of a thousand. */
static void note_places(struct uet_faults *faults)
{
    faults->parts = parts;
    faults->begin = faults->end = (struct uet_fault_place){0};
    for (uint16_t part = 0; part < N_PARTS; part++)
        for (uint16_t way = 0; way < parts[part]->n; way++) {
            if (!faults->broken[parts[part]->ways[way].fault])
                continue;
            if (!faults->end.way)
                faults->begin = (struct uet_fault_place){part, way};
            faults->end = (struct uet_fault_place){part, (uint16_t)(way + 1)};
        }
}

/* "PDS-058" is called PDS_058, whatever else breaks that requirement, and wherever it stands. */
static bool is_called(const char *name, const char *id)
{
    for (; *name && *id; name++, id++)
        if (*name != *id && !(*name == '_' && *id == '-'))
            return false;
    return !*name && !*id;
}

int uet_fep_violation_find(const char *id)
{
    int only = -ENOENT;
    for (int i = 0; i < VIOLATION_COUNT; i++) {
        if (is_called(list[i].name, id))
            return i;
        if (strcmp(list[i].id, id) == 0)
            only = only == -ENOENT ? i : -ENOTUNIQ;
    }
    return only;
}

int uet_fep_violate(struct uet_fep *fep, const char *id)
{
    struct uet_faults *faults = &fep->faults;
    if (!id) {
        faults->n = 0;
        memset(faults->broken, 0, sizeof faults->broken);
        note_places(faults);
        uet_law_make(fep);
        return 0;
    }
    const int i = uet_fep_violation_find(id);
    if (i < 0)
        return i;
    faults->n = (uint16_t)(faults->n + !faults->broken[i]);
    faults->broken[i] = true;
    faults->memo[i] = 0;
    note_places(faults);
    uet_law_make(fep);
    return 0;
}

const char *uet_fep_violation(size_t i)
{
    return i < VIOLATION_COUNT ? list[i].id : NULL;
}

const char *uet_fep_violation_name(size_t i)
{
    return i < VIOLATION_COUNT ? list[i].name : NULL;
}

#else
int uet_fep_violate(struct uet_fep *fep, const char *id)
{
    (void)fep;
    return id ? -ENOENT : 0;
}

int uet_fep_violation_find(const char *id)
{
    (void)id;
    return -ENOENT;
}

const char *uet_fep_violation(size_t i)
{
    (void)i;
    return NULL;
}

const char *uet_fep_violation_name(size_t i)
{
    (void)i;
    return NULL;
}
#endif
