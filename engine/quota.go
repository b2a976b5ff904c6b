package engine

import "fmt"

// Quota is how much a collection may hold; 0 is any number.
type Quota struct {
	Documents int
	Bytes     int64 // of its files, with what is deleted until it is compacted
}

// QuotaError means that a batch was not stored because the collection would exceed its quota.
type QuotaError struct {
	What         string // documents or bytes
	Limit, Would int64
}

func (e *QuotaError) Error() string {
	text := fmt.Sprintf("the collection may have %d %s and would have %d, so that nothing of the batch was stored; delete documents", e.Limit, e.What, e.Would)
	if e.What == "bytes" {
		text += ", whose room is free after a compaction"
	}
	return text + ", or have its quota raised"
}
