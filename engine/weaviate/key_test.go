package weaviate

import (
	"crypto/sha256"
	"testing"
)

// keyOf returns a key for the name of an object.
func keyOf(name string) key {
	sum := sha256.Sum256([]byte(name))
	return key(sum[:16])
}

func TestKey(t *testing.T) {
	// The first half of SHA-256("abc").
	if got, want := keyOf("abc").String(), "ba7816bf-8f01-cfea-4141-40de5dae2223"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A key is written as it was read, except for the case of letters.
func FuzzKey(f *testing.F) {
	f.Add("ba7816bf-8f01-cfea-4141-40de5dae2223")
	f.Add("BA7816BF-8F01-CFEA-4141-40DE5DAE2223")
	f.Add("ba7816bf8f01cfea414140de5dae2223")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := parseKey(text)
		if err != nil {
			return
		}
		again, err := parseKey(k.String())
		if err != nil || again != k || len(text) != len(k.String()) {
			t.Errorf("%q is read as %s, %v", text, k, err)
		}
	})
}
