"""Serves Qdrant's own engine, in qdrant-edge-py, by the part of Qdrant's REST API that the tests
need: arguments are the folder of the data and the port. It ends when its input ends.

Requests and answers follow the OpenAPI document that Qdrant publishes. All that is about
search, filters, counts and order is done by the engine; this file only translates."""

import enum
import json
import os
import re
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import qdrant_edge as q

folder, port = sys.argv[1], int(sys.argv[2])
collections = {}  # by name: the request that created it, and its shard
changed = set()  # shards whose index is behind
lock = threading.RLock()
made = 0


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def config(c):
    def params(v):
        return q.EdgeVectorParams(size=v["size"], distance=getattr(q.Distance, v["distance"]))

    vectors = c["vectors"]
    return q.EdgeConfig(
        vectors=params(vectors) if "size" in vectors else {name: params(v) for name, v in vectors.items()},
        hnsw_config=q.HnswIndexConfig(m=16, ef_construct=100, full_scan_threshold=c["hnsw_config"]["full_scan_threshold"]) if "hnsw_config" in c else None,
        optimizers=q.EdgeOptimizersConfig(**c["optimizers_config"]) if "optimizers_config" in c else None,
    )


def values(payload, path):
    """The values at a path, which has no quoted names."""
    for name in path.split("."):
        payload = payload.get(name) if isinstance(payload, dict) else None
    return payload if isinstance(payload, list) else [payload]


def matched(shard, key, m):
    if "text" in m:
        return q.FieldCondition(key, match=q.MatchText(m["text"]))
    if not isinstance(m["value"], bool):
        return q.FieldCondition(key, match=q.MatchValue(m["value"]))
    # The binding makes an integer of True, so that it cannot match booleans.
    points, _ = shard.scroll(q.ScrollRequest(limit=10**6, with_payload=True))
    return q.HasIdCondition({p.id for p in points if any(v is m["value"] for v in values(p.payload, key))})


def condition(shard, c):
    if c.keys() & {"must", "should", "must_not"}:
        return filtered(shard, c)
    if "has_vector" in c:
        return q.HasVectorCondition(c["has_vector"])
    if "is_empty" in c:
        return q.IsEmptyCondition(c["is_empty"]["key"])
    if "match" in c:
        return matched(shard, c["key"], c["match"])
    if "range" in c:
        return q.FieldCondition(c["key"], range=q.RangeFloat(**{name: float(x) for name, x in c["range"].items()}))
    raise Refused(400, f"unknown condition {json.dumps(c)}")


def filtered(shard, f):
    if f is None:
        return None
    if f.keys() - {"must", "should", "must_not"}:
        raise Refused(400, f"unknown field in the filter {json.dumps(f)}")
    return q.Filter(**{clause: [condition(shard, c) for c in f[clause]] for clause in f})


def selected(with_payload):
    if not isinstance(with_payload, dict):
        return with_payload
    if "include" in with_payload:
        return q.PayloadSelector.Include(with_payload["include"])
    return q.PayloadSelector.Exclude(with_payload["exclude"])


def parts(body):
    return {"with_payload": selected(body.get("with_payload", False)), "with_vector": body.get("with_vector", False)}


def plain(p, scored=False):
    out = {"id": p.id if isinstance(p.id, int) else str(p.id), "payload": p.payload}
    if p.vector is not None:
        out["vector"] = p.vector
    if scored:
        out.update(score=p.score, version=p.version)
    return out


def query(shard, body):
    if shard in changed:  # a server does this in the background
        changed.remove(shard)
        shard.optimize()
    what, using = body.get("query"), body.get("using")
    if isinstance(what, dict):
        if what != {"sample": "random"}:
            raise Refused(400, f"unknown query {json.dumps(what)}")
        what = q.Sample.Random
    else:
        what = q.Query.Nearest(what, using)
    params = q.SearchParams(**body["params"]) if "params" in body else None
    request = q.QueryRequest(limit=body.get("limit", 10), query=what, filter=filtered(shard, body.get("filter")), params=params, **parts(body))
    return {"points": [plain(p, True) for p in shard.query(request)]}


