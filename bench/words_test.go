//go:build linux

package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/nsfl-go/nsfl/words"
)

// BenchmarkReader reads documents of a title and a text for queries of some atoms.
func BenchmarkReader(b *testing.B) {
	if err := os.Chdir(".."); err != nil {
		b.Fatal(err)
	}
	defer os.Chdir("bench")
	p, err := newProse()
	if err != nil {
		b.Fatal(err)
	}
	docs := make([][]uint16, 20_000)
	statistics := words.NewStatistics()
	all := 0
	for i := range docs {
		docs[i] = words.Pieces([]string{p.text(5), p.text(pieceCount - 5)})
		statistics.Add(docs[i])
		all += len(docs[i])
	}
	atoms := []string{"dog", "tennis ball", "beach", "sunset", "red car", "soup", "mountain", "snow"}
	for _, n := range []int{1, 3, 8} {
		b.Run(fmt.Sprint("atoms=", n), func(b *testing.B) {
			reader := words.NewQuery(atoms[:n], statistics).NewReader()
			out := make([]float32, n)
			having, used := 0, own()
			for b.Loop() {
				having = 0
				for _, d := range docs {
					reader.Read(out, d)
					for _, x := range out {
						if x != 0 {
							having++
							break
						}
					}
				}
			}
			each := float64((own() - used).Nanoseconds()) / float64(b.N) // whatever else runs
			b.ReportMetric(each/float64(all), "ns/piece")
			b.ReportMetric(each/float64(len(docs)), "ns/document")
			b.ReportMetric(float64(having)/float64(len(docs)), "having")
		})
	}
}
