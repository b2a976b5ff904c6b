package measure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// graded is a query with every case that trec_eval distinguishes: graded judgements, a
// document judged not relevant (b), one in the pool without a judgement (e), a ranked
// document outside the pool (x), a relevant one that is not ranked (f).
var graded = map[string]int{"a": 2, "b": 0, "c": 1, "d": 3, "e": -1, "f": 1}

func judge(t *testing.T, ranking string, grades map[string]int) Judged {
	t.Helper()
	ideal := []int{}
	for _, g := range grades {
		ideal = append(ideal, g)
	}
	j, err := Judge(strings.Fields(ranking), func(id string) int { return grades[id] }, ideal)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestJudge(t *testing.T) {
	j := judge(t, "b d x a e c", graded)
	if want := []int{0, 3, 0, 2, -1, 1}; !slices.Equal(j.Ranked, want) {
		t.Errorf("got ranked grades %v, want %v", j.Ranked, want)
	}
	if want := []int{3, 2, 1, 1}; !slices.Equal(j.Ideal, want) || j.Relevant() != 4 {
		t.Errorf("got ideal grades %v, want %v", j.Ideal, want)
	}
	_, err := Judge([]string{"a", "b", "a"}, func(string) int { return 0 }, nil)
	if err == nil || !strings.Contains(err.Error(), `"a" is at rank 1 and again at rank 3`) {
		t.Errorf("a document ranked twice: got error %v", err)
	}
}

// The values of the first two rankings follow from the rules in trec_eval's
// sources (usnistgov/trec_eval: form_res_rels.c, m_map_cut.c,
// m_P.c, m_recall.c, m_ndcg.c, m_ndcg_cut.c, m_recip_rank.c, m_Rprec.c,
// m_success.c); as fractions they can be checked by eye. Those of nDCG and of the
// third are from scikit-learn 1.2.1 (Debian's python3-sklearn):
//
//	g, s = [0,3,0,2,0,1,1], range(7,0,-1)
//	ndcg_score([g], [s], k=2), ndcg_score([g], [s], k=6)
//	g, s = the forty grades below, range(40,0,-1)
//	average_precision_score([min(v,1) for v in g], s), ndcg_score([g], [s], k=…)
func TestMeasures(t *testing.T) {
	small := judge(t, "b d x a e c", graded)
	long := Judged{Ranked: make([]int, 40), Ideal: []int{3, 3, 2, 2, 2, 2, 2, 1, 1, 1}}
	copy(long.Ranked, []int{2, 2, 1, 2, 1, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 2})
	long.Ranked[39] = 3
	none := Judged{Ranked: []int{0, 0, -1}}
	empty := Judged{Ideal: []int{1}}

	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"map", small.AveragePrecision(0, All), (1./2 + 2./4 + 3./6) / 4},
		{"map, reachable", small.AveragePrecision(0, Reachable), (1./2 + 2./4 + 3./6) / 4},
		{"map_cut_2", small.AveragePrecision(2, All), (1. / 2) / 4},
		{"map_cut_2, reachable", small.AveragePrecision(2, Reachable), (1. / 2) / 2},
		{"map_cut_5", small.AveragePrecision(5, All), (1./2 + 2./4) / 4},
		{"map_cut_100", small.AveragePrecision(100, All), (1./2 + 2./4 + 3./6) / 4},
		{"map_cut_100, reachable", small.AveragePrecision(100, Reachable), (1./2 + 2./4 + 3./6) / 4},
		{"recall_5", small.Recall(5), 2. / 4},
		{"recall_1000", small.Recall(1000), 3. / 4},
		{"ndcg_cut_1", small.NDCG(1), 0},
		{"ndcg_cut_2", small.NDCG(2), 0.4441228664487979},
		{"ndcg_cut_4", small.NDCG(4), 0.5304040920024746},
		{"ndcg_cut_6", small.NDCG(6), 0.5990039404453537},
		{"ndcg", small.NDCG(0), 0.5990039404453537},

		{"long map", long.AveragePrecision(0, All), 0.7422390109890109},
		{"long ndcg_cut_5", long.NDCG(5), 0.6655375395855884},
		{"long ndcg_cut_10", long.NDCG(10), 0.5105805028551195},
		{"long ndcg_cut_20", long.NDCG(20), 0.7226849647773534},
		{"long ndcg", long.NDCG(0), 0.7797507356606261},

		{"none: map", none.AveragePrecision(0, All), 0},
		{"none: reachable", none.AveragePrecision(10, Reachable), 0},
		{"none: recall", none.Recall(10), 0},
		{"none: ndcg", none.NDCG(10), 0},

		{"nothing ranked: map", empty.AveragePrecision(10, Reachable), 0},
		{"nothing ranked: ndcg", empty.NDCG(0), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-15 {
			t.Errorf("%s: got %.17g, want %.17g", c.name, c.got, c.want)
		}
	}
}

// With more relevant documents than ranks the two denominators differ; the paper's tables
// have OR on COCO with both.
func TestDenominators(t *testing.T) {
	perfect := Judged{Ranked: slices.Repeat([]int{1}, 100), Ideal: slices.Repeat([]int{1}, 400)}
	if got := perfect.AveragePrecision(100, Reachable); got != 1 {
		t.Errorf("perfect ranking over min(R, k): got %g, want 1", got)
	}
	if got := perfect.AveragePrecision(100, All); got != 0.25 {
		t.Errorf("perfect ranking over R: got %g, want 0.25", got)
	}
}

func ExampleJudged() {
	relevant := map[string]int{"rex": 1, "fido": 1, "bello": 1}
	j, err := Judge([]string{"rex", "tom", "fido"}, func(id string) int { return relevant[id] }, []int{1, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("AP@2 %.3f, or %.3f over all; recall %.3f\n",
		j.AveragePrecision(2, Reachable), j.AveragePrecision(2, All), j.Recall(0))
	// Output: AP@2 0.500, or 0.333 over all; recall 0.667
}
