#!/usr/bin/env bash
# Carries out the steps of the Dockerfile in a bare Debian root, for machines on which no image can be built, and
# starts the service there as a pod would: as the image's user, without any right, with a root that is read-only
# but for the cache and /tmp. Needs root on Debian or Ubuntu, debootstrap and curl, and `./mie bundle` before it.
#   helm/try-image.sh [NAME=value ...]      build arguments, such as DRIVER=pocl-opencl-icd
# Environment: PORT (18080), where the service listens meanwhile; JDK_JAVA_OPTIONS, handed on.
set -euo pipefail

project=$(dirname "$(dirname "$(readlink -f "$0")")")
port=${PORT:-18080}
start_seconds=600
stop_seconds=60
root=$(mktemp --directory)
chmod a+rx "$root"
service=''
arguments=() environment=() entrypoint=() command=() user=''
trap clean_up EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

say() { printf -- '--- %s\n' "$*"; }

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# The mounts vanish with the service's own mount namespace, and with them all that could be deleted by mistake.
clean_up() {
  [ -z "$service" ] || kill -KILL "$service" 2>/dev/null || true
  rm -rf --one-file-system "${root:?}"
}

# --- the image ---

# The mirror that this machine's own apt takes a release from, if it is of that release.
mirror_of() { apt-get indextargets --format '$(CODENAME) $(REPO_URI)' "Created-By: Packages" | sed -n "s/^$1 //p" | head -n 1; }

from() {
  local release=${1#debian:}
  release=${release%-slim}
  # shellcheck disable=SC2046 # nothing, where there is none
  debootstrap --variant=minbase "$release" "$root" $(mirror_of "$release") >"$root.log" || fail "debootstrap: $(tail -n 5 "$root.log")"
  rm "$root.log"
  apt-config dump | grep '^Acquire::[^ ]*[Pp]roxy' >"$root/etc/apt/apt.conf.d/90host" || true
}

# A text with the values of the build arguments, those given going before the defaults.
expanded() {
  local text=$1 i
  for ((i = ${#arguments[@]} - 1; i >= 0; i--)); do
    text=${text//\$${arguments[i]%%=*}/${arguments[i]#*=}}
  done
  printf '%s' "$text"
}

run_step() {
  chroot "$root" env -i PATH="$PATH" DEBIAN_FRONTEND=noninteractive "${arguments[@]}" sh -c "$1" >"$root/step.log" 2>&1 ||
    fail "$(tail -n 20 "$root/step.log")"
  rm "$root/step.log"
}

copy() {
  mkdir -p "$root$2"
  cp -R --preserve=timestamps "$project/$1/." "$root$2"
  while IFS= read -r ignored; do
    case $ignored in "$1"/*) rm -r "${root:?}$2/${ignored#"$1"/}" ;; esac
  done <"$project/.dockerignore"
}

# One instruction of the Dockerfile.
# shellcheck disable=SC2086 # COPY: two paths
step() {
  local instruction=$1 rest=$2
  case $instruction in
    FROM) from "$(expanded "$rest")" ;;
    ARG) arguments=("${rest//\"/}" ${arguments[@]+"${arguments[@]}"}) ;;
    RUN) run_step "$rest" ;;
    ENV) read -ra environment <<<"$rest" ;;
    COPY) copy $rest ;;
    USER) user=$rest ;;
    EXPOSE) ;;
    ENTRYPOINT) eval "entrypoint=(${rest//[][,]/ })" ;;
    CMD) eval "command=(${rest//[][,]/ })" ;;
    *) fail "this script does not know the instruction $instruction" ;;
  esac
}

make_root() {
  local instruction rest
  # without -r: a backslash at the end of a line joins it with the next
  # shellcheck disable=SC2162
  while read instruction rest; do
    case $instruction in '' | '#'*) continue ;; esac
    say "$instruction ${rest:0:100}"
    step "$instruction" "$rest"
  done <"$project/Dockerfile"
}

# --- the service ---

# Turns this shell into the image's entry point with the arguments given. In namespaces of its own that is the first
# process, as it is in a container.
become_container() {
  exec unshare --mount --pid --fork --kill-child bash -euc '
    root=$1 cache=$2 user=$3
    shift 3
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t tmpfs -o "uid=${user%:*},gid=${user#*:}" tmpfs "$root$cache"
    mount -o remount,ro,bind "$root"
    exec chroot "$root" setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups --no-new-privs --bounding-set=-all \
      env -i PATH=/usr/bin:/bin "$@"
  ' bash "$root" "$(cache)" "$user" "${environment[@]}" ${JDK_JAVA_OPTIONS+"JDK_JAVA_OPTIONS=$JDK_JAVA_OPTIONS"} "${entrypoint[@]}" "$@"
}

cache() { printf '%s\n' "${environment[@]}" | sed -n 's/^XDG_CACHE_HOME=//p'; }

ask() { curl --silent --show-error --fail-with-body --max-time 60 "localhost:$port/$1" "${@:2}"; }

wait_until_ready() {
  local start=$SECONDS
  until ask actuator/health/readiness >/dev/null 2>&1; do
    kill -0 "$service" 2>/dev/null || fail "the service ended"
    [ $((SECONDS - start)) -lt $start_seconds ] || fail "not ready after $start_seconds seconds"
    sleep 0.5
  done
  say "ready after about $((SECONDS - start)) s"
}

try_service() {
  local process status=0
  become_container "${command[@]}" "--server.port=$port" &
  service=$!
  wait_until_ready
  process=$(cat "/proc/$service/task/$service/children")
  process=${process% }
  grep -E '^(Uid|Gid|CapBnd|NoNewPrivs)' "/proc/$process/status"
  ask v2/models/mnist-cnn/infer --data "@$project/docs/seven.json" | grep --only-matching '"data":.*' || fail "no answer"
  ask actuator/prometheus | grep '^engine_memory_pool_used' || fail "no meters"
  say "SIGTERM"
  kill -TERM "$process"
  timeout "$stop_seconds" tail --pid="$service" -f /dev/null || fail "still there after $stop_seconds seconds"
  wait "$service" || status=$?
  service=''
  # 128 + 15, as the shell counts a process that a signal ended
  [ $status = 143 ] || fail "the service ended with status $status"
  say "ended in order, status $status"
}

[ "$(id -u)" = 0 ] || fail "a root folder takes root to make"
for tool in debootstrap curl; do command -v $tool >/dev/null || fail "$tool is missing: apt-get install $tool"; done
[ -x "$project/target/bundle/mini-inference-engine/bin/mie" ] || fail "there is no bundle: ./mie bundle --no-archive"
arguments=("$@")
make_root
say "devices"
(become_container devices)
say "${entrypoint[*]} ${command[*]}"
try_service
