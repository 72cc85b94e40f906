# SPDX-License-Identifier: GPL-2.0-or-later
# The keys of tss.hex, as options of tshark and as a key-log file. Read by test_tss.sh.
key_a=34448a064292601b11a0978f56a2d34cf3fc35ede1a6bc04f8db3e5243a2b0ca
key_b=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f

# with_rows tshark-options: the table of secure domains, by columns.
with_rows() {
    uetx -o uetx.ip.proto:253 \
        -o "uat:uetx_sd:\"000001\",\"0\",\"cluster\",$key_a,,\"no\",\"0000ffff00000000\",\"32\",\"0\",\"A cluster\"" \
        -o "uat:uetx_sd:\"abcdef\",\"1\",\"cluster\",$key_b,,\"yes\",\"fffff8000000\",\"27\",\"0\",\"B cluster\"" \
        -o "uat:uetx_sd:\"000001\",\"any\",\"direct\",$key_b,,\"any\",\"0\",\"0\",\"0\",\"B direct\"" \
        -o "uat:uetx_sd:\"000001\",\"any\",\"direct\",$key_b,f0f1f2f3f4f5f6f7f8f9fafb,\"any\",\"0\",\"0\",\"0\",\"B masked\"" \
        -o "uat:uetx_sd:\"000001\",\"0\",\"server\",$key_a,,\"yes\",\"0\",\"0\",\"0\",\"A server\"" \
        -o "uat:uetx_sd:\"000001\",\"0\",\"cluster\",$key_a,,\"no\",\"0000ffff00000000\",\"32\",\"24\",\"A from 24\"" \
        -o "uat:uetx_sd:\"000001\",\"0\",\"cluster\",$key_a,,\"no\",\"0000ffff00000000\",\"32\",\"65535\",\"A clear\"" \
        -o "uat:uetx_sd:\"000002\",\"1\",\"server\",$key_a,,\"no\",\"0\",\"0\",\"0\",\"C server\"" \
        -o "uat:uetx_sd:\"000002\",\"1\",\"cluster\",$key_a,,\"yes\",\"0\",\"0\",\"0\",\"C cluster\"" \
        "$@"
}

write_log() {
    cat <<LOG
# what another protocol logs is left alone:
CLIENT_RANDOM 00 00
UET_SD sdi=1 an=0 mode=cluster key=$key_a ssi=no rekey_mask=0x0000ffff00000000 rekey_shift=32 name=A_cluster
UET_SD sdi=0xabcdef an=1 mode=cluster key=$key_b ssi=yes rekey_mask=0xfffff8000000 rekey_shift=27
UET_SD sdi=0x000001 mode=direct key=$key_b
UET_SD sdi=0x000001 mode=direct key=$key_b iv_mask=f0f1f2f3f4f5f6f7f8f9fafb
UET_SD sdi=0x000001 an=0 mode=server key=$key_a
UET_SD sdi=0x000001 an=0 mode=cluster key=$key_a rekey_mask=0x0000ffff00000000 rekey_shift=32 encrypt_from=24
UET_SD sdi=0x000001 an=0 mode=cluster key=$key_a rekey_mask=0x0000ffff00000000 rekey_shift=32 encrypt_from=65535
UET_SD sdi=2 an=1 mode=server key=$key_a
UET_SD sdi=2 an=1 mode=cluster key=$key_a
LOG
}
