# Serves until its input ends, which it does with the process that has started it.
import os
import sys
import threading

from milvus_lite.adapter.grpc.server import run_server


def watch():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=watch, daemon=True).start()
# Milvus Lite is not safe for two writers at the same time, so that one thread serves.
run_server(sys.argv[1], "127.0.0.1", int(sys.argv[2]), max_workers=1)
