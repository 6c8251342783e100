# shellcheck shell=bash disable=SC2154 # what is not assigned here is in `mie`
# The command `./mie bundle`, a part of `mie`: a folder that runs on Linux without Java, on the processors
# (x86-64 or 64-bit ARM) of the machine that makes it, and an archive of it.
#
#   bin/mie          the start script, bundle/bin/mie
#   app/             the service's jar and, in app/lib, the libraries that it names
#   lib/processor    for which it is: x86_64 or aarch64
#   lib/jocl         JOCL's native library
#   lib/opencl       an OpenCL loader for hosts without one, if this machine has one
#   lib/bench        the benchmarks' jar and what it needs beyond the application; their scripts are in bench/
#   runtime/         a Java runtime of those modules that the jars need

# Modules that no class names, since Java finds them as services: zip file systems, and elliptic curves in older JDKs;
# and the one that the JVM device computes with.
modules_of_services=jdk.crypto.ec,jdk.zipfs,jdk.incubator.vector
largest_archive_mebibytes=50

bundle() {
  local out=$root/target/bundle archive=yes
  while [ $# -gt 0 ]; do
    case $1 in
      --out)
        [ -n "${2:-}" ] || wrong_use "--out needs a folder"
        out=$2
        shift
        ;;
      --no-archive) archive='' ;;
      *) wrong_use "bundle takes --out DIR and --no-archive, and got: $1" ;;
    esac
    shift
  done
  is_bundled_for "$(uname -sm)" ||
    wrong_use "bundles are for Linux on x86-64 and on 64-bit ARM, each made on its own, in a container if need be, and this is $(uname -sm)"
  find_jdk
  build engine-service
  build bench
  mkdir -p "$out"
  out=$(cd "$out" && pwd)
  assemble "$out/mini-inference-engine"
  printf '%s\n' "$out/mini-inference-engine"
  [ -z "$archive" ] || pack "$out"
}

# Makes the folder anew. What is deleted for it must have been a bundle.
assemble() {
  local folder=$1 context
  [ ! -e "$folder" ] || [ -x "$folder/bin/mie" ] || wrong_use "$folder is in the way: it is no bundle"
  say "assembling $folder"
  rm -rf "$folder"
  mkdir -p "$folder/lib"
  cp -R "$root/bundle/bin" "$root/bundle/README.md" "$root/LICENSE" "$folder"
  cp "$(dirname "$(jar_of engine-service)")/bom.json" "$folder"
  uname -m >"$folder/lib/processor"
  add_application "$folder"
  add_benchmarks "$folder"
  add_loader "$folder"
  # beside the linking, which needs nothing of it: the beans name no modules that the service does not
  generate_context "$folder/app" >"$root/target/context.log" 2>&1 &
  context=$!
  link_runtime "$folder"
  wait "$context" ||
    say "the bundle's starts will make the service's beans anew: see $root/target/context.log"
  "$JAVA_HOME/bin/java" "$root/bundle/Repack.java" "$folder"
  chmod -R u+w,a+rX "$folder"
  keep_classes_of "$folder"
}

# Help texts, and the classes of a start that ends by itself, which the JVM links for later ones. They hold for jars of
# these dates, and are no part of the archive, which is smaller without.
keep_classes_of() {
  local cache=$root/target/aot-cache
  "$JAVA_HOME/bin/java" "${java_options[@]}" -jar "$1/app/engine-service.jar" texts "$1/app/help" >&2
  if ! JDK_JAVA_OPTIONS="${training[*]} -XX:AOTCacheOutput=$1/app/engine-service.aot" "$1/bin/mie" serve \
    --server.port=0 --spring.grpc.server.port=0 "--engine.cache.directory=$cache" >"$root/target/aot.log" 2>&1; then
    say "the bundle will start without kept classes: see $root/target/aot.log"
  fi
  rm -rf "$cache"
}

# JOCL's library is a file of its own, since JOCL would write it into the host's folder for temporary files otherwise.
add_application() {
  local jocl
  "$JAVA_HOME/bin/java" -Djarmode=tools -jar "$(jar_of engine-service)" extract --destination "$1/app" >&2
  jocl=$(find "$1/app/lib" -name 'jocl-*.jar')
  mkdir "$1/lib/jocl"
  (cd "$1/lib/jocl" && "$JAVA_HOME/bin/jar" --extract --file "$jocl" lib && mv lib/*-linux-"$(name_in_jocl)".so . && rm -r lib)
}

name_in_jocl() { if [ "$(uname -m)" = aarch64 ]; then echo arm64; else uname -m; fi; }

add_benchmarks() {
  local library
  mkdir "$1/bench" "$1/lib/bench"
  cp "$root"/bench/*.py "$1/bench"
  for library in "$root"/bench/target/{bench.jar,lib/*.jar,peers/*.jar}; do
    [ -e "$1/app/lib/${library##*/}" ] || cp "$library" "$1/lib/bench"
  done
}

add_loader() {
  local loader in_cache=x86-64 licence=/usr/share/doc/ocl-icd-libopencl1/copyright
  [ "$(uname -m)" != aarch64 ] || in_cache=AArch64
  loader=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n "s/.*libOpenCL\.so\.1 (libc6,$in_cache.*) => //p" | head -n 1)
  if [ ! -e "$loader" ] || [ ! -e "$licence" ]; then
    say "ocl-icd is not installed here, so hosts need an OpenCL loader of their own. To bundle it: apt-get install ocl-icd-libopencl1"
    return
  fi
  mkdir "$1/lib/opencl"
  cp "$loader" "$1/lib/opencl/libOpenCL.so.1"
  cp "$licence" "$1/lib/opencl/LICENSE"
}

# The runtime is not compressed, since the archive is smaller for it.
link_runtime() {
  local modules
  modules=$("$JAVA_HOME/bin/jdeps" --ignore-missing-deps --multi-release "$oldest_java" --recursive --print-module-deps \
    --class-path "$1/app/lib/*:$1/lib/bench/*" "$1/app/engine-service.jar" "$1/lib/bench/bench.jar" | tail -n 1)
  if ! "$JAVA_HOME/bin/jlink" --add-modules "$modules,$modules_of_services" --vm server --compress zip-0 \
    --strip-debug --no-man-pages --no-header-files --output "$1/runtime" >&2; then
    say "the JDK in $JAVA_HOME cannot link a runtime. To get one that can:
  Debian, Ubuntu: apt-get install temurin-25-jdk (from adoptium.net/installation/linux), or openjdk-25-jdk where the release has it
  anywhere: unpack a JDK from adoptium.net, leave it as it is, and set JAVA_HOME"
    exit 1
  fi
}

# The same contents make the same bytes: names in order, one owner, the time of the commit.
pack() {
  local archive bytes
  archive=$1/mini-inference-engine-linux-$(uname -m).tar.xz
  say "packing $archive"
  tar --create --directory "$1" --sort=name --owner=0 --group=0 --numeric-owner --mode=go-w \
    --exclude='*.aot' --mtime="@$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)" mini-inference-engine |
    xz --threads=0 -6 >"$archive"
  bytes=$(wc -c <"$archive")
  printf '%s, %s bytes\n' "$archive" "$bytes"
  if [ "$bytes" -gt $((largest_archive_mebibytes << 20)) ]; then
    say "the archive is larger than $largest_archive_mebibytes MiB"
    exit 1
  fi
}
