package builtin_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/vec"
)

func Example() {
	e, err := builtin.New()
	if err != nil {
		log.Fatal(err)
	}
	encoded, err := e.Encode(context.Background(), encoder.Query, []string{"a dog", "a puppy", "tax law"})
	if err != nil {
		log.Fatal(err)
	}
	dog, puppy, tax := encoded.Vectors[0], encoded.Vectors[1], encoded.Vectors[2]
	fmt.Println(vec.Dot(dog, puppy) > 3*vec.Dot(dog, tax))
	// Output: true
}
