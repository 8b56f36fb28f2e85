# SPDX-License-Identifier: BSD-3-Clause
# Reads the functions of MPI (prototypes.awk) and writes the functions of poisoned.c: each asks of
# all memory that it is given, and then is the function itself.  How much memory an argument means
# follows from its name, which is the standard's.  The last lines are a list: functions that are
# asked, that take no memory (none), or an argument that is not known here (blind).
BEGIN {
    FS = "\t"
    # Elements of an array.
    n["array_of_requests"] = n["array_of_statuses"] = n["array_of_indices"] = "count incount"
    n["array_of_blocklengths"] = n["array_of_block_lengths"] = n["array_of_displacements"] = n["array_of_types"] = "count"
    n["array_of_sizes"] = n["array_of_subsizes"] = n["array_of_starts"] = "ndims"
    n["size_array"] = n["subsize_array"] = n["start_array"] = "ndims"
    n["ranks"] = n["ranks1"] = n["ranks2"] = "n"
    n["dims"] = n["periods"] = "ndims"
    n["sources"] = n["sourceweights"] = "indegree"
    n["destinations"] = n["destweights"] = "outdegree"
    # Characters of a text that MPI writes.
    text["version"] = "MPI_MAX_LIBRARY_VERSION_STRING"
    text["string"] = "MPI_MAX_ERROR_STRING"
    text["type_name"] = "MPI_MAX_OBJECT_NAME"
    text["name"] = "MPI_MAX_PROCESSOR_NAME"
    # Blocks of a buffer, one for each rank, source or destination; at the root alone.
    many["sendbuf Alltoall"] = many["recvbuf Alltoall"] = many["recvbuf Allgather"] = "SIZE(comm)"
    many["sendbuf Scatter"] = many["recvbuf Gather"] = "ROOT(comm, root)"
    many["recvbuf Reduce"] = "ROOT(comm, root) > 0"
    many["recvbuf Neighbor_allgather"] = many["recvbuf Neighbor_alltoall"] = "SOURCES(comm)"
    many["sendbuf Neighbor_alltoall"] = "DESTINATIONS(comm)"
    one = "^(Send|Bsend|Ssend|Rsend|Recv|Bcast|Sendrecv|Sendrecv_replace|Psend|Precv|Mrecv|Put|Get|Accumulate|Get_accumulate|Rput|Rget|Raccumulate|Rget_accumulate|Fetch_and_op|Compare_and_swap|Allreduce|Reduce|Scan|Exscan|Reduce_local|Allgather|Gather|Scatter|Neighbor_allgather)$"
    # With an argument of counts or types.
    counts["send Scatterv"] = counts["recv Gatherv"] = "ROOT(comm, root)"
    counts["recv Allgatherv"] = counts["send Alltoallv"] = counts["recv Alltoallv"] = "SIZE(comm)"
    counts["send Alltoallw"] = counts["recv Alltoallw"] = "SIZE(comm)"
    counts["recv Neighbor_allgatherv"] = counts["recv Neighbor_alltoallv"] = counts["recv Neighbor_alltoallw"] = "SOURCES(comm)"
    counts["send Neighbor_alltoallv"] = counts["send Neighbor_alltoallw"] = "DESTINATIONS(comm)"
    counts["recv Reduce_scatter"] = "SIZE(comm)"
}

function has(name) { return name in argument }
# 0 if the message goes nowhere: memory is named, but not touched.
function somewhere(side, peer) {
    peer = has("target_rank") ? "target_rank" : side != "recv" && has("dest") ? "dest" : side != "send" && has("source") ? "source" : ""
    return peer == "" ? 1 : "(" peer " != MPI_PROC_NULL)"
}
function ask(text) { asked = asked "    " text ";\n" }

