package report

import (
	"os"
	"testing"
)

func TestZZ(t *testing.T) {
	f, _ := os.Create("/tmp/rp/hostile.html")
	newReport(t).HTML(f)
	f.Close()
}
