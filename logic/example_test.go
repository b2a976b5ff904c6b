package logic_test

import (
	"fmt"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Use the calculus on given similarities, one document at a time.
func ExampleAnd() {
	dog, giraffe, together := 0.35, 0.20, 0.27
	fmt.Printf("%.2f\n", logic.And(together, []float64{dog, giraffe}, logic.Options{}).Value)
	// Output: 0.19
}

// Score a whole pool: one column of cosines per term of the formula.
func ExampleCompile() {
	f, err := query.ParseFormula("cat AND NOT laptop")
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := logic.Compile(f, logic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	columns := make([][]float32, f.Terms.Len()) // cosines of two documents
	for i := range columns {
		switch f.Terms.At(i).String() {
		case "cat":
			columns[i] = []float32{0.482, 0.535}
		case "laptop":
			columns[i] = []float32{0.434, 0.145}
		case "cat AND laptop":
			columns[i] = []float32{0.733, 0.462}
		case "cat AND NOT laptop": // the monolithic query, for the baseline
			columns[i] = []float32{0.733, 0.440}
		}
	}
	scores := make([]float32, 2)
	maxima, err := program.Rank(scores, columns)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", scores)
	first := []float32{columns[0][0], columns[1][0], columns[2][0], columns[3][0]}
	why, _ := program.Explain(first, maxima)
	fmt.Println(why.Sentence)
	// Output:
	// [0.231 0.559]
	// “cat” scores 0.482; “laptop” is there (gate 1.000, delta +0.251), which costs 0.251
}
