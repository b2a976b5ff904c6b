package sphere_test

import (
	"fmt"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/sphere"
)

// One query vector that stands for the whole formula, for any vector search.
func Example() {
	f, err := query.ParseFormula("cat AND NOT laptop")
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := fusion.New(f, fusion.Simple)
	// Three dimensions instead of an encoder: cats, laptops, the rest.
	encoded := map[string][]float32{
		"cat":                {0.8, 0, 0.6},
		"laptop":             {0, 0.8, 0.6},
		"cat AND laptop":     {0.6, 0.6, 0.52915},
		"cat AND NOT laptop": {0.6, 0.6, 0.52915},
	}
	var vectors [][]float32
	for _, s := range plan.Strings {
		vectors = append(vectors, encoded[s])
	}
	if vectors, err = plan.Vectors(vectors, nil); err != nil {
		fmt.Println(err)
		return
	}
	program, err := logic.Compile(f, logic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := sphere.Exact(program.Objective(), vectors)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", best.Vector)
	// Output: [0.75 -0.04 0.66]
}
