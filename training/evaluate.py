"""mAP@100 of the teacher and of students, on the sets that madeset.py generates from the
training text and on logic sets in folders.

    python evaluate.py --teacher model.safetensors --tokenizer tokenizer.json \
        --text text.txt.gz --sets coco films -- student.pt ...

A folder holds corpus.jsonl.gz (title, passages, labels) and queries.dev.jsonl
(template, formula, truth). Such sets are never trained on; choices were made on the
generated ones.
"""

import argparse
from pathlib import Path

from safetensors.torch import load_file

from corpus import encode, tokenize, tokenizer
from logicset import LogicSet, line
from madeset import made_sets
from model import from_teacher, load_student


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--teacher", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--text", required=True)
    p.add_argument("--sets", nargs="*", default=[])
    p.add_argument("students", nargs="*")
    args = p.parse_args()
    t = tokenizer(args.tokenizer)
    encoders = {"teacher": from_teacher(load_file(args.teacher), range(6)).cuda().eval()}
    for path in args.students:
        encoders[Path(path).stem] = load_student(path).cuda().eval()
    sets = made_sets(encoders["teacher"], t, args.text) + [LogicSet.load(f) for f in args.sets]
    for s in sets:
        strings = s.strings()
        documents, queries = tokenize(t, s.documents), tokenize(t, strings)
        for name, encoder in encoders.items():
            vectors = dict(zip(strings, encode(encoder, queries)))
            cells = s.score(encode(encoder, documents), vectors.__getitem__)
            for method, values in cells.items():
                print(f"{s.name:14} {name:14} {method:9} {line(values)}", flush=True)


if __name__ == "__main__":
    main()
