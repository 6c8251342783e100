#!/usr/bin/env bash
# Ends the service with SIGKILL at a random moment of its start, again and again, and holds each next start to serve;
# every third round the cache is empty before, so that kernels are being compiled, every fifth all files of the cache are cut in half.
# usage: kills.sh JAVA JAR [ROUNDS]   (./mie test --kills [ROUNDS])
set -uo pipefail

java=$1
jar=$2
rounds=${3:-1000}
most_seconds=180
seed=${KILLS_SEED:-$RANDOM}
RANDOM=$seed
work=$(mktemp -d)
cache=$work/cache
service=
trap '[ -z "$service" ] || kill -9 "$service" 2>/dev/null; rm -rf "$work"' EXIT

say() { printf 'kills: %s\n' "$*" >&2; }

start() {
  : >"$work/log"
  "$java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -jar "$jar" serve \
    --server.port=0 "--engine.cache.directory=$cache" --engine.models.names=mnist-mlp,mnist-cnn >"$work/log" 2>&1 &
  service=$!
}

end() {
  { kill -9 "$service" && wait "$service"; } 2>/dev/null
  service=
}

cut_in_half() {
  find "$cache" -type f -size +1c 2>/dev/null | while IFS= read -r file; do
    truncate -s "$(($(stat -c %s "$file") / 2))" "$file"
  done
}

# Waits until the log says that the service can be asked.
serves() {
  local waited=0
  while [ $waited -lt $((most_seconds * 10)) ]; do
    ! grep -q ': ready after .* [1-9][0-9]* of ' "$work/log" || return 0
    kill -0 "$service" 2>/dev/null || return 1
    sleep 0.1
    waited=$((waited + 1))
  done
  return 1
}

begun=$(date +%s)
start
serves || { cat "$work/log" >&2; exit 1; }
end
span=$((10 * ($(date +%s) - begun) + 10))
say "$rounds rounds, a start takes $((span / 10)) s, KILLS_SEED=$seed"
for ((round = 1; round <= rounds; round++)); do
  [ $((round % 3)) != 0 ] || rm -rf "$cache"
  start
  moment=$((RANDOM % span))
  sleep "$((moment / 10)).$((moment % 10))"
  end
  [ $((round % 5)) != 0 ] || cut_in_half
  start
  if ! serves; then
    say "round $round: the start after the kill does not serve (KILLS_SEED=$seed)"
    cat "$work/log" >&2
    exit 1
  fi
  end
  [ $((round % 10)) != 0 ] || say "$round rounds"
done
say "each of $rounds starts after a kill serves"
