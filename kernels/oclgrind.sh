#!/usr/bin/env bash
# Runs kernels of both writers in Oclgrind, an interpreter of OpenCL that looks at each memory access:
#   ./mie test --oclgrind        a part, in a few minutes; finds the JDK
#   ./mie test --oclgrind all    with all failure programs of the test data and the whole conformance suite
# It needs oclgrind (Debian, Ubuntu: apt-get install oclgrind) and what ./mie test needs.
#
# It looks for accesses out of bounds and for values that nobody wrote, everywhere, and for data races where no
# request fails. Kernels are built without optimisation, so that each access of the text is there to be looked at.
#
# Not looked at, and why:
# - data races in requests that fail: those who fail in one row write the same bytes to its slot, by design
#   (docs/failures.md), and Oclgrind cannot be told so.
# - values of the arena that nobody wrote: Oclgrind takes a whole buffer as written once the host wrote it. The
#   conformance suite fills the arena with NaNs first, and the planner's verifier proves each read.
# - tests of 100,000 elements or 1,000 runs: it takes a second for some thousand work items.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
extent=${1:-part}
log=$root/kernels/target/oclgrind.log
cache=$root/kernels/target/device-cache
library=$(find /usr/lib* /usr/local/lib* -name 'liboclgrind-rt-icd.so' 2>/dev/null | head -1 || true)
if [ -z "$library" ]; then
  echo "oclgrind.sh: there is no Oclgrind here; Debian, Ubuntu: apt-get install oclgrind" >&2
  exit 2
fi
scratch=$(mktemp -d)
mkdir -p "$(dirname "$log")" "$scratch/vendors"
echo "$library" >"$scratch/vendors/oclgrind.icd"
export OCL_ICD_VENDORS=$scratch/vendors OCLGRIND_UNINITIALIZED=1 OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
# Oclgrind counts the local memory of all kernels of a program as that of each.
export OCLGRIND_LOCAL_MEM_SIZE=16777216

# Programs in the tests' cache were built with optimisation.
restore() {
  rm -rf "$cache"
  [ ! -e "$scratch/cache" ] || mv "$scratch/cache" "$cache"
  rm -rf "$scratch"
}
trap restore EXIT
[ ! -e "$cache" ] || mv "$cache" "$scratch/cache"

# Tests on Oclgrind alone, which writes what it finds to standard error; extra arguments go to Maven.
run() {
  local writer=$1 tests=$2
  shift 2
  echo "oclgrind.sh: writer for $writer, $tests" >&2
  (cd "$root" && mvn -q -B -pl kernels -am test -Dtest="$tests" "-Dmie.devices=$writer" \
    -Dmie.test.pool=4194304 -Dsurefire.failIfNoSpecifiedTests=false "$@") 2>&1 | tee -a "$log" >&2
}

indices='DataFailuresTest#elements*+theFirstBad*+an*+aTu*+aTa*+aBatch*+bad*+callers*'
clean='ArithmeticTest#quotients*+casts*+aShift*'
: >"$log"
for writer in cpu gpu; do
  suite=ConformanceTest
  failing="$indices,RowEndsTest,FaultInjectionTest"
  if [ "$extent" = all ]; then
    failing+=",FailureProgramsTest,GatheredOperandTest,GatheredEdgesTest"
  else
    suite+='#broadcasts*'
  fi
  run "$writer" "$failing" -Dmie.faults.graphs=1 -Dmie.faults.runs=3
  if [ "$writer" = gpu ]; then suite+=',WholeNetworkTest#aRandom*'; else suite+=',WinogradTest#aResult*'; fi
  OCLGRIND_DATA_RACES=1 run "$writer" "$clean,$suite" -Dmie.networks=2
done
if grep -qE 'OCLGRIND|Invalid (read|write)|data race|[Uu]ninitialized|[Ii]nvalid (global|local|private)' "$log"; then
  echo "oclgrind.sh: Oclgrind found something: see $log" >&2
  exit 1
fi
echo "oclgrind.sh: nothing found" >&2
