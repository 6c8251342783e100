#!/usr/bin/env python3
"""Serves the bundled models on this host and holds the answers to what they must be.

    host_check.py SERVICE DATA [--port 18080] [--property engine.device=opencl ...]

SERVICE is what starts the service: `./mie` of a clone, or `bin/mie` of a bundle. DATA is the folder of test data that
CONTRIBUTING.md describes. Needs Python 3.8 and nothing else, so that it runs on a GPU host without Java.

It sends, over the loopback, each model's data set, all MNIST test images to the three classifiers, a bad index, and
checks the pool's figures before and after: that they are what the models' plans add up to, that Actuator's endpoints
agree, and that no request moved them. It prints a line per check and ends with status 1 if one failed.
"""
import argparse, concurrent.futures, gzip, json, pathlib, signal, struct, subprocess, sys, time, urllib.error, urllib.request

EXPECTED_DIGITS = {"mnist-cnn": 9916, "mnist-mlp": 9852, "mnist-deep": 9932}
BAD_WORD = [19, 5, 22, 812, 14] + 15 * [0]
BAD_WORD_ERROR = "node 'node_embedding' (Gather): index 812 is outside [-29, 28] on axis 0, at row 0, position 3"
START_SECONDS = 300
FLOAT, INT64 = 1, 7


class Checks:
    """What was checked, and whether it held."""

    def __init__(self):
        self.failed = 0

    def that(self, holds, what):
        print(("ok      " if holds else "FAILED  ") + what, flush=True)
        self.failed += not holds


