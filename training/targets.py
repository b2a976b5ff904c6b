"""The vector a student is taught for a text: the teacher's, and for texts made of
parts a mixture with the teacher's vectors of the parts.

- A document of several lines: the teacher reads a long text as a whole and loses
  what is said once. Its mean over the lines, read one by one, keeps it.
- A conjunction or disjunction: drawn a little towards the normalised sum of the
  atoms, so that a weak atom does not drown.
- An exclusion: drawn towards what is wanted, and made no nearer to what is
  excluded than the wanted part is by itself.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass(frozen=True)
class Mixture:
    document: float = 0.5  # share of the mean over lines
    fusion: float = 0.2  # share of the normalised sum of the atoms
    wanted: float = 0.4  # the same where something is excluded
    exclusion: float = 0.8  # how much of the excess towards the excluded is taken away


def compose(m: Mixture, whole, part_sum, excluded, is_document):
    """Targets of a batch of texts.

    whole: the teacher's vectors; part_sum: sums of the teacher's vectors of the parts,
    zero where a text has none; excluded: (rows, n, dim), zero where nothing is.
    """
    excludes = excluded.abs().sum((1, 2)) > 0
    share = torch.where(is_document, m.document, torch.where(excludes, m.wanted, m.fusion))
    share = torch.where(part_sum.abs().sum(-1) > 0, share, 0.0)[:, None]
    parts = F.normalize(part_sum, dim=-1)
    v = F.normalize((1 - share) * whole + share * parts, dim=-1)
    for n in excluded.unbind(1):
        excess = ((v - parts) * n).sum(-1, keepdim=True).clamp_min(0)
        v = v - m.exclusion * excess * n
    return F.normalize(v, dim=-1)
