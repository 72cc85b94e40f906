/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of golden_tss.h, and how its packets look in clear. */
#include "wire/tests/golden_tss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/inet.h"

#define KEY_A "34448a064292601b11a0978f56a2d34cf3fc35ede1a6bc04f8db3e5243a2b0ca"
#define KEY_B "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

/* RUD request with syn and ar, PSN 0x00012345, SPDCID 1; standard write; 8 bytes of payload. */
#define PLAIN                                                                                      \
    "118cffff000123450001000001030001000000010000000f00000000000000000000001011223344556677880000" \
    "000000000000000000080001020304050607"

const char golden_tss_uet[] = PLAIN;

const struct golden_kdf golden_kdf[] = {
    {"KA1", "cluster IPv4 192.168.42.1, TSC 1dc074e500000023, mask 0000ffff00000000, shift 32",
     KEY_A, "U1", "1dc0000074e5c0a82a01",
     "151b4ddb30112971ddeff3213000ee74d8f18aac2135601f1e5215e505fed449",
     "a7c6992c26b0bd5dd5c20e0c"},
    {"KA2", "cluster IPv6 2001:cb0::fc0:0:0:abc, same TSC", KEY_A, "U1",
     "000000001dc0000074e520010cb0000000000fc0000000000abc",
     "55d1ee8647bd53fad0e5325795af18e7559b7d42a895edf70f9c170341e8f767",
     "9c96a5752fb5669ccd5ded3f"},
    {"KA3", "server IPv4, client 192.168.42.1, rekey 0", KEY_A, "U2", "1dc000000000c0a82a01",
     "245e67ab286218530edd53c26ea9ec33c96b35192d0a0eb54d08be281c5d304b",
     "02d5ee33684201990e1629e0"},
    {"KA4", "server IPv6, client as KA2, rekey 0", KEY_A, "U2",
     "000000001dc00000000020010cb0000000000fc0000000000abc",
     "b59002ad3e6a9ae5864878730070f8916e43e5011acaa4be3504256185f24d97",
     "209a3d29581028fb0da2749e"},
    {"KA5", "cluster, epoch 0, rekey off", KEY_B, "U1", "000000000000c0a82a01",
     "5bcd42e5e80ddf8fc500904fc88fee3738e5f20d7e9ed5543295af731ba84a96",
     "5dccb5896c8682eafd9e24cd"},
    {"KA6", "same, rekey value 1 (counter 0x100 with mask ff00 shift 8)", KEY_B, "U1",
     "000000000001c0a82a01", "545ffae26c0e52395f26ef825eb526c5cfe45cf3f2d09e54d40a85ecb1a4d907",
     "fde121e750f01f7315db3006"},
    {"KA7", "same as KA5 with epoch 1", KEY_B, "U1", "000100000000c0a82a01",
     "ef3bf720f5899dac937e731a27fe7f6278708d33ef57062d910036043e5fad2c",
     "87c1fccce478945cc11772be"},
    {"KA8", "server, epoch 0, client 192.168.42.1", KEY_B, "U2", "000000000000c0a82a01",
     "23d637f9523a13cd3ac845c36988a77e267a1b7b4a35e117e792605cede11a1f",
     "4fd954c3a93e496f4b25c8dd"},
    {"KA9", "cluster with SSI 0a0b0c0d, epoch 3, rekey 5 (IPv4; IPv6 under the 10-byte reading)",
     KEY_B, "U1", "0003000000050a0b0c0d",
     "37ebec23c940f3ae68faac6f2c8047009d27fbc3228b375601e82b90d2ee25ef",
     "8e0e55514997a7d60a42ab04"},
    {"KA10", "cluster IPv6 with SSI, 26-byte reading (SSI not in the KDF)", KEY_B, "U1",
     "0000000000030000000520010cb0000000000fc0000000000abc",
     "b9bd7b636fe3a157525392716b694c418e94aa955479964d689baa61f70ee60a",
     "e91aafa1dc2d380f47a4e59f"},
};
const size_t n_golden_kdf = sizeof golden_kdf / sizeof *golden_kdf;

