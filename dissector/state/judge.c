/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of rules/ as remarks that carry the requirement's id. */
#include "dissector/prefs.h"
#include "dissector/state/state.h"

#define VIOLATIONS_MAX 16

static struct uet_rules *rules;

static int hf_violation = UETX_NO_ID;
static int ett_violation = UETX_NO_ID;
static int hf_section = UETX_NO_ID;
static expert_field ei_must = EI_INIT;
static expert_field ei_should = EI_INIT;
static expert_field ei_contested = EI_INIT;

extern const struct uet_track_allocator uetx_file_allocator;

void uetx_judge_start(void)
{
    rules = NULL;
    if (uetx_prefs.rules == UETX_RULES_OFF)
        return;
    const struct uet_rules_config config = {.vantage =
                                                (uint8_t)(uetx_prefs.rules - UETX_RULES_MIDDLE),
                                            .spec = (uint8_t)uetx_prefs.spec};
    rules = uet_rules_new(&config, &uetx_file_allocator);
}

void uetx_judge(struct uetx_state *s, const struct uet_tracked *t)
{
    struct uet_violation found[VIOLATIONS_MAX];
    size_t n = rules ? uet_rules_check(rules, t, found, VIOLATIONS_MAX) : 0;
    if (!n)
        return;
    struct uetx_violation *kept = wmem_alloc_array(wmem_file_scope(), struct uetx_violation, n);
    for (size_t i = 0; i < n; i++) {
        kept[i].requirement = found[i].requirement; /* a literal of rules/ */
        kept[i].message = wmem_strdup(wmem_file_scope(), found[i].message);
    }
    s->violations = kept;
    s->n_violations = (uint8_t)n;
}

static expert_field *remark_for(const struct uet_requirement *r)
{
    if (r && r->other_reading[0])
        return &ei_contested;
    return r && (r->level == UET_SHOULD || r->level == UET_SHOULD_NOT) ? &ei_should : &ei_must;
}

static void show(const struct uetx_violation *v, struct uetx_pdu *u, proto_tree *tree)
{
    const struct uet_requirement *r = uet_requirement_find(v->requirement);
    proto_item *item = proto_tree_add_string(tree, hf_violation, u->tvb, 0, 0, v->requirement);
    proto_item_set_generated(item);
    expert_add_info_format(u->pinfo, item, remark_for(r), "%s: %s%s%s", v->requirement, v->message,
                           r && r->other_reading[0] ? "; the other reading: " : "",
                           r ? r->other_reading : "");
    if (!r)
        return;
    proto_tree *sub = proto_item_add_subtree(item, ett_violation);
    proto_item_append_text(item, " (%s, %s)", uet_level_name((enum uet_level)r->level), r->section);
    proto_item_set_generated(proto_tree_add_string(sub, hf_section, u->tvb, 0, 0, r->section));
}

void uetx_judge_show(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    for (unsigned i = 0; i < s->n_violations; i++)
        show(&s->violations[i], u, tree);
}

void uetx_judge_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_violation,
         {"violation", "uetx.violation", FT_STRING, BASE_NONE, NULL, 0,
          "Requirement that the packet violates, after those before it", HFILL}},
        {&hf_section,
         {"section", "uetx.violation.section", FT_STRING, BASE_NONE, NULL, 0,
          "Section of the UE Specification 1.0.3 that owns the requirement", HFILL}},
    };
    static ei_register_info ei[] = {
        {&ei_must,
         {"uetx.rule.must", PI_PROTOCOL, PI_WARN, "A MUST or MUST NOT is violated", EXPFILL}},
        {&ei_should,
         {"uetx.rule.should", PI_PROTOCOL, PI_NOTE, "A SHOULD or SHOULD NOT is not followed",
          EXPFILL}},
        {&ei_contested,
         {"uetx.rule.contested", PI_PROTOCOL, PI_NOTE,
          "Violated in one reading of the specification, not in the other", EXPFILL}},
    };
    static int *ett[] = {&ett_violation};
    proto_register_field_array(proto, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}
