"""PyTorch as a peer of the benchmark: answers each line of JSON on standard input with one on standard output."""

import json
import sys

import torch


def hello(_):
    return {"torch": torch.__version__, "cuda": torch.version.cuda, "device": torch.cuda.get_device_name()}


COMMANDS = {"hello": hello}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = COMMANDS[request["do"]](request)
        except Exception as error:  # the other side decides what a failure means
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
