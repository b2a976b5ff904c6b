"""Distils the teacher into a student of fewer layers.

    python train.py --teacher minilm.onnx --prepared prepared.pt \
        --take 0,1,3,5 --steps 4000 --out student.pt

The loss is 1 - cosine to the target of each text (targets.py), plus the squared error
of all similarities between the texts of a step, plus the cross entropy between the
retriever's ranking of a step's passages for each of its queries and the student's.

A step has the same shapes each time, so it is recorded once as a CUDA graph and
replayed: a model this small would otherwise wait for Python.
"""

import argparse
import math
import time

import torch
import torch.nn.functional as F

import weights
from corpus import Tokens, encode
from model import LIMIT, Linear, from_teacher
from pairs import QUERIES
from prepare import HELD_OUT as HELD_OUT_PASSAGES, reciprocal_rank
from targets import Mixture, compose

WIDTHS = [8, 16, 24, 32, 48, 80, 128, 256]  # a step has a batch of each, padded to this width
HELD_OUT = 4096  # texts not used for training
QUERY_WIDTH, PASSAGE_WIDTH, LONG_WIDTH = 40, 256, 448
BLOCK = 32  # consecutive passages, of one package, in a step: they are hard to tell apart
TEMPERATURE = 0.05


class Data:
    def __init__(self, path: str, mixture: Mixture, device="cuda"):
        d = {name: tensor.to(device) for name, tensor in torch.load(path).items()}
        self.pairs = d
        self.passages = Tokens(d["passage_flat"], d["passage_lengths"])
        self.queries = Tokens(d["query_flat"], d["query_lengths"])
        self.tokens = Tokens(d["flat"], d["lengths"])
        self.vectors = d["vectors"]
        self.parts, self.excluded, self.document = d["parts"], d["excluded"], d["document"]
        self.mixture = mixture

    def part_vectors(self, rows, table):
        """(rows, n, dim): the teacher's vectors of the texts in a table, zero if there is none."""
        at = table[rows]
        return self.vectors[at.clamp_min(0)].float() * (at >= 0)[:, :, None]

    def targets(self, rows):
        return compose(
            self.mixture,
            self.vectors[rows].float(),
            self.part_vectors(rows, self.parts).sum(1),
            self.part_vectors(rows, self.excluded),
            self.document[rows],
        )


class Batches:
    """Rows for each step. Every width gets a share of the step in proportion to its number of
    texts, so a step has all lengths and little padding."""

    def __init__(self, lengths, size: int, held_out):
        trained = torch.ones(len(lengths), dtype=torch.bool, device=lengths.device)
        trained[held_out] = False
        self.pools, self.rows = [], []
        for low, high in zip([0] + WIDTHS, WIDTHS):
            pool = ((lengths > low) & (lengths <= high) & trained).nonzero()[:, 0]
            count = max(8, round(size * len(pool) / len(lengths)))
            self.pools.append(pool)
            self.rows.append(torch.zeros(count, dtype=torch.long, device=lengths.device))

    def draw(self, generator):
        """Fills rows in place: the tensors stay the same."""
        for pool, rows in zip(self.pools, self.rows):
            at = torch.randint(len(pool), rows.shape, generator=generator, device=pool.device)
            rows.copy_(pool[at])


