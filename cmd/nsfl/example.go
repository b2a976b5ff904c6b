package main

import (
	_ "embed"
)

// exampleFormula and exampleSimilarities let score run without any input. The
// pictures are from COCO, described anew; the numbers are the cosines of their
// captions to the formula's strings by all-MiniLM-L6-v2.
const exampleFormula = "cat AND NOT laptop"

//go:embed example.jsonl
var exampleSimilarities string
