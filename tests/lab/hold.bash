# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables of lab, which sources this
#
# hold.bash - the inside of a lab: the work of its first process.

network=198.18 # set apart for benchmarks of networks: RFC 2544

# The delay is made by the kernel, where it has netem (tried on the holder's
# own lo, which nobody uses), or else tapswitch.
delay_by() {
    if ((delay_ns == 0)); then
        echo nothing
    elif ((links > 1)); then
        echo "several links have no delay" >&2
        return 1
    elif tc qdisc add dev lo root netem 2>/dev/null; then
        echo netem
    elif [[ -x $switch ]]; then
        echo tapswitch
    else
        echo "$switch is missing: make lab" >&2
        return 1
    fi
}

# in_host PID COMMAND...: in the network of a host only.
in_host() {
    nsenter -t "$1" -n -- "${@:2}"
}

# The first process of host $1; prints "ready" and stays.
host() {
    local name=$1
    hostname "$name"
    mount -t tmpfs tmpfs /dev/shm
    mount --bind "$ALIDADE_LAB/hosts" /etc/hosts
    mount --bind "$ALIDADE_LAB/$name.boot_id" /proc/sys/kernel/random/boot_id
    # A new /sys, since UCX looks there for network devices, with the control
    # groups of the old one.
    mount --rbind /sys/fs/cgroup "$ALIDADE_LAB/tmp"
    mount -t sysfs sysfs /sys
    mount --rbind "$ALIDADE_LAB/tmp" /sys/fs/cgroup
    umount -l "$ALIDADE_LAB/tmp"
    ip link set lo up
    echo ready
    exec sleep infinity >/dev/null
}

# Wait until a process started as < <(...) prints that it is ready.
await() {
    local pipe=$1 said=
    read -r said <&"$pipe" || true
    exec {pipe}<&-
    [[ $said == ready ]]
}

# host_link PID HOST LINK: link number LINK of host number HOST, from the switch on.
host_link() {
    local pid=$1 i=$2 link=$3
    local port=p$link.$i
    if [[ $by != tapswitch ]]; then
        ip link add "$port" type veth peer name "eth$link" netns "$pid"
        ip link set "$port" master "br$link" up
    fi
    # Delay on the way to the receiver: data that wait before a sender's own
    # eth0 make its TCP slow down.
    if [[ $by == netem ]]; then
        tc qdisc add dev "$port" root netem delay "$((delay_ns / 1000))us" \
            limit 100000
    fi
    in_host "$pid" ip addr add "$network.$link.$((i + 1))/24" dev "eth$link"
    in_host "$pid" ip link set "eth$link" up
    # A link saves up at most what it carries in 10 ms.
    if ((rate > 0)); then
        local burst=$((rate / 800))
        ((burst >= 16384)) || burst=16384
        in_host "$pid" tc qdisc add dev "eth$link" root tbf \
            rate "${rate}bit" burst "$burst" limit 16mb
    fi
}

hold() {
    hosts=$2 delay_ns=$3 rate=$4 links=$5
    local switch=$build/tests/lab/tapswitch
    local outside by i link name pipe pids=() spaces=()

    # /proc is still that of the outside.
    read -r outside _ </proc/self/stat
    echo "$outside" >"$ALIDADE_LAB/pid"
    mount -t proc proc /proc
    by=$(delay_by)
    printf '%s\n' "hosts=$hosts" "delay_ns=$delay_ns" "rate=$rate" \
        "by=$by" >"$ALIDADE_LAB/settings"
    {
        echo "127.0.0.1 localhost"
        for ((i = 0; i < hosts; i++)); do
            echo "$network.0.$((i + 1)) h$i"
        done
    } >"$ALIDADE_LAB/hosts"

    for ((i = 0; i < hosts; i++)); do
        name=h$i
        cat /proc/sys/kernel/random/uuid >"$ALIDADE_LAB/$name.boot_id"
        exec {pipe}< <(exec unshare --net --uts --ipc --mount -- \
            "$self" host "$name")
        pids[i]=$!
        await "$pipe"
        spaces+=("/proc/${pids[i]}/ns/net")
    done
    if [[ $by == tapswitch ]]; then
        exec {pipe}< <(exec "$switch" "$delay_ns" "${spaces[@]}")
        await "$pipe"
    else
        for ((link = 0; link < links; link++)); do
            ip link add "br$link" type bridge
            ip link set "br$link" up
        done
    fi
    for ((i = 0; i < hosts; i++)); do
        for ((link = 0; link < links; link++)); do
            host_link "${pids[i]}" "$i" "$link"
        done
        echo "${pids[i]}" >"$ALIDADE_LAB/h$i.pid"
    done
    echo ready
    # The output is that of "lab up", which waits for its end.
    exec >/dev/null
    # As the first process, also reap the orphans of the lab.
    wait
}
