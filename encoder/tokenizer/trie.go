package tokenizer

import (
	"bytes"
	"maps"
	"slices"
)

// trie finds all keys that are prefixes of a text. The children of a node are adjacent.
type trie struct {
	first  []int32 // first child of each node; the children end where the next node's begin
	labels []byte
	values []int32 // -1 if no key ends at the node
}

// newTrie returns a trie with the keys and values of a map. No key may be empty.
func newTrie(of map[string]int32) trie {
	t := trie{labels: []byte{0}, values: []int32{-1}}
	level := [][]string{slices.Sorted(maps.Keys(of))} // the keys below each node at one depth
	for depth := 0; len(level) > 0; depth++ {
		var below [][]string
		for _, rest := range level {
			t.first = append(t.first, int32(len(t.labels)))
			for len(rest) > 0 {
				if len(rest[0]) == depth { // the node's own key
					rest = rest[1:]
					continue
				}
				label := rest[0][depth]
				end := 1
				for end < len(rest) && rest[end][depth] == label {
					end++
				}
				t.labels, t.values = append(t.labels, label), append(t.values, -1)
				if len(rest[0]) == depth+1 {
					t.values[len(t.values)-1] = of[rest[0]]
				}
				below = append(below, rest[:end])
				rest = rest[end:]
			}
		}
		level = below
	}
	t.first = append(t.first, int32(len(t.labels)))
	return t
}

// child returns the child for a byte, or -1.
func (t *trie) child(node int32, label byte) int32 {
	first := t.first[node]
	at := bytes.IndexByte(t.labels[first:t.first[node+1]], label)
	if at < 0 {
		return -1
	}
	return first + int32(at)
}