class Pairs:
    """Rows of passages and queries for each step."""

    def __init__(self, data: Data, size: int):
        self.passages = torch.zeros(size, dtype=torch.long, device="cuda")
        self.queries = torch.zeros(size, dtype=torch.long, device="cuda")
        self.long = torch.zeros(max(8, size // 16), dtype=torch.long, device="cuda")
        self.total = len(data.passages.lengths)
        far = (data.passages.lengths > PASSAGE_WIDTH).nonzero()[:, 0]
        self.pool = far[far >= HELD_OUT_PASSAGES]

    def draw(self, generator):
        draw = lambda high, n: torch.randint(high, (n,), generator=generator, device="cuda")
        starts = HELD_OUT_PASSAGES + draw(self.total - HELD_OUT_PASSAGES - BLOCK, len(self.passages) // BLOCK)
        self.passages.copy_((starts[:, None] + torch.arange(BLOCK, device="cuda")).flatten())
        self.queries.copy_(self.passages * QUERIES + draw(QUERIES, len(self.queries)))
        self.long.copy_(self.pool[draw(len(self.pool), len(self.long))])


class Trainer:
    def __init__(self, student, data: Data, batches: Batches, pairs: Pairs, similarity: float, ranking: float, rate: float):
        self.student, self.data, self.batches, self.similarity = student, data, batches, similarity
        self.pairs, self.ranking = pairs, ranking
        self.rate = torch.tensor(rate, device="cuda")
        self.optimizer = torch.optim.AdamW(
            student.parameters(), lr=self.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True, capturable=True
        )
        self.sums = torch.zeros(4, device="cuda")  # sums of the three losses and of 1
        self.graph = None

    def step(self):
        vectors, d, p = [], self.data, self.pairs
        with torch.autocast("cuda", dtype=torch.bfloat16):
            for width, rows in zip(WIDTHS, self.batches.rows):
                vectors.append(self.student(*d.tokens.batch(rows, width)))
            vectors.append(self.student(*d.passages.batch(p.long, LONG_WIDTH)))
            vectors.append(self.student(*d.queries.batch(p.queries, QUERY_WIDTH)))
            vectors.append(self.student(*d.passages.batch(p.passages, PASSAGE_WIDTH)))
        got = torch.cat(vectors)
        with torch.no_grad():
            take = lambda name, rows: d.pairs[name][rows].float()
            want = torch.cat([
                d.targets(torch.cat(self.batches.rows)),
                take("passage_vectors", p.long),
                take("query_vectors", p.queries),
                take("passage_vectors", p.passages),
            ])
            similar = want @ want.T
            ranked = take("query_ranking", p.queries) @ take("passage_ranking", p.passages).T / TEMPERATURE
        cosine = 1 - (got * want).sum(-1).mean()
        similarity = ((got @ got.T - similar) ** 2).mean()
        scores = vectors[-2] @ vectors[-1].T / TEMPERATURE
        ranking = (divergence(scores, ranked) + divergence(scores.T, ranked.T)) / 2
        self.optimizer.zero_grad(set_to_none=True)
        (cosine + self.similarity * similarity + self.ranking * ranking).backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimizer.step()
        self.sums += torch.stack([cosine, similarity, ranking, torch.ones_like(cosine)]).detach()

    def record(self):
        """Records a step after a few real ones, as CUDA requires."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.step()
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.step()

    def round_weights(self):
        """From here on the forward pass uses weights rounded as in the exported file."""
        self.student.rounded = True
        for m in self.student.modules():
            if isinstance(m, Linear):
                m.rounded = True
        self.record()


def divergence(scores, wanted):
    """The Kullback-Leibler divergence of rows of scores from wanted rows."""
    return F.kl_div(F.log_softmax(scores, -1), F.log_softmax(wanted, -1), reduction="batchmean", log_target=True)


@torch.no_grad()
def held_out_rank(model, data: Data):
    """The mean reciprocal rank of held-out passages for their queries."""
    rows = torch.arange(HELD_OUT_PASSAGES, device="cuda")
    return reciprocal_rank(encode(model, data.queries.take(rows * QUERIES)), encode(model, data.passages.take(rows)))


@torch.no_grad()
def held_out_cosine(model, data: Data, rows):
    """Mean cosines to the targets for held-out texts: lines, fusions, documents."""
    out = []
    composed = data.parts[rows, 0] >= 0
    for kind in (~composed, composed & ~data.document[rows], data.document[rows]):
        at = rows[kind]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            v = torch.cat([model(*data.tokens.batch(b, WIDTHS[-1])) for b in at.split(512)])
        out.append(float((v * data.targets(at)).sum(-1).mean()))
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--teacher", required=True)
    p.add_argument("--prepared", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--take", default="0,1,3,5", help="the teacher's layers the student begins with")
    p.add_argument("--steps", type=int, default=4000)
    p.add_argument("--batch", type=int, default=1024, help="texts of a step")
    p.add_argument("--pairs", type=int, default=256, help="passages of a step")
    p.add_argument("--rate", type=float, default=4e-4)
    p.add_argument("--similarity", type=float, default=10.0, help="weight of the second loss")
    p.add_argument("--ranking", type=float, default=0.1, help="weight of the third loss")
    p.add_argument("--mixture", default="", help='targets.Mixture as "document,fusion,wanted,exclusion"')
    p.add_argument("--rounded-from", type=float, default=0.7, help="share of steps before weights are rounded")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    torch.manual_seed(args.seed)
    generator = torch.Generator(device="cuda").manual_seed(args.seed)

    mixture = Mixture(*map(float, args.mixture.split(","))) if args.mixture else Mixture()
    data = Data(args.prepared, mixture)
    total = len(data.vectors)
    held_out = torch.randperm(total, generator=torch.Generator().manual_seed(0))[:HELD_OUT].cuda()
    batches = Batches(data.tokens.lengths, args.batch, held_out)
    take = [int(i) for i in args.take.split(",")]
    pairs = Pairs(data, args.pairs)
    student = from_teacher(weights.load(args.teacher), take).cuda()
    trainer = Trainer(student, data, batches, pairs, args.similarity, args.ranking, args.rate)
    print(f"{total} texts, {[len(r) for r in batches.rows]} a step, layers {take}, {mixture}", flush=True)

    started, warm = time.time(), min(300, args.steps // 10)
    for step in range(args.steps):
        decay = 0.01 + 0.99 * (0.5 + 0.5 * math.cos(math.pi * step / args.steps))
        trainer.rate.fill_(args.rate * min(1, (step + 1) / warm) * decay)
        batches.draw(generator)
        pairs.draw(generator)
        if step == 0:
            trainer.record()
        if step == int(args.rounded_from * args.steps):
            trainer.round_weights()
        trainer.graph.replay()
        if (step + 1) % 1000 == 0 or step + 1 == args.steps:
            cosine, similarity, ranking, count = trainer.sums.tolist()
            trainer.sums.zero_()
            print(
                f"step {step + 1} [{time.time() - started:.0f} s] "
                f"cosine {cosine / count:.4f} similarity {similarity / count:.5f} ranking {ranking / count:.4f}",
                flush=True,
            )
    lines, fusions, documents = held_out_cosine(student, data, held_out)
    print(f"held out, cosine to the target: lines {lines:.4f}, fusions {fusions:.4f}, documents {documents:.4f}")
    print(f"held out, MRR of passages: {held_out_rank(student, data):.4f}")
    torch.save({"state": student.state_dict(), "take": take, "arguments": vars(args)}, args.out)


if __name__ == "__main__":
    main()
