/* SPDX-License-Identifier: BSD-2-Clause */
/* Which parameters have an effect only while others have certain values: those of an algorithm. */
#include <string.h>

#include "refimpl/acts_as.h"
#include "uet_spec.h"

#define ANY_MORE UINT8_MAX
#define MOST     4u /* of what a parameter needs, that needs another, and so on */

/* One of these must hold; several rows of one parameter must all. */
struct need {
    const char *name;
    struct {
        const char *of;    /* has a value of low to high, ... */
        uint8_t low, high; /* ... of one digit, or ANY_MORE */
    } one[3];
    bool (*is)(const struct uet_fep_config *config, bool domains); /* or this, ... */
    const char *says;                                              /* ... which is no parameter */
};

static bool has_domains(const struct uet_fep_config *config, bool domains)
{
    (void)config;
    return domains;
}

static bool has_read_data(const struct uet_fep_config *config, bool domains)
{
    (void)domains;
    return uet_fep_config_has(config, UET_FEATURE_READ) ||
           uet_fep_config_has(config, UET_FEATURE_FETCHING_ATOMIC);
}

/* Else no ACK is long enough to be trimmable (PDS-127). */
static bool has_longer_acks(const struct uet_fep_config *config, bool domains)
{
    (void)domains;
    return config->params.Max_ACK_Data_Size > config->params.Trimmable_ACK_Size;
}

static bool has_rendezvous(const struct uet_fep_config *config, bool domains)
{
    (void)domains;
    return uet_fep_config_has(config, UET_FEATURE_RENDEZVOUS);
}

static bool has_deferral(const struct uet_fep_config *config, bool domains)
{
    return uet_fep_config_has(config, UET_FEATURE_DEFERRAL) || has_rendezvous(config, domains);
}

#define NEEDS(name, of, low, high)                                                                 \
    {                                                                                              \
        name, {{of, low, high}}, NULL, NULL                                                        \
    }
#define EITHER(name, of, low, high, or_of, or_low, or_high)                                        \
    {                                                                                              \
        name, {{of, low, high}, {or_of, or_low, or_high}}, NULL, NULL                              \
    }
#define OTHER(name, is, says)                                                                      \
    {                                                                                              \
        name, {{NULL, 0, 0}}, is, says                                                             \
    }
#define OF_NSCC(name)   NEEDS(name, "NSCC", 1, 1)
#define OF_RCCC(name)   NEEDS(name, "RCCC", 1, 1)
#define OF_WINDOW(name) EITHER(name, "NSCC", 1, 1, "RCCC", 1, 1)
#define RESENDS(name)   NEEDS(name, "Max_NACK_Retx_Cnt", 1, ANY_MORE)

static const struct need needs[] = {
    NEEDS("UDP_Dest_Port", "UET_Over_UDP", 1, 1),
    NEEDS("IP_Proto_Nxt_Hdr", "UET_Over_UDP", 0, 0),
    OTHER("New_PDC_Time", has_domains, "a secure domain"), /* no other PDC is PENDING */
    OTHER("New_PDC_Timeout_Thresh", has_domains, "a secure domain"),
    OTHER("Max_ACK_Data_Size", has_read_data, "reads or fetching atomics in the profile"),
    OTHER("Trimmable_ACK_Size", has_read_data, "reads or fetching atomics in the profile"),
    OTHER("Trimmable_ACK_Size", has_longer_acks, "a larger Max_ACK_Data_Size"),
    OTHER("Deferral_Time", has_deferral, "deferral or rendezvous in the profile"),
    OTHER("Rendezvous_Time", has_rendezvous, "rendezvous in the profile"),
    NEEDS("ACK_On_ECN", "ACK_Gen_Trigger", 1, ANY_MORE), /* 0: each packet has its ACK */
    NEEDS("ACK_Gen_Min_Pkt_Add", "ACK_Gen_Trigger", 1, ANY_MORE),
    NEEDS("CC_Window", "NSCC", 0, 0), /* a window or credit takes its place (cms/cms.c) */
    NEEDS("CC_Window", "RCCC", 0, 0),
    OF_WINDOW("sender_link_rate"),
    OF_WINDOW("receiver_link_rate"),
    OF_WINDOW("MaxWnd"),
    {"config_base_rtt", {{"NSCC", 1, 1}, {"RCCC", 1, 1}, {"t_reroute", 1, ANY_MORE}}, NULL, NULL},
    EITHER("trimming", "NSCC", 1, 1, "LB", 2, 2),
    OF_NSCC("target_qdelay"),
    OF_NSCC("alpha"),
    OF_NSCC("fi"),
    OF_NSCC("fi_scale"),
    OF_NSCC("eta"),
    OF_NSCC("gamma"),
    OF_NSCC("max_md_jump"),
    NEEDS("qa_gate", "disable_quick_adapt", 0, 0),
    NEEDS("qa_threshold", "disable_quick_adapt", 0, 0),
    OF_NSCC("disable_quick_adapt"),
    OF_NSCC("adjust_bytes_threshold"),
    OF_NSCC("adjust_period_threshold"),
    OF_NSCC("fast_increase_tolerance"),
    OF_RCCC("credit_rate"),
    OF_RCCC("target_of_backlog"),
    OF_RCCC("idle_credit"),
    OF_RCCC("ARC"),
    NEEDS("oversubscription", "ARC", 1, 1),
    EITHER("host_pressure", "ACK_CC", 1, 1, "RCCC", 1, 1),
    NEEDS("ev_set_size", "LB", 1, 3),
    NEEDS("ev_saturation_fraction", "LB", 3, 3),
    NEEDS("reps_freeze_time", "LB", 2, 2),
    NEEDS("reps_freeze_time", "trimming", 1, 1), /* else nothing freezes (cms/reps.c), ... */
    NEEDS("reps_explore", "LB", 2, 2),
    NEEDS("reps_explore", "trimming", 1, 1), /* ... and nothing thaws */
    RESENDS("SACK_Loss_Count"),
    RESENDS("OOO_Loss_Count"),
    NEEDS("EV_Loss", "EV_Slots", 1, ANY_MORE),
    NEEDS("EV_Loss", "LB", 0, 0),
    RESENDS("EV_Loss"),
    NEEDS("Max_Tail_Loss_Retx", "Tail_Loss_Time", 1, ANY_MORE),
    NEEDS("MPR_Zero", "Override_MPR_Zero_Value", 1, ANY_MORE),
};

