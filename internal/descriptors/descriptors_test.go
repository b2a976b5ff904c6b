package descriptors

import "testing"

func TestLimit(t *testing.T) {
	if n := Limit(); n < 16 || n > 1<<31-1 {
		t.Errorf("a limit of %d", n)
	}
}
