#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_seams.sh SOURCE: which functions cmake/seams.awk counts, in sources made up here.
set -eu
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p refimpl/faults

cat >refimpl/faults/faults.h <<'TXT'
#define UET_BREAKS(fep, name) ((fep)->violated[name])
void uet_fault_in(struct uet_fep *fep,
                  const uint8_t *frame);
static inline bool uet_fault_out(struct uet_fep *fep)
{
    return UET_VIOLATES(fep, PDS_003);
}
TXT
cat >refimpl/faults/in.c <<'TXT'
void uet_fault_in(struct uet_fep *fep, const uint8_t *frame)
{
    if (UET_VIOLATES(fep, PDS_001))
        drop(frame);
}
TXT
cat >refimpl/state.h <<'TXT'
#define UET_LIKES(fep) \
    ((fep)->config.choices.cps_when_open)
struct x {
    int choices_made;
};
struct x_law {
    struct row rows[4];
    int (*way)(int a);
    bool told[2];
    bool acks_each; /* a choice */
};
static inline int header_law(int a)
{
    return a;
}
TXT
cat >refimpl/law.c <<'TXT'
/* UET_VIOLATES(fep, PDS_001) is but told of here */
static const struct row table[] = {
    {"choices", 1},
};
struct uet_fep *law(void)
{
    say("choices, UET_SPEC_1_0_3 and \" UET_VIOLATES");
    // UET_VIOLATES
    my_choices_made = 1; /* choices,
                          * UET_VIOLATES */
}
static bool by_fault(const struct uet_fep *fep,
                     int a)
{
    return a && !UET_VIOLATES(fep, PDS_001);
}
int by_variant(struct uet_fep *fep)
{
    return fep->config.choices.answer_delay_ns + 1;
}
static bool by_version(const struct uet_fep *fep)
{
    return fep->config.spec == UET_SPEC_1_0_3;
}
bool by_macro_of_a_choice(struct uet_fep *fep)
{
    if (UET_LIKES(fep))
        greet(fep);
}
void by_hook(struct uet_fep *fep)
{
    uet_fault_in(fep, frame);
}
void by_inline_hook(struct uet_fep *fep)
{
    if (!uet_fault_out(fep))
        send(fep);
}
static bool hidden(struct uet_fep *fep)
{
    return !UET_VIOLATES(fep, PDS_002);
}
void by_hidden(struct uet_fep *fep)
{
    if (hidden(fep))
        send(fep);
}
static bool is_peer(struct uet_fep *fep, int a)
{
    return a == fep->peer || UET_VIOLATES(fep, PDS_040);
}
int by_row_and_way(const struct uet_fep *fep)
{
    return fep->law.told[0] + fep->law.rows[1].acts + fep->law.way(3);
}
int by_choice_renamed(const struct uet_fep *fep)
{
    return fep->law.acks_each && fep->now;
}
int by_tag_named_as_a_seam(const struct uet_fep *fep)
{
    const struct hidden *h = &fep->hidden_ones;
    return h->now;
}
void calls_a_seam_with_law(struct uet_fep *fep)
{
    if (is_peer(fep, 1))
        send(fep);
}
TXT
files=$(find refimpl -name '*.[ch]' | sort)
# shellcheck disable=SC2086
awk -f "$source/cmake/seams.awk" -v list=1 $files $files >found
cat >wanted <<'TXT'
refimpl/law.c: by_fault (fault)
refimpl/law.c: by_variant (variant)
refimpl/law.c: by_version (version)
refimpl/law.c: by_macro_of_a_choice (variant)
refimpl/law.c: by_hook (fault)
refimpl/law.c: by_inline_hook (fault)
refimpl/law.c: hidden (fault)
refimpl/law.c: by_hidden (fault)
refimpl/law.c: is_peer (fault)
refimpl/law.c: by_choice_renamed (variant)
  refimpl/                  10 of  15
seams: 10 of 15 functions of refimpl/: a fault in 6, a variant in 3, a version in 1 (each function counts once)
TXT
diff -u wanted found