enum {
    N_NEEDS = sizeof needs / sizeof *needs,
    ONE_OF = sizeof needs[0].one / sizeof *needs[0].one
};

static size_t n_of(const struct need *need)
{
    size_t n = 0;
    while (n < ONE_OF && need->one[n].of)
        n++;
    return n;
}

static bool holds(const struct uet_fep_config *config, bool domains, const struct need *need)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n_of(need); i++)
        if (uet_fep_config_get(config, need->one[i].of, &value) == 0 && value >= need->one[i].low &&
            (value <= need->one[i].high || need->one[i].high == ANY_MORE))
            return true;
    return need->is && need->is(config, domains);
}

/* ---- what is said ---- */

/* Rows that do not hold, and parameters whose rows are still to be looked at. */
struct missing {
    const struct need *rows[MOST];
    const char *through[MOST];
    size_t n_rows, n_through;
};

/* Whoever does what was said has done what this row asks for, too. */
static bool is_said(const struct missing *m, const struct need *need)
{
    for (size_t r = 0; r < m->n_rows; r++)
        for (size_t i = 0; n_of(m->rows[r]) == 1 && i < n_of(need); i++)
            if (strcmp(m->rows[r]->one[0].of, need->one[i].of) == 0 &&
                m->rows[r]->one[0].low >= need->one[i].low &&
                m->rows[r]->one[0].high <= need->one[i].high)
                return true;
    return false;
}

/* What does not fit is cut. */
static void put(struct uet_fep_needs *out, const char *text)
{
    const size_t n = strlen(out->text), room = sizeof out->text - 1 - n, more = strlen(text);
    const size_t fits = more < room ? more : room;
    memcpy(out->text + n, text, fits);
    out->text[n + fits] = 0;
}

static void put_digit(struct uet_fep_needs *out, uint8_t digit)
{
    put(out, (const char[]){(char)('0' + digit), 0});
}

/* "NSCC=1 or RCCC=1", "LB=1..3", "t_reroute>=1" */
static void say(const struct need *need, struct uet_fep_needs *out)
{
    for (size_t i = 0; i < n_of(need); i++) {
        const uint8_t low = need->one[i].low, high = need->one[i].high;
        put(out, i ? " or " : "");
        put(out, need->one[i].of);
        put(out, high == ANY_MORE ? ">=" : "=");
        put_digit(out, low);
        if (high > low && high != ANY_MORE) {
            put(out, "..");
            put_digit(out, high);
        }
    }
    if (need->says)
        put(out, need->says);
}

/* "A=1", "A=1 and B=1", "A=1, B=1 and C=1"; what has an "or" of its own stands in brackets then. */
static void say_all(const struct missing *m, struct uet_fep_needs *out)
{
    out->text[0] = 0;
    for (size_t r = 0; r < m->n_rows; r++) {
        const bool brackets = m->n_rows > 1 && n_of(m->rows[r]) > 1;
        put(out, !r ? "" : r + 1 < m->n_rows ? ", " : " and ");
        put(out, brackets ? "(" : "");
        say(m->rows[r], out);
        put(out, brackets ? ")" : "");
    }
}

/* What a parameter needs may itself need another. */
bool uet_fep_param_needs(const struct uet_fep_config *config, bool domains, const char *name,
                         struct uet_fep_needs *out)
{
    struct missing m = {.through = {name}, .n_through = 1};
    for (size_t t = 0; t < m.n_through; t++) {
        for (size_t i = 0; i < N_NEEDS; i++) {
            if (strcmp(needs[i].name, m.through[t]) != 0)
                continue;
            if (!holds(config, domains, &needs[i]) && !is_said(&m, &needs[i]) && m.n_rows < MOST)
                m.rows[m.n_rows++] = &needs[i];
            if (n_of(&needs[i]) == 1 && m.n_through < MOST)
                m.through[m.n_through++] = needs[i].one[0].of;
        }
    }
    say_all(&m, out);
    return out->text[0];
}
