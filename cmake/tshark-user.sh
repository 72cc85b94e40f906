# SPDX-License-Identifier: BSD-2-Clause
# Read by scripts that start tshark with the plugin, also where root starts them (a container).
# As root Wireshark ignores WIRESHARK_PLUGIN_DIR: tshark runs in a user namespace of its own, or,
# where there are none, as nobody.

# tshark_user: sets as_user, the words before the command; 1 when there is no way.
tshark_user() {
    as_user=
    [ "$(id -u)" -eq 0 ] || return 0
    if unshare -U true 2>/dev/null; then
        as_user="unshare -U"
    elif setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
        as_user="setpriv --reuid 65534 --regid 65534 --clear-groups"
    else
        return 1
    fi
}

# tshark_plugins FOLDER SCRATCH: prints the plugin folder, or a copy below SCRATCH, which anybody
# can read, when the user that tshark runs as cannot read it (a tree in /root).
tshark_plugins() {
    # shellcheck disable=SC2086
    if $as_user test -r "$1/." && $as_user test -x "$1/."; then
        printf '%s\n' "$1"
    else
        copy=$2/$(basename "$1")
        cp -rL "$1" "$copy" && chmod -R a+rX "$copy" && printf "%s\n" "$copy"
    fi
}