# Sendbuf, of which there are sendcount, sendcounts, sdispls or displs, sendtype or sendtypes.
function buffer(name, side, at) {
    side = name ~ /^(send|recv)buf$/ ? substr(name, 1, 4) : ""
    if (name ~ /^(origin|result|compare)_addr$/) {
        side = substr(name, 1, index(name, "_"))
        ask(sprintf("BLOCK(%s, %s * %s, %s)", name, somewhere(""), has(side "count") ? side "count" : 1, has(side "datatype") ? side "datatype" : "datatype"))
    } else if (name ~ /^base/ && has("size") && base ~ /^Win_(create|attach)$/) {
        ask(sprintf("BLOCK(%s, size, MPI_BYTE)", name))
    } else if (has("partitions")) {
        ask(sprintf("BLOCK(%s, %s * partitions * count, datatype)", name, somewhere("")))
    } else if (base == "Reduce_scatter") {
        ask(sprintf("DEALT(%s, recvcounts, datatype, %s)", name, side == "send" ? 1 : "sendbuf == MPI_IN_PLACE"))
    } else if (base == "Reduce_scatter_block") {
        ask(sprintf("BLOCK(%s, recvcount * (%s), datatype)", name, side == "send" ? "SIZE(comm)" : "sendbuf == MPI_IN_PLACE ? SIZE(comm) : 1"))
    } else if (has(side "types") && (at = counts[side " " base]) != "") {
        ask(sprintf("BLOCKS(%s, %s, %scounts, %sdispls, %stypes)", name, at, side, substr(side, 1, 1), side))
    } else if (has(side "counts") && (at = counts[side " " base]) != "") {
        ask(sprintf("PARTS(%s, %s, %scounts, %s, %stype)", name, at, side, has("displs") ? "displs" : substr(side, 1, 1) "displs", side))
    } else if (has(side "count") && has(side "type") && (base ~ one || name " " base in many || base ~ /^(Gatherv|Scatterv|Allgatherv|Neighbor_allgatherv)$/)) {
        ask(sprintf("BLOCK(%s, (%s) * %scount, %stype)", name, name " " base in many ? many[name " " base] : somewhere(side), side, side))
    } else if (has("count") && (has("datatype") || has("type")) && base ~ one) {
        ask(sprintf("BLOCK(%s, (%s) * count, %s)", name, name " " base in many ? many[name " " base] : somewhere(""), has("datatype") ? "datatype" : "type"))
    } else {
        blind = blind " " name
    }
}

# An array or a pointer to something else.
function array(name, word, side, at, i, names) {
    side = name ~ /^(send|recv)(counts|types)$/ ? substr(name, 1, 4) : name ~ /^[sr]displs$/ ? (name ~ /^s/ ? "send" : "recv") : \
        name == "displs" ? (has("sendcounts") ? "send" : "recv") : ""
    if (side != "") {
        if ((at = counts[side " " base]) == "")
            blind = blind " " name
        else
            ask(sprintf("ARRAY(%s, UNLESS_IN_PLACE(%sbuf, %s))", name, has(side "buf") ? side : "send", at))
    } else if (name in text && word ~ /char/) {
        if (word !~ /const/)
            ask(sprintf("ARRAY(%s, %s)", name, text[name]))
    } else if (name in n) {
        at = ""
        for (i = split(n[name], names, " "); i > 0; i--)
            if (has(names[i]))
                at = names[i]
        if (at == "" && word !~ /\[/)
            at = 1
        if (at == "")
            blind = blind " " name
        else
            ask(sprintf("ARRAY(%s, %s)", name, at))
    } else if (word ~ /\[/) {
        blind = blind " " name
    } else if (word !~ /char/ && word !~ /\* ?\*/) {
        ask(sprintf("ARRAY(%s, 1)", name))
    }
}

# Those of the tools interface, handles of Fortran, and attributes.
$1 ~ /^MPI_T_|_f2c$|_c2f$|_attr$|keyval/ { next }
{
    split("", argument)
    call = arguments = asked = blind = ""
    base = $1
    sub(/^MPIX?_/, "", base)
    sub(/_c$/, "", base)
    sub(/_init$/, "", base)
    if (sub(/^I/, "", base)) # Iallreduce; Info_get is none of these
        base = toupper(substr(base, 1, 1)) substr(base, 2)
    for (i = 2; i <= NF; i++) {
        name[i] = $i
        gsub(/\[[^]]*\]/, "", name[i])
        sub(/ +$/, "", name[i])
        sub(/.*[ *]/, "", name[i])
        argument[name[i]] = i
        call = call (i > 2 ? ", " : "") name[i]
        arguments = arguments (i > 2 ? ", " : "") $i
    }
    # Arrays first: what is in them says how long buffers are.
    for (i = 2; i <= NF; i++)
        if ($i ~ /[*\[]/ && $i !~ /void|_function(_[cx])? /)
            array(name[i], $i)
    for (i = 2; i <= NF; i++)
        if ($i ~ /void ?\*/ && $i !~ /\* ?\*/ && name[i] !~ /^(baseptr|extra_state|attribute_val|location)$/ && base != "Win_detach")
            buffer(name[i])
    if (blind != "")
        list = list "blind " $1 blind "\n"
    else if (asked == "")
        list = list "none " $1 "\n"
    else
        list = list "asked " $1 "\n"
    if (asked != "")
        printf "int %s(%s)\n{\n    NEXT(%s, (%s));\n%s    return next(%s);\n}\n", $1, arguments, $1, arguments, asked, call
}
END { printf "#if 0\n%s#endif\n", list }
