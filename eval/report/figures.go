package report

// The paper's own figures, for orientation. Its encoders and corpora differ from ours, so
// none of them is a target. Averages are as printed.

// block holds the figures of one encoder.
type block struct {
	set, encoder string
	rows         []published
}

// published is a row: the six templates in the order of sets.Templates, and their average.
type published struct {
	method string
	cells  [6]float64
	mean   float64
	union  float64 // largest gap between the two fusions, Δ∪
}

// paperMain is tab:main_results. The cells of NSFL are those of the better of two fusions.
var paperMain = []block{
	{"QUEST", "BGE-Large-v1.5", []published{
		{"baseline", [6]float64{0.038, 0.042, 0.050, 0.015, 0.135, 0.107}, 0.065, 0},
		{"NSFL", [6]float64{0.053, 0.044, 0.082, 0.025, 0.144, 0.135}, 0.080, 0.006},
	}},
	{"QUEST", "Nomic-Embed-v2", []published{
		{"baseline", [6]float64{0.033, 0.032, 0.054, 0.019, 0.158, 0.126}, 0.070, 0},
		{"NSFL", [6]float64{0.038, 0.036, 0.094, 0.034, 0.160, 0.141}, 0.084, 0.001},
	}},
	{"QUEST", "E5-base-v2", []published{
		{"baseline", [6]float64{0.045, 0.048, 0.057, 0.020, 0.141, 0.104}, 0.069, 0},
		{"NSFL", [6]float64{0.052, 0.048, 0.086, 0.032, 0.156, 0.143}, 0.086, -0.006},
	}},
	{"QUEST", "LogiCoL-E5-v2", []published{
		{"baseline", [6]float64{0.083, 0.095, 0.113, 0.052, 0.215, 0.153}, 0.118, 0},
		{"NSFL", [6]float64{0.085, 0.093, 0.136, 0.076, 0.250, 0.211}, 0.142, 0.004},
	}},
	{"COCO-Logic", "BLIP-Large", []published{
		{"baseline", [6]float64{0.142, 0.107, 0.323, 0.154, 0.622, 0.622}, 0.328, 0},
		{"NSFL", [6]float64{0.179, 0.127, 0.542, 0.262, 0.730, 0.818}, 0.443, 0.112},
	}},
	{"COCO-Logic", "SigLIP", []published{
		{"baseline", [6]float64{0.166, 0.093, 0.282, 0.137, 0.734, 0.765}, 0.363, 0},
		{"NSFL", [6]float64{0.155, 0.086, 0.461, 0.167, 0.753, 0.826}, 0.408, 0.012},
	}},
}

// paperTemplates is tab:ablation_full; its averages are tab:matrix_ablation.
var paperTemplates = []block{
	{"QUEST", "BGE-Large-v1.5", []published{
		{"baseline", [6]float64{0.038, 0.042, 0.050, 0.015, 0.135, 0.107}, 0.065, 0},
		{"rerank", [6]float64{0.053, 0.044, 0.075, 0.025, 0.144, 0.135}, 0.079, 0},
		{"sqo", [6]float64{0.040, 0.039, 0.073, 0.021, 0.135, 0.107}, 0.069, 0},
		{"hybrid", [6]float64{0.052, 0.044, 0.076, 0.024, 0.147, 0.129}, 0.079, 0},
		{"geo-rerank", [6]float64{0.021, 0.023, 0.067, 0.018, 0.144, 0.135}, 0.068, 0},
		{"geo-opt", [6]float64{0.022, 0.023, 0.054, 0.015, 0.135, 0.107}, 0.059, 0},
		{"geo-hybrid", [6]float64{0.022, 0.023, 0.054, 0.015, 0.144, 0.135}, 0.065, 0},
	}},
	{"COCO-Logic", "BLIP-Large", []published{
		{"baseline", [6]float64{0.142, 0.107, 0.323, 0.154, 0.622, 0.622}, 0.328, 0},
		{"rerank", [6]float64{0.179, 0.127, 0.514, 0.262, 0.730, 0.818}, 0.438, 0},
		{"sqo", [6]float64{0.160, 0.123, 0.495, 0.243, 0.622, 0.622}, 0.378, 0},
		{"hybrid", [6]float64{0.178, 0.134, 0.507, 0.260, 0.730, 0.818}, 0.438, 0},
		{"geo-rerank", [6]float64{0.049, 0.022, 0.639, 0.251, 0.730, 0.818}, 0.418, 0},
		{"geo-opt", [6]float64{0.048, 0.021, 0.632, 0.250, 0.622, 0.622}, 0.366, 0},
		{"geo-hybrid", [6]float64{0.048, 0.021, 0.632, 0.250, 0.730, 0.818}, 0.417, 0},
	}},
}

// paperRecall is tab:recall_comparison: LogiCoL-E5-v2 on QUEST. It has no averages.
var paperRecall = map[string][]published{
	"recall@20": {
		{method: "baseline", cells: [6]float64{0.178, 0.198, 0.172, 0.089, 0.298, 0.225}},
		{method: "NSFL", cells: [6]float64{0.185, 0.206, 0.200, 0.122, 0.338, 0.283}},
	},
	"recall@100": {
		{method: "baseline", cells: [6]float64{0.338, 0.406, 0.397, 0.237, 0.504, 0.423}},
		{method: "NSFL", cells: [6]float64{0.350, 0.415, 0.423, 0.284, 0.550, 0.491}},
	},
}

// tested is a row of the paper's tables of significance.
type tested struct {
	base, method, difference, low, high float64
	p                                   string
}

// paperTests are tab:sig_bge_quest and tab:sig_coco_blip. The averages of the second differ
// from tab:main_results: with the denominator R they would be as low.
var paperTests = []struct {
	set, encoder string
	rows         [6]tested
}{
	{"QUEST", "BGE-Large-v1.5", [6]tested{
		{0.038, 0.053, 0.014, 0.004, 0.025, "0.044"},
		{0.042, 0.044, 0.002, -0.005, 0.009, "0.018"},
		{0.050, 0.075, 0.025, 0.017, 0.035, "< 1e-11"},
		{0.015, 0.025, 0.009, 0.005, 0.014, "< 1e-4"},
		{0.135, 0.144, 0.009, -0.001, 0.019, "0.128"},
		{0.107, 0.135, 0.027, 0.019, 0.036, "< 1e-10"},
	}},
	{"COCO-Logic", "BLIP-Large", [6]tested{
		{0.140, 0.177, 0.038, 0.018, 0.061, "< 1e-4"},
		{0.107, 0.127, 0.020, 0.010, 0.032, "< 1e-5"},
		{0.244, 0.386, 0.142, 0.117, 0.168, "< 1e-15"},
		{0.149, 0.256, 0.106, 0.074, 0.143, "< 1e-10"},
		{0.240, 0.285, 0.045, 0.035, 0.055, "< 1e-16"},
		{0.155, 0.206, 0.051, 0.043, 0.058, "< 1e-17"},
	}},
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