def scroll(shard, body):
    request = q.ScrollRequest(offset=body.get("offset"), limit=body.get("limit", 10), filter=filtered(shard, body.get("filter")), **parts(body))
    points, after = shard.scroll(request)
    return {"points": [plain(p) for p in points], "next_page_offset": after if after is None or isinstance(after, int) else str(after)}


def count(shard, body):
    return {"count": shard.count(q.CountRequest(exact=body.get("exact", True), filter=filtered(shard, body.get("filter"))))}


def retrieve(shard, body):
    return [plain(p) for p in shard.retrieve(body["ids"], **parts(body))]


def delete(shard, body):
    shard.update(q.UpdateOperation.delete_points(body["points"]))
    return {"status": "completed"}


def upsert(shard, body):
    shard.update(q.UpdateOperation.upsert_points([q.Point(p["id"], p["vector"], p.get("payload")) for p in body["points"]]))
    changed.add(shard)
    return {"status": "completed"}


def create_index(shard, body):
    kind = body["field_schema"].capitalize()
    shard.update(q.UpdateOperation.create_field_index(body["field_name"], getattr(q.PayloadSchemaType, kind)))
    return {"status": "completed"}


def named(x):
    """The name of an enumeration's value, in the form that the API has."""
    text = x.name if isinstance(x, enum.Enum) else str(x)
    return text.rsplit(".", 1)[-1].lower()


def describe(name):
    made, shard = collections[name]
    info = shard.info()
    schema = {path: {"data_type": named(i.data_type), "points": i.points} for path, i in info.payload_schema.items()}
    return {
        "status": "green",
        "points_count": info.points_count,
        "indexed_vectors_count": info.indexed_vectors_count,
        "config": {"params": {"vectors": made["vectors"]}, "quantization_config": None},
        "payload_schema": schema,
    }


def create(name, body):
    global made
    made += 1
    path = os.path.join(folder, str(made))
    os.makedirs(path)
    with open(path + ".json", "w") as f:
        json.dump({"name": name, "made": body}, f)
    collections[name] = body, q.EdgeShard.create(path, config(body))
    return True


def drop(name):
    shard = collections.pop(name)[1]
    changed.discard(shard)
    shard.close()
    return True


OPERATIONS = {
    ("POST", "points/query"): query,
    ("POST", "points/scroll"): scroll,
    ("POST", "points/count"): count,
    ("POST", "points/delete"): delete,
    ("POST", "points"): retrieve,
    ("PUT", "points"): upsert,
    ("PUT", "index"): create_index,
}


def answer(method, path, body):
    if path == "/":
        return {"title": "qdrant - vector search engine", "version": "qdrant-edge-py"}
    _, root, *rest = path.split("/", 3)
    if root != "collections":
        raise Refused(404, "")
    if not rest:
        return {"collections": [{"name": name} for name in collections]}
    name = urllib.parse.unquote(rest[0])
    if len(rest) == 1 and method == "PUT":
        return create(name, body)
    if name not in collections:
        raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
    if len(rest) == 1:
        return drop(name) if method == "DELETE" else describe(name)
    operation = OPERATIONS.get((method, rest[1]))
    if operation is None:
        raise Refused(404, "")
    return operation(collections[name][1], body)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # otherwise each answer waits 40 ms for an acknowledgement

    def handle_request(self):
        begun = time.time()
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            return
        status, out = 200, None
        try:
            with lock:
                out = {"result": answer(self.command, self.path.split("?")[0], json.loads(body) if body else None), "status": "ok"}
        except Refused as e:
            status, out = e.code, {"status": {"error": str(e)}}
        except Exception as e:  # the engine refuses
            status, out = 400, {"status": {"error": f"Bad request: {e}"}}
        out["time"] = time.time() - begun
        text = json.dumps(out).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    def log_message(self, *args):
        pass


def load():
    """Opens the collections of a server that was killed."""
    global made
    for file in sorted(os.listdir(folder)):
        if number := re.fullmatch(r"(\d+)\.json", file):
            with open(os.path.join(folder, file)) as f:
                kept = json.load(f)
            made = max(made, int(number[1]))
            collections[kept["name"]] = kept["made"], q.EdgeShard.load(os.path.join(folder, number[1]))


def watch():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=watch, daemon=True).start()
load()
ThreadingHTTPServer.daemon_threads = True
ThreadingHTTPServer.request_queue_size = 64
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
