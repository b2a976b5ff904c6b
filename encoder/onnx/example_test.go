package onnx_test

import (
	"context"
	"fmt"
	"os"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/onnx"
)

// Open a folder as pulled from a hub. A preset supplies settings that the folder lacks.
func Example() {
	preset, err := onnx.PresetByName("bge-large-en-v1.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := onnx.Open("models/bge-large-en-v1.5", preset.Options())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	out, err := e.Encode(context.Background(), encoder.Query, []string{"dog", "dog AND leash"})
	fmt.Println(len(out.Vectors), err)
}

// Pictures and texts share a vector space.
func ExampleEncoder_EncodePictures() {
	e, err := onnx.Open("models/clip-vit-base-patch32", onnx.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	file, err := os.ReadFile("dog.jpg")
	if err != nil {
		fmt.Println(err)
		return
	}
	vectors, err := e.EncodePictures(context.Background(), [][]byte{file})
	fmt.Println(len(vectors), err)
}
