"""Distils the teacher into a student of fewer layers.

    python train.py --teacher model.safetensors --prepared prepared.pt \
        --take 0,2,5 --steps 7500 --out student.pt

The loss is 1 - cosine to the target of each text (targets.py) plus the squared error
of all similarities between the texts of a step.

A step has the same shapes each time, so it is recorded once as a CUDA graph and
replayed: a model this small would otherwise wait for Python.
"""

import argparse
import math
import time

import torch
from safetensors.torch import load_file

from corpus import Tokens
from model import LIMIT, Linear, from_teacher
from targets import Mixture, compose

WIDTHS = [8, 16, 24, 32, 48, 80, 128, 256]  # a step has a batch of each, padded to this width
HELD_OUT = 4096  # texts not used for training


class Data:
    def __init__(self, path: str, mixture: Mixture, device="cuda"):
        d = {name: tensor.to(device) for name, tensor in torch.load(path).items()}
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


class Trainer:
    def __init__(self, student, data: Data, batches: Batches, similarity: float, rate: float):
        self.student, self.data, self.batches, self.similarity = student, data, batches, similarity
        self.rate = torch.tensor(rate, device="cuda")
        self.optimizer = torch.optim.AdamW(
            student.parameters(), lr=self.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True, capturable=True
        )
        self.sums = torch.zeros(3, device="cuda")  # sums of the two losses and of 1
        self.graph = None

    def step(self):
        vectors = []
        with torch.autocast("cuda", dtype=torch.bfloat16):
            for width, rows in zip(WIDTHS, self.batches.rows):
                vectors.append(self.student(*self.data.tokens.batch(rows, width)))
        got = torch.cat(vectors)
        with torch.no_grad():
            want = self.data.targets(torch.cat(self.batches.rows))
            similar = want @ want.T
        cosine = 1 - (got * want).sum(-1).mean()
        similarity = ((got @ got.T - similar) ** 2).mean()
        self.optimizer.zero_grad(set_to_none=True)
        (cosine + self.similarity * similarity).backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimizer.step()
        self.sums += torch.stack([cosine, similarity, torch.ones_like(cosine)]).detach()

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


@torch.no_grad()
def held_out_cosine(model, data: Data, rows):
    """Mean cosines to the targets for held-out texts: lines, fusions, documents."""
    out = []
    composed = data.parts[rows, 0] >= 0
    for kind in (~composed, composed & ~data.document[rows], data.document[rows]):
        at = rows[kind]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            v = torch.cat([model(*data.tokens.batch(b, LIMIT)) for b in at.split(512)])
        out.append(float((v * data.targets(at)).sum(-1).mean()))
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--teacher", required=True)
    p.add_argument("--prepared", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--take", default="0,2,5", help="the teacher's layers the student begins with")
    p.add_argument("--steps", type=int, default=7500)
    p.add_argument("--batch", type=int, default=2048)
    p.add_argument("--rate", type=float, default=4e-4)
    p.add_argument("--similarity", type=float, default=10.0, help="weight of the second loss")
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
    student = from_teacher(load_file(args.teacher), take, LIMIT).cuda()
    trainer = Trainer(student, data, batches, args.similarity, args.rate)
    print(f"{total} texts, {[len(r) for r in batches.rows]} a step, layers {take}, {mixture}", flush=True)

    started, warm = time.time(), min(300, args.steps // 10)
    for step in range(args.steps):
        decay = 0.01 + 0.99 * (0.5 + 0.5 * math.cos(math.pi * step / args.steps))
        trainer.rate.fill_(args.rate * min(1, (step + 1) / warm) * decay)
        batches.draw(generator)
        if step == 0:
            trainer.record()
        if step == int(args.rounded_from * args.steps):
            trainer.round_weights()
        trainer.graph.replay()
        if (step + 1) % 1000 == 0 or step + 1 == args.steps:
            cosine, similarity, count = trainer.sums.tolist()
            trainer.sums.zero_()
            print(
                f"step {step + 1} [{time.time() - started:.0f} s] "
                f"cosine {cosine / count:.4f} similarity {similarity / count:.5f}",
                flush=True,
            )
    lines, fusions, documents = held_out_cosine(student, data, held_out)
    print(f"held out, cosine to the target: lines {lines:.4f}, fusions {fusions:.4f}, documents {documents:.4f}")
    torch.save({"state": student.state_dict(), "take": take, "arguments": vars(args)}, args.out)


if __name__ == "__main__":
    main()
