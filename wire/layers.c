/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/layers.h"

static void add(struct uet_layer_at *out, size_t *n, enum uet_header_id id, size_t offset)
{
    if (id != UET_H_NONE && *n < UET_LAYERS_MAX)
        out[(*n)++] = (struct uet_layer_at){id, (uint16_t)offset};
}

size_t uet_layers(const struct uet_packet *p, struct uet_layer_at out[UET_LAYERS_MAX])
{
    size_t n = 0;
    if (p->start == UET_START_ETH && p->len >= UET_ETH_BYTES)
        add(out, &n, UET_H_ETH, 0);
    for (size_t i = 0; i < p->n_vlans; i++)
        add(out, &n, UET_H_VLAN, UET_ETH_BYTES + i * UET_VLAN_BYTES);
    if (p->ip_end) /* set once the fixed header is whole and its lengths make sense */
        add(out, &n, p->ip_version == 4 ? UET_H_IPV4 : UET_H_IPV6, p->ip_offset);
    if (p->udp_offset)
        add(out, &n, UET_H_UDP, p->udp_offset);
    if (p->entropy_offset)
        add(out, &n, UET_H_ENTROPY, p->entropy_offset);
    add(out, &n, (enum uet_header_id)p->tss, p->tss_offset);
    add(out, &n, (enum uet_header_id)p->pds, p->pds_offset);
    add(out, &n, (enum uet_header_id)p->cp_payload, p->cp_payload_offset);
    add(out, &n, (enum uet_header_id)p->cc_state, p->cc_state_offset);
    add(out, &n, (enum uet_header_id)p->ses, p->ses_offset);
    const uint8_t *key;
    enum uet_header_id key_id = uet_memory_key(p, &key);
    if (key_id != UET_H_NONE)
        add(out, &n, key_id, (size_t)(key - p->frame));
    add(out, &n, (enum uet_header_id)p->sync, p->ses_offset + (size_t)uet_header_bytes[p->ses]);
    add(out, &n, (enum uet_header_id)p->ext, p->ext_offset);
    if (p->icv_offset &&
        p->icv_offset + (size_t)UET_TSS_TRAILER_BYTES <= p->len) /* and was captured */
        add(out, &n, UET_H_TSS_TRAILER, p->icv_offset);
    if (p->crc_offset)
        add(out, &n, UET_H_CRC_TRAILER, p->crc_offset);
    return n;
}

static size_t computed_sack(const struct uet_packet *p, struct uet_computed *out)
{
    const uint8_t *h = uet_pds(p);
    /* 3.5.10.6: the bitmap's base, and the peer's limit in PSNs. */
    uint32_t sack = uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h));
    out[0] = (struct uet_computed){"sack_psn", sack, true};
    out[1] = (struct uet_computed){"mp_range", uet_ack_cc_mpr(h) * 128u, false};
    return 2;
}

static size_t computed_nscc(const struct uet_packet *p, struct uet_computed *out)
{
    const uint8_t *h = uet_cc_state_of(p);
    /* 3.6.9.2: units of 128 ns and of 256 bytes. */
    uint64_t ns = uet_ack_cc_state_nscc_service_time(h) * UINT64_C(128);
    uint64_t bytes = uet_ack_cc_state_nscc_rcvd_bytes(h) * UINT64_C(256);
    out[0] = (struct uet_computed){"service_time_ns", ns, false};
    out[1] = (struct uet_computed){"rcvd_bytes_total", bytes, false};
    return 2;
}

size_t uet_computed(const struct uet_packet *p, enum uet_header_id id,
                    struct uet_computed out[UET_COMPUTED_MAX])
{
    size_t n = 0;
    if (id == UET_H_ACK_CC_STATE_NSCC)
        return computed_nscc(p, out);
    if (id != p->pds || id == UET_H_NONE)
        return 0;
    if (uet_has_syn(p))
        out[n++] = (struct uet_computed){"start_psn", uet_start_psn(p), true};
    if (uet_is_request(p))
        out[n++] = (struct uet_computed){"clear_psn", uet_clear_psn(p), true};
    if (uet_is_ack(p) && !uet_ack_p(uet_pds(p))) /* a probe answer names no ACK_PSN (3.5.10.5) */
        out[n++] = (struct uet_computed){"ack_psn", uet_packet_psn(p), true};
    return uet_has_sack(p) ? n + computed_sack(p, out + n) : n;
}
