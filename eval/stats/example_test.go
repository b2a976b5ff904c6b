package stats_test

import (
	"fmt"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// The average precisions of eight queries by two methods.
func Example() {
	base := []float64{0.31, 0.25, 0.48, 0.02, 0.66, 0.17, 0.52, 0.40}
	method := []float64{0.39, 0.31, 0.47, 0.12, 0.71, 0.32, 0.55, 0.42}
	test, err := stats.Wilcoxon(base, method)
	if err != nil {
		fmt.Println(err)
		return
	}
	gain, err := stats.Bootstrap{Seed: 1}.RelativeGain(base, method, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p %.4f (n %d, %s), effect %.2f\n", test.P, test.N, test.Method, test.RankBiserial)
	fmt.Printf("%+.0f %% [%+.0f, %+.0f]\n", 100*gain.Value, 100*gain.Low, 100*gain.High)
	// Output:
	// p 0.0156 (n 8, exact distribution), effect 0.94
	// +17 % [+7, +42]
}
