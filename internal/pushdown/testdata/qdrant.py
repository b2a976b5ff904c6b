"""Answers queries by a formula with Qdrant's own engine, for TestQdrantEngine: the vectors of
points on the first line, then a request a line, the ids and scores of its points in turn."""

import json
import sys
import tempfile

import qdrant_edge as q

E = q.Expression


def expression(x):
    if isinstance(x, (int, float)):
        return E.Constant(float(x))
    if isinstance(x, str):
        return E.Variable(x)
    ((name, of),) = x.items()
    if name in ("sum", "mult"):
        return {"sum": E.Sum, "mult": E.Mult}[name]([expression(y) for y in of])
    if name in ("neg", "abs"):
        return {"neg": E.Neg, "abs": E.Abs}[name](expression(of))
    if name == "div":
        return E.Div(expression(of["left"]), expression(of["right"]), of["by_zero_default"])
    if name == "pow":
        return E.Pow(expression(of["base"]), expression(of["exponent"]))
    raise ValueError(name)


def prefetch(p):
    params = q.SearchParams(exact=True) if p.get("params") else None
    inner = [prefetch(x) for x in p.get("prefetch", [])] or None
    return q.Prefetch(limit=p["limit"], query=q.Query.Nearest(p["query"]), prefetches=inner, params=params)


points = json.loads(sys.stdin.readline())
with tempfile.TemporaryDirectory() as folder:
    size = len(next(iter(points.values())))
    shard = q.EdgeShard.create(folder, q.EdgeConfig(vectors=q.EdgeVectorParams(size=size, distance=q.Distance.Cosine)))
    shard.update(q.UpdateOperation.upsert_points([q.Point(int(i), v, {}) for i, v in points.items()]))
    for line in sys.stdin:
        body = json.loads(line)
        formula = q.Formula(expression(body["query"]["formula"]), body["query"]["defaults"])
        request = q.QueryRequest(limit=body["limit"], prefetches=[prefetch(p) for p in body["prefetch"]], query=formula)
        print(json.dumps({str(p.id): p.score for p in shard.query(request)}), flush=True)
    shard.close()
