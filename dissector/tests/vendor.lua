-- SPDX-License-Identifier: GPL-2.0-or-later
-- What a vendor would write: a dissector in each table that the specification leaves open.
local p = Proto("acme", "Acme's extension")
local f = ProtoField.bytes("acme.bytes", "bytes")
p.fields = {f}
function p.dissector(tvb, pinfo, tree)
    tree:add(p, tvb()):add(f, tvb())
    return tvb:len()
end
DissectorTable.get("uetx.vendor.opcode"):add(0x30, p)
DissectorTable.get("uetx.vendor.cc_type"):add(15, p)
DissectorTable.get("uetx.vendor.ccx_type"):add(14, p)
DissectorTable.get("uetx.vendor.nccx_type"):add(14, p)
DissectorTable.get("uetx.vendor.pds_type"):add(15, p)
DissectorTable.get("uetx.ri.send"):add(9, p)
DissectorTable.get("uetx.ri.rma"):add(9, p)
