package query_test

import (
	"fmt"

	"github.com/nsfl-go/nsfl/query"
)

func ExampleParse() {
	n, err := query.Parse(`beach sunset -people (lake OR "sea shore")^2`)
	fmt.Println(n, err)
	// Output:
	// <nil> syntax error at byte 42: a weight follows one atom, as in dog^2; a group or a predicate has none
	//   beach sunset -people (lake OR "sea shore")^2
	//                                             ^
}

func ExampleParseFormula() {
	f, err := query.ParseFormula(`NOT (people OR NOT beach) year:>=2015`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Root)
	fmt.Println(f.Filter)
	for i := range f.Terms.Len() {
		fmt.Printf("%d %s\n", i, f.Terms.At(i))
	}
	// Output:
	// NOT people AND beach
	// year:>=2015
	// 0 people
	// 1 beach
	// 2 beach AND people
	// 3 NOT people AND beach
}