const struct golden_tss golden_tss[] = {
    {
        .id = "TV1",
        .title = "Cluster, IPv4 native, no SSI, SDI 1, AN 0",
        .params = {.sdi = 1,
                   .mode = UET_TSS_MODE_CLUSTER,
                   .rekey = true,
                   .rekey_mask = UINT64_C(0x0000ffff00000000),
                   .rekey_shift = 32},
        .stamp = {.epoch = 0x1dc0, .counter = UINT64_C(0x74e500000023)},
        .sdki = KEY_A,
        .sdk = "151b4ddb30112971ddeff3213000ee74d8f18aac2135601f1e5215e505fed449",
        .iv_mask = "a7c6992c26b0bd5dd5c20e0c",
        .header = "080000011dc074e500000023",
        .raw_iv = "c0a82a011dc074e500000023",
        .iv = "676eb32d3b70c9b8d5c20e2f",
        .aad = "c0a82a01c0a82a0242420000080000011dc074e500000023",
        .plain = PLAIN,
        .ciphertext =
            "45a0024c9804275bced67b4553312f53320746ac151c99704735342dea71f3146d60a4f5e335938ba51e"
            "70ec904a218172906f120ef679795da8bbdca5ba3636",
        .icv = "ce1a1a0674a4860f08e4173f7ad0740d",
        .packet =
            "450000740000400040fd6439c0a82a01c0a82a0242420000080000011dc074e50000002345a0024c9804"
            "275bced67b4553312f53320746ac151c99704735342dea71f3146d60a4f5e335938ba51e70ec904a2181"
            "72906f120ef679795da8bbdca5ba3636ce1a1a0674a4860f08e4173f7ad0740d",
    },
    {
        .id = "TV2",
        .title = "Cluster, IPv4 native, SSI 0a0b0c0d, SDI abcdef, AN 1",
        .params = {.sdi = 0xabcdef,
                   .an = 1,
                   .mode = UET_TSS_MODE_CLUSTER,
                   .ssi_mode = true,
                   .rekey = true,
                   .rekey_mask = UINT64_C(0xfffff8000000),
                   .rekey_shift = 27},
        .stamp = {.ssi = 0x0a0b0c0d, .epoch = 3, .counter = UINT64_C(0x000028000005)},
        .sdki = KEY_B,
        .sdk = "37ebec23c940f3ae68faac6f2c8047009d27fbc3228b375601e82b90d2ee25ef",
        .iv_mask = "8e0e55514997a7d60a42ab04",
        .header = "0dabcdef0a0b0c0d0003000028000005",
        .raw_iv = "0a0b0c0d0003000028000005",
        .iv = "8405595c4994a7d62242ab01",
        .aad = "c0a82a01c0a82a02424200000dabcdef0a0b0c0d0003000028000005",
        .plain = PLAIN,
        .ciphertext =
            "22f4deb9fcb65462441a86203a3bb687d59d0f66caf781904c1fa5fd09a535c45af0c37ed102d1c52c13"
            "7fc55b7949046937dff4196480f32cd2ddfdff786ea8",
        .icv = "8146e5157d0b35501cce82bf7f62f5c8",
        .packet =
            "450000780000400040fd6435c0a82a01c0a82a02424200000dabcdef0a0b0c0d000300002800000522f4"
            "deb9fcb65462441a86203a3bb687d59d0f66caf781904c1fa5fd09a535c45af0c37ed102d1c52c137fc5"
            "5b7949046937dff4196480f32cd2ddfdff786ea88146e5157d0b35501cce82bf7f62f5c8",
    },
    {
        .id = "TV3",
        .title = "Cluster, IPv6 native, no SSI, SDI 1, AN 0",
        .params = {.sdi = 1,
                   .mode = UET_TSS_MODE_CLUSTER,
                   .rekey = true,
                   .rekey_mask = UINT64_C(0x0000ffff00000000),
                   .rekey_shift = 32},
        .stamp = {.epoch = 0x1dc0, .counter = UINT64_C(0x74e500000023)},
        .sdki = KEY_A,
        .sdk = "55d1ee8647bd53fad0e5325795af18e7559b7d42a895edf70f9c170341e8f767",
        .iv_mask = "9c96a5752fb5669ccd5ded3f",
        .header = "080000011dc074e500000023",
        .raw_iv = "000000011dc074e500000023",
        .iv = "9c96a57432751279cd5ded1c",
        .aad =
            "20010cb0000000000fc0000000000abc20010cb0000000000fc0000000000abd42420000080000011dc0"
            "74e500000023",
        .plain = PLAIN,
        .ciphertext =
            "d375403276f4396d5f1d7a1476f5515fbf746addd0b9fd708da055bba33e093a56d5b8f112ffb96d42f7"
            "d899a560db00044e1a65d6eb5f565f798fcd8a5f5eb4",
        .icv = "544a84f223b8526657258dfa83ffb70a",
        .packet =
            "600000000060fd4020010cb0000000000fc0000000000abc20010cb0000000000fc0000000000abd4242"
            "0000080000011dc074e500000023d375403276f4396d5f1d7a1476f5515fbf746addd0b9fd708da055bb"
            "a33e093a56d5b8f112ffb96d42f7d899a560db00044e1a65d6eb5f565f798fcd8a5f5eb4544a84f223b8"
            "526657258dfa83ffb70a",
    },
    {
        .id = "TV4a",
        .title = "Direct, IPv4 over UDP 4793, no SSI, zero mask, reading U1 (UDP header in AAD)",
        .params = {.sdi = 1, .mode = UET_TSS_MODE_DIRECT},
        .stamp = {.counter = 7},
        .sdki = KEY_B,
        .sdk = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        .iv_mask = "000000000000000000000000",
        .header = "080000010000000000000007",
        .raw_iv = "c0a82a010000000000000007",
        .iv = "c0a82a010000000000000007",
        .aad = "c0a82a01c0a82a02424212b900640000080000010000000000000007",
        .plain = PLAIN,
        .ciphertext =
            "8b1d9e5888fe9ef096b6162cce7338401ca57edc96eb8c69a5f43dbfa9389f57dc72edfd0f41a4865794"
            "74881d71f27a99e35deb5e5f053f21bc17aacf66ab99",
        .icv = "42d7541f4b631f1eb8cbde304dda6a07",
        .packet =
            "450000780000400040116521c0a82a01c0a82a02424212b9006400000800000100000000000000078b1d"
            "9e5888fe9ef096b6162cce7338401ca57edc96eb8c69a5f43dbfa9389f57dc72edfd0f41a48657947488"
            "1d71f27a99e35deb5e5f053f21bc17aacf66ab9942d7541f4b631f1eb8cbde304dda6a07",
    },
    {
        .id = "TV4b",
        .title = "Same as TV4a, reading U2 (UDP header not in AAD)",
        .params = {.sdi = 1, .mode = UET_TSS_MODE_DIRECT, .readings = {.udp_not_in_aad = true}},
        .stamp = {.counter = 7},
        .sdki = KEY_B,
        .sdk = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        .iv_mask = "000000000000000000000000",
        .header = "080000010000000000000007",
        .raw_iv = "c0a82a010000000000000007",
        .iv = "c0a82a010000000000000007",
        .aad = "c0a82a01c0a82a02080000010000000000000007",
        .plain = PLAIN,
        .ciphertext =
            "8b1d9e5888fe9ef096b6162cce7338401ca57edc96eb8c69a5f43dbfa9389f57dc72edfd0f41a4865794"
            "74881d71f27a99e35deb5e5f053f21bc17aacf66ab99",
        .icv = "6b4e9c78638fb3692a7ff06cd69e9d63",
        .packet =
            "450000780000400040116521c0a82a01c0a82a02424212b9006400000800000100000000000000078b1d"
            "9e5888fe9ef096b6162cce7338401ca57edc96eb8c69a5f43dbfa9389f57dc72edfd0f41a48657947488"
            "1d71f27a99e35deb5e5f053f21bc17aacf66ab996b4e9c78638fb3692a7ff06cd69e9d63",
    },
    {
        .id = "TV4c",
        .title = "Direct, IPv4 native, no SSI, zero mask",
        .params = {.sdi = 1, .mode = UET_TSS_MODE_DIRECT},
        .stamp = {.counter = 7},
        .sdki = KEY_B,
        .sdk = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        .iv_mask = "000000000000000000000000",
        .header = "080000010000000000000007",
        .raw_iv = "c0a82a010000000000000007",
        .iv = "c0a82a010000000000000007",
        .aad = "c0a82a01c0a82a0242420000080000010000000000000007",
        .plain = PLAIN,
        .ciphertext =
            "8b1d9e5888fe9ef096b6162cce7338401ca57edc96eb8c69a5f43dbfa9389f57dc72edfd0f41a4865794"
            "74881d71f27a99e35deb5e5f053f21bc17aacf66ab99",
        .icv = "5adefd9d98e9e6dae208e86b3b81933a",
        .packet =
            "450000740000400040fd6439c0a82a01c0a82a02424200000800000100000000000000078b1d9e5888fe"
            "9ef096b6162cce7338401ca57edc96eb8c69a5f43dbfa9389f57dc72edfd0f41a486579474881d71f27a"
            "99e35deb5e5f053f21bc17aacf66ab995adefd9d98e9e6dae208e86b3b81933a",
    },
    {
        .id = "TV4d",
        .title = "Direct, IPv4 native, stored mask f0f1f2f3f4f5f6f7f8f9fafb",
        .params = {.sdi = 1,
                   .mode = UET_TSS_MODE_DIRECT,
                   .iv_mask = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
                               0xfb}},
        .stamp = {.counter = 7},
        .sdki = KEY_B,
        .sdk = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        .iv_mask = "f0f1f2f3f4f5f6f7f8f9fafb",
        .header = "080000010000000000000007",
        .raw_iv = "c0a82a010000000000000007",
        .iv = "3059d8f2f4f5f6f7f8f9fafc",
        .aad = "c0a82a01c0a82a0242420000080000010000000000000007",
        .plain = PLAIN,
        .ciphertext =
            "ab70c2f49cfcb1f8b8130493363091147f40d6892de8dcfffdd73d2d4e0d7210a69868314e549835ae92"
            "f3271657dca5107d2f1aa447cb0e877b84c625003644",
        .icv = "85dfe37d13e726acae4ea475990da46f",
        .packet =
            "450000740000400040fd6439c0a82a01c0a82a0242420000080000010000000000000007ab70c2f49cfc"
            "b1f8b8130493363091147f40d6892de8dcfffdd73d2d4e0d7210a69868314e549835ae92f3271657dca5"
            "107d2f1aa447cb0e877b84c62500364485dfe37d13e726acae4ea475990da46f",
    },
    {
        .id = "TV5",
        .title = "Server mode, client to server, IPv4 native, SSI 2 (client), SDI 1, AN 0",
        .params = {.sdi = 1, .mode = UET_TSS_MODE_SERVER, .ssi_mode = true},
        .stamp = {.ssi = 2, .epoch = 0x1dc0, .counter = 1},
        .sdki = KEY_A,
        .sdk = "8686f00622e44657644c3906a1cfaa6a15e47db894ba6218549fc0fce7d76e72",
        .iv_mask = "9911f888f99bea05c11e709a",
        .header = "0c000001000000021dc0000000000001",
        .raw_iv = "000000021dc0000000000001",
        .iv = "9911f88ae45bea05c11e709b",
        .aad = "c0a82a01c0a82a02424200000c000001000000021dc0000000000001",
        .plain = PLAIN,
        .ciphertext =
            "43a648aee2590f6268dd648a496640cb213c22cd35fea1865599771a255cd0c751b9ab68d83254ac2c7a"
            "93dfeb47d22d16e3d0324b6e9f5081bd2d070ddb1533",
        .icv = "aa70cd2db04e91efad5bf3b1e5997b5e",
        .packet =
            "450000780000400040fd6435c0a82a01c0a82a02424200000c000001000000021dc000000000000143a6"
            "48aee2590f6268dd648a496640cb213c22cd35fea1865599771a255cd0c751b9ab68d83254ac2c7a93df"
            "eb47d22d16e3d0324b6e9f5081bd2d070ddb1533aa70cd2db04e91efad5bf3b1e5997b5e",
    },
    {
        .id = "TV6",
        .title = "As TV1 with encryption starting after the PDS header (offset 24)",
        .params = {.sdi = 1,
                   .mode = UET_TSS_MODE_CLUSTER,
                   .rekey = true,
                   .rekey_mask = UINT64_C(0x0000ffff00000000),
                   .rekey_shift = 32,
                   .encrypt_from = 24},
        .stamp = {.epoch = 0x1dc0, .counter = UINT64_C(0x74e500000023)},
        .sdki = KEY_A,
        .sdk = "151b4ddb30112971ddeff3213000ee74d8f18aac2135601f1e5215e505fed449",
        .iv_mask = "a7c6992c26b0bd5dd5c20e0c",
        .header = "080000011dc074e500000023",
        .raw_iv = "c0a82a011dc074e500000023",
        .iv = "676eb32d3b70c9b8d5c20e2f",
        .aad = "c0a82a01c0a82a0242420000080000011dc074e500000023118cffff0001234500010000",
        .plain =
            "01030001000000010000000f000000000000000000000010112233445566778800000000000000000000"
            "00080001020304050607",
        .ciphertext =
            "552ffdb29805041fced77b4a52322f52320746ad151c996f56170769bf17849c6d60a4e5f217a0cff078"
            "076c904b238276956915",
        .icv = "02cd95a5963b5cf9152e84aa2de0b8ad",
        .packet =
            "450000740000400040fd6439c0a82a01c0a82a0242420000080000011dc074e500000023118cffff0001"
            "234500010000552ffdb29805041fced77b4a52322f52320746ad151c996f56170769bf17849c6d60a4e5"
            "f217a0cff078076c904b23827695691502cd95a5963b5cf9152e84aa2de0b8ad",
    },
    {
        .id = "TV7",
        .title = "As TV1 with nothing encrypted (authentication only)",
        .params = {.sdi = 1,
                   .mode = UET_TSS_MODE_CLUSTER,
                   .rekey = true,
                   .rekey_mask = UINT64_C(0x0000ffff00000000),
                   .rekey_shift = 32,
                   .encrypt_from = UET_TSS_ENCRYPT_NOTHING},
        .stamp = {.epoch = 0x1dc0, .counter = UINT64_C(0x74e500000023)},
        .sdki = KEY_A,
        .sdk = "151b4ddb30112971ddeff3213000ee74d8f18aac2135601f1e5215e505fed449",
        .iv_mask = "a7c6992c26b0bd5dd5c20e0c",
        .header = "080000011dc074e500000023",
        .raw_iv = "c0a82a011dc074e500000023",
        .iv = "676eb32d3b70c9b8d5c20e2f",
        .aad =
            "c0a82a01c0a82a0242420000080000011dc074e500000023118cffff0001234500010000010300010000"
            "00010000000f000000000000000000000010112233445566778800000000000000000000000800010203"
            "04050607",
        .plain = "",
        .ciphertext = "",
        .icv = "24fceba9a0425f2882c92d00036934a1",
        .packet =
            "450000740000400040fd6439c0a82a01c0a82a0242420000080000011dc074e500000023118cffff0001"
            "23450001000001030001000000010000000f000000000000000000000010112233445566778800000000"
            "0000000000000008000102030405060724fceba9a0425f2882c92d00036934a1",
    },
};
const size_t n_golden_tss = sizeof golden_tss / sizeof *golden_tss;

