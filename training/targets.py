"""The target vector of a text: the teacher's vector and, for texts made of parts, a mixture
with the teacher's vectors of the parts.

- A document of several lines: encoding a long text as a whole, the teacher loses details
  that occur once. The mean over the lines, encoded one by one, keeps them.
- A conjunction or disjunction: moved a little towards the normalised sum of the atoms, to
  strengthen weak atoms.
- An exclusion: moved towards the positive part, and made no nearer to the excluded part
  than the positive part is by itself.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass(frozen=True)
class Mixture:
    document: float = 0.5  # share of the mean over lines
    fusion: float = 0.2  # share of the normalised sum of the atoms
    wanted: float = 0.4  # the same for exclusions
    exclusion: float = 0.8  # share of the excess similarity to the excluded atoms that is removed


def compose(m: Mixture, whole, part_sum, excluded, is_document):
    """Compute the targets of a batch of texts.

    whole: the teacher's vectors; part_sum: sums of the teacher's vectors of the parts,
    zero for texts without parts; excluded: (rows, n, dim), zero without exclusions.
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
