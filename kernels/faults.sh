#!/usr/bin/env bash
# Bad indices and divisors in random models, half of them with branches and loops: exactly the rows with one fail,
# each with its first, and no other row changes, to the bit.
#   ./mie test --faults [GRAPHS [DEVICE ...]]    1,000 models with 100 faults and more each; jvm, cpu, gpu are the
#                                                JVM device and OpenCL with either writer of kernels
# A JVM serves 50 models at most, since PoCL keeps what it ever loaded.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
graphs=${1:-1000}
shift || true
[ $# -gt 0 ] || set -- jvm cpu gpu
log=$root/kernels/target/faults.log
a_process=50
mkdir -p "$(dirname "$log")"

run() {
  local device=$1 first=$2 count=$3
  if ! (cd "$root" && mvn -q -B -pl kernels -am test -Dtest="FaultInjectionTest,NestTest#faults*" "-Dmie.devices=$device" -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dmie.faults.first=$first" "-Dmie.faults.graphs=$count" -Dmie.faults.runs=80) >"$log" 2>&1; then
    cat "$log" >&2
    echo "faults.sh: device $device failed with models from $first on: see above" >&2
    exit 1
  fi
  found=$(grep -o '[0-9]* faults in' "$log" | cut -d ' ' -f 1 | paste -sd + -)
  faults=$((faults + ${found:-0}))
}

for device in "$@"; do
  case $device in
    jvm | cpu | gpu) ;;
    *) echo "faults.sh: no device $device: jvm, cpu or gpu" >&2 && exit 2 ;;
  esac
  faults=0
  started=$SECONDS
  for ((first = 0; first < graphs / 2; first += a_process)); do
    count=$((graphs / 2 - first < a_process ? graphs / 2 - first : a_process))
    run "$device" "$first" "$count"
  done
  printf '%s: %d faults in %d models, each told as it happened, none did harm (%d s)\n' \
    "$device" "$faults" "$((graphs / 2 * 2))" "$((SECONDS - started))"
done