class Service:
    """A running service, spoken to as a client would."""

    def __init__(self, base):
        self.base = base

    def get(self, path, accept="application/json"):
        request = urllib.request.Request(self.base + path, headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.read().decode()

    def get_json(self, path):
        return json.loads(self.get(path))

    def infer(self, model, body):
        """Status and answer of an inference request."""
        request = urllib.request.Request(
            f"{self.base}/v2/models/{model}/infer", json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read())

    def is_ready(self):
        try:
            self.get("/actuator/health/readiness")
            return True
        except OSError:
            return False

    def pool(self):
        return self.get_json("/actuator/memorypool")["statistics"]


def fields(message):
    """The fields of a protobuf message: number and value, a number or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            size = varint()
            yield key >> 3, message[at:at + size]
            at += size
        else:
            raise ValueError(f"wire type {key & 7} in a tensor")


class Tensor:
    """A TensorProto with its values in raw_data: name, shape, V2 datatype, values."""

    def __init__(self, file):
        self.shape, kind, raw = [], FLOAT, b""
        for number, value in fields(file.read_bytes()):
            if number == 1:
                self.shape += [value] if isinstance(value, int) else list(value)
            elif number == 2:
                kind = value
            elif number == 8:
                self.name = value.decode()
            elif number == 9:
                raw = value
        self.datatype, code, size = {FLOAT: ("FP32", "f", 4), INT64: ("INT64", "q", 8)}[kind]
        self.values = struct.unpack(f"<{len(raw) // size}{code}", raw)

    def request(self):
        return {"name": self.name, "shape": self.shape, "datatype": self.datatype, "data": list(self.values)}


def is_close(actual, expected):
    largest = max(abs(y) for y in expected)
    return len(actual) == len(expected) and all(
        abs(x - y) <= 1e-3 * abs(y) + 1e-5 * largest for x, y in zip(actual, expected))


def check_data_sets(service, models, checks):
    for folder in models:
        data = folder / "test_data_set_0"
        inputs = [Tensor(file) for file in sorted(data.glob("input_*.pb"))]
        expected = [Tensor(file) for file in sorted(data.glob("output_*.pb"))]
        status, answer = service.infer(folder.name, {"inputs": [tensor.request() for tensor in inputs]})
        outputs = {output["name"]: output for output in answer.get("outputs", [])}
        right = status == 200 and all(
            e.name in outputs and outputs[e.name]["shape"] == e.shape and is_close(outputs[e.name]["data"], e.values)
            for e in expected)
        checks.that(right, f"{folder.name}: the data set of {inputs[0].shape[0]} inputs")


def idx(file, header):
    return gzip.decompress(file.read_bytes())[header:]


def digits_right(service, model, name, pixels, labels, first, batch):
    count = min(batch, len(labels) - first)
    data = [p / 255 for p in pixels[784 * first:784 * (first + count)]]
    body = {"inputs": [{"name": name, "shape": [count, 1, 28, 28], "datatype": "FP32", "data": data}]}
    status, answer = service.infer(model, body)
    if status != 200:
        raise RuntimeError(f"{model}: {status} {answer}")
    scores = answer["outputs"][0]["data"]
    rows = [scores[10 * i:10 * i + 10] for i in range(count)]
    return sum(row.index(max(row)) == labels[first + i] for i, row in enumerate(rows))


def check_digits(service, mnist, checks):
    pixels = idx(mnist / "t10k-images-idx3-ubyte.gz", 16)
    labels = idx(mnist / "t10k-labels-idx1-ubyte.gz", 8)
    for model, expected in EXPECTED_DIGITS.items():
        name = service.get_json(f"/v2/models/{model}")["inputs"][0]["name"]
        started = time.monotonic()
        batches = [1, 7, 64, 256, 100]
        with concurrent.futures.ThreadPoolExecutor(8) as clients:
            pieces, first = [], 0
            while first < len(labels):
                batch = batches[len(pieces) % len(batches)]
                pieces.append(clients.submit(digits_right, service, model, name, pixels, labels, first, batch))
                first += batch
            right = sum(piece.result() for piece in pieces)
        took = time.monotonic() - started
        checks.that(right == expected, f"{model}: {right} of {len(labels)} digits, {expected} expected ({took:.1f} s)")


def check_bad_index(service, checks):
    body = {"inputs": [{"name": "characters", "shape": [1, 20], "datatype": "INT64", "data": BAD_WORD}]}
    status, answer = service.infer("number-words", body)
    checks.that(status == 400 and answer.get("error") == BAD_WORD_ERROR, f"a bad index: {status} {answer.get('error')}")


def check_figures(service, models, checks):
    pool = service.pool()
    reserved = sum(service.get_json(f"/actuator/plans/{model.name}")["reservedBytes"] for model in models)
    checks.that(pool["usedBytes"] == reserved, f"used {pool['usedBytes']:,} bytes, the plans reserve {reserved:,}")
    parts = pool["usedBytes"] + pool["heldBytes"] + pool["freeBytes"]
    checks.that(parts == pool["capacityBytes"], f"used + held + free = {parts:,}, the capacity")
    gauges = {}
    for line in service.get("/actuator/prometheus", "text/plain").splitlines():
        if line.startswith("memory_pool_") and "{" not in line:
            key, value = line.split(" ")
            gauges[key] = float(value)
    for key in ("capacity", "used", "free", "peak"):
        statistic = pool[{"peak": "peakUsedBytes"}.get(key, key + "Bytes")]
        gauge = gauges.get(f"memory_pool_{key}_bytes")
        checks.that(gauge == statistic, f"memory.pool.{key} is {statistic:,} in metrics too")
    return pool


def wait_until_ready(process, service):
    deadline = time.monotonic() + START_SECONDS
    while not service.is_ready():
        if process.poll() is not None:
            sys.exit(f"the service ended with status {process.returncode} before it was ready")
        if time.monotonic() > deadline:
            sys.exit(f"the service was not ready after {START_SECONDS} s")
        time.sleep(0.2)


def stop(process, checks):
    process.send_signal(signal.SIGTERM)
    try:
        status = process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        status = "killed"
    checks.that(status in (0, 143, -15), f"the service stopped when asked (status {status})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("service")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--port", type=int, default=18080)
    parser.add_argument("--property", action="append", default=[])
    options = parser.parse_args()
    properties = [f"--{p}" for p in [f"server.port={options.port}", *options.property]]
    started = time.monotonic()
    process = subprocess.Popen([options.service, "serve", *properties], stdout=sys.stderr)
    service, checks = Service(f"http://127.0.0.1:{options.port}"), Checks()
    models = sorted((options.data / "models").iterdir())
    try:
        wait_until_ready(process, service)
        print(f"ready after {time.monotonic() - started:.1f} s", flush=True)
        before = check_figures(service, models, checks)
        check_data_sets(service, models, checks)
        check_digits(service, options.data / "mnist", checks)
        check_bad_index(service, checks)
        after = check_figures(service, models, checks)
        checks.that(before == after, "no request moved the pool's figures")
    finally:
        stop(process, checks)
    print(f"{checks.failed} checks failed" if checks.failed else "all checks passed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
