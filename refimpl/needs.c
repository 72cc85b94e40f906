/* SPDX-License-Identifier: BSD-2-Clause */
/* Which parameters have an effect only while others have certain values: those of an algorithm. */
#include <string.h>

#include "refimpl/acts_as.h"

#define ANY_MORE UINT8_MAX

/* One of these must hold; several rows of one parameter must all. */
struct need {
    const char *name;
    struct {
        const char *of;    /* has a value of low to high, ... */
        uint8_t low, high; /* ... of one digit, or ANY_MORE */
    } one[3];
};

#define NEEDS(name, of, low, high)                                                                 \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            {                                                                                      \
                of, low, high                                                                      \
            }                                                                                      \
        }                                                                                          \
    }
#define OF_NSCC(name) NEEDS(name, "NSCC", 1, 1)
#define OF_RCCC(name) NEEDS(name, "RCCC", 1, 1)
#define OF_WINDOW(name)                                                                            \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            {"NSCC", 1, 1},                                                                        \
            {                                                                                      \
                "RCCC", 1, 1                                                                       \
            }                                                                                      \
        }                                                                                          \
    }

static const struct need needs[] = {
    NEEDS("CC_Window", "NSCC", 0, 0), /* a window or credit takes its place (cms/cms.c) */
    NEEDS("CC_Window", "RCCC", 0, 0),
    OF_WINDOW("sender_link_rate"),
    OF_WINDOW("receiver_link_rate"),
    OF_WINDOW("MaxWnd"),
    {"config_base_rtt", {{"NSCC", 1, 1}, {"RCCC", 1, 1}, {"t_reroute", 1, ANY_MORE}}},
    {"trimming", {{"NSCC", 1, 1}, {"LB", 2, 2}}},
    OF_NSCC("target_qdelay"),
    OF_NSCC("alpha"),
    OF_NSCC("fi"),
    OF_NSCC("fi_scale"),
    OF_NSCC("eta"),
    OF_NSCC("gamma"),
    OF_NSCC("max_md_jump"),
    OF_NSCC("qa_gate"),
    OF_NSCC("qa_threshold"),
    OF_NSCC("disable_quick_adapt"),
    OF_NSCC("adjust_bytes_threshold"),
    OF_NSCC("adjust_period_threshold"),
    OF_NSCC("fast_increase_tolerance"),
    OF_RCCC("credit_rate"),
    OF_RCCC("target_of_backlog"),
    OF_RCCC("idle_credit"),
    OF_RCCC("ARC"),
    NEEDS("oversubscription", "ARC", 1, 1),
    {"host_pressure", {{"ACK_CC", 1, 1}, {"RCCC", 1, 1}}},
    NEEDS("ev_set_size", "LB", 1, 3),
    NEEDS("ev_saturation_fraction", "LB", 3, 3),
    NEEDS("reps_freeze_time", "LB", 2, 2),
    NEEDS("reps_explore", "LB", 2, 2),
    NEEDS("EV_Slots", "LB", 0, 0),
    NEEDS("EV_Loss", "EV_Slots", 1, ANY_MORE),
    NEEDS("Max_Tail_Loss_Retx", "Tail_Loss_Time", 1, ANY_MORE),
    NEEDS("MPR_Zero", "Override_MPR_Zero_Value", 1, ANY_MORE),
};

enum { ONE_OF = sizeof needs[0].one / sizeof *needs[0].one };

static bool holds(const struct uet_fep_config *config, const struct need *need)
{
    uint64_t value = 0;
    for (size_t i = 0; i < ONE_OF && need->one[i].of; i++)
        if (uet_fep_config_get(config, need->one[i].of, &value) == 0 && value >= need->one[i].low &&
            value <= need->one[i].high)
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
    for (size_t i = 0; i < ONE_OF && need->one[i].of; i++) {
        const uint8_t low = need->one[i].low, high = need->one[i].high;
        put(out, i ? " or " : out->text[0] ? " and " : "");
        put(out, need->one[i].of);
        put(out, high == ANY_MORE ? ">=" : "=");
        put_digit(out, low);
        if (high > low && high != ANY_MORE) {
            put(out, "..");
            put_digit(out, high);
        }
    }
}

/* What a parameter needs may itself need another: the rows go no deeper than that. */
bool uet_fep_param_needs(const struct uet_fep_config *config, const char *name,
                         struct uet_fep_needs *out)
{
    const char *through = NULL;
    out->text[0] = 0;
    for (; name; name = through, through = NULL) {
        for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
            if (strcmp(needs[i].name, name) != 0)
                continue;
            if (!holds(config, &needs[i]))
                say(&needs[i], out);
            if (!needs[i].one[1].of)
                through = needs[i].one[0].of;
        }
    }
    return out->text[0];
}
