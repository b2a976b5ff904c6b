package sets_test

import (
	"fmt"

	"github.com/nsfl-go/nsfl/eval/measure"
	"github.com/nsfl-go/nsfl/eval/sets"
)

func ExampleOpenLogic() {
	set, err := sets.OpenLogic("testdata/animals", "dev")
	if err != nil {
		fmt.Println(err)
		return
	}
	q := &set.Queries[1]
	ranking := []string{"fido", "rex", "bello"} // the result of a system
	judged, err := measure.Judge(ranking, q.Grade, q.Ideal())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: AP %.3f\n", q.Formula, judged.AveragePrecision(100, measure.Reachable))
	// Output: dogs AND NOT leashes: AP 0.583
}