static _Noreturn void die(const char *what, const char *which)
{
    fprintf(stderr, "golden_tss: %s %s\n", what, which);
    exit(2);
}

const struct golden_tss *golden_tss_find(const char *id)
{
    for (size_t i = 0; i < n_golden_tss; i++)
        if (strcmp(golden_tss[i].id, id) == 0)
            return &golden_tss[i];
    die("no packet", id);
}

static unsigned digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned d = 0; d < 16; d++)
        if (digits[d] == c)
            return d;
    die("not hexadecimal:", (char[]){c, 0});
}

size_t golden_unhex(uint8_t *out, size_t cap, const char *hex)
{
    size_t n = strlen(hex) / 2;
    if (n > cap || strlen(hex) % 2)
        die("too long or odd:", hex);
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return n;
}

struct uet_tss_params golden_tss_params(const struct golden_tss *g)
{
    struct uet_tss_params p = g->params;
    golden_unhex(p.key, sizeof p.key, g->sdki);
    return p;
}

static size_t add_hex(char *out, size_t cap, const char *column, const uint8_t *bytes, size_t n)
{
    size_t at = (size_t)snprintf(out, cap, " %s=", column);
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, cap - at, "%02x", bytes[i]);
    return at;
}

void golden_tss_key_line(char *out, size_t cap, const struct uet_tss_params *p, const char *name)
{
    static const char *const modes[] = {[UET_TSS_MODE_DIRECT] = "direct",
                                        [UET_TSS_MODE_CLUSTER] = "cluster",
                                        [UET_TSS_MODE_SERVER] = "server"};
    bool self = p->mode == UET_TSS_MODE_SERVER && p->client == UET_CLIENT_SELF;
    int at = snprintf(out, cap,
                      "UET_SD sdi=0x%06x an=%u mode=%s rekey_mask=%llu rekey_shift=%u "
                      "encrypt_from=%u name=%s",
                      p->sdi, p->an, self ? "direct" : modes[p->mode],
                      p->rekey ? (unsigned long long)p->rekey_mask : 0, p->rekey_shift,
                      p->encrypt_from, name);
    size_t n = (size_t)at;
    n += add_hex(out + n, cap - n, "key", p->key, sizeof p->key);
    if (self || p->mode == UET_TSS_MODE_DIRECT)
        n += add_hex(out + n, cap - n, "iv_mask", p->iv_mask, sizeof p->iv_mask);
    snprintf(out + n, cap - n, "\n");
}

size_t golden_tss_clear(uint8_t *out, size_t cap, const struct golden_tss *g)
{
    uint8_t packet[256];
    size_t n = golden_unhex(packet, sizeof packet, g->packet);
    size_t uet = n - UET_TSS_TRAILER_BYTES - GOLDEN_TSS_UET_LEN - strlen(g->header) / 2;
    if (uet + GOLDEN_TSS_UET_LEN > cap)
        die("no room for", g->id);
    memcpy(out, packet, uet);
    n = uet + golden_unhex(out + uet, cap - uet, golden_tss_uet);
    if (out[0] >> 4 == 6) {
        uet_ipv6_payload_length_set(out, (uint16_t)(n - 40));
        return n;
    }
    uet_ipv4_total_length_set(out, (uint16_t)n);
    if (uet_ipv4_protocol(out) == UET_IPPROTO_UDP)
        uet_udp_length_set(out + 20, (uint16_t)(n - 20));
    uet_ipv4_header_checksum_set(out, 0);
    uet_ipv4_header_checksum_set(out, uet_inet_checksum(out, 20));
    return n;
}
