"""Writes the teacher's token ids for the hard texts in the Go tests.

    python tokens.py --tokenizer tokenizer.json ../encoder/builtin/testdata/tokens.jsonl

The file has one JSON object per line; the ids of each "text" are recomputed.
"""

import argparse
import json

from corpus import tokenizer


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tokenizer", required=True)
    p.add_argument("file")
    args = p.parse_args()
    t = tokenizer(args.tokenizer)
    with open(args.file) as f:
        texts = [json.loads(line)["text"] for line in f]
    with open(args.file, "w") as f:
        for text in texts:
            f.write(json.dumps({"text": text, "ids": t.encode(text).ids}) + "\n")


if __name__ == "__main__":
    main()
