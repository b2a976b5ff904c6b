package report

import (
	_ "embed"
	"encoding/json"
)

// The paper's own figures, for orientation. Its encoders and corpora differ from ours, so
// none of them is a target. Averages are as printed.
var paper = func() (p paperFigures) {
	if err := json.Unmarshal(paperJSON, &p); err != nil {
		panic("report: paper.json: " + err.Error())
	}
	return p
}()

//go:embed paper.json
var paperJSON []byte

type paperFigures struct {
	// Main is tab:main_results. The cells of NSFL are those of the better of two fusions.
	Main []block
	// Templates is tab:ablation_full; its averages are tab:matrix_ablation.
	Templates []block
	// Recall is tab:recall_comparison, LogiCoL-E5-v2 on QUEST, by measure. It has no averages.
	Recall map[string][]published
	// Tests are tab:sig_bge_quest and tab:sig_coco_blip. The averages of the second differ from
	// tab:main_results: with the denominator R they would be as low.
	Tests []testBlock
}

// block holds the figures of one encoder.
type block struct {
	Set, Encoder string
	Rows         []published
}

// published is a row: the six templates in the order of sets.Templates, and their average.
type published struct {
	Method string
	Cells  [6]float64
	Mean   float64
	Union  float64 // largest gap between the two fusions, Δ∪
}

// testBlock holds the tests of one encoder, by template in the order of sets.Templates.
type testBlock struct {
	Set, Encoder string
	Rows         [6]struct {
		Base, Method, Difference, Low, High float64
		P                                   string
	}
}

// paperDeltas adds tab:delta_extraction. Its column of deltas is Δ part; the other columns
// follow from its similarities.
func paperDeltas(t *Table) {
	t.Rows = append(t.Rows, line{Title: "the paper, BLIP-Base"})
	t.Add("dog", "dog and giraffe", "0.35", "0.27", "+0.07", "−0.08")
	t.Add("giraffe", "dog and giraffe", "0.20", "0.27", "−0.08", "+0.07")
	t.Add("(similar)", "dog but not giraffe", "", "0.26", "", "−0.09")
	t.Add("dog", "dog and man", "0.35", "0.44", "+0.14", "+0.09")
	t.Add("man", "dog and man", "0.30", "0.44", "+0.09", "+0.14")
}
