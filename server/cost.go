package server

import (
	"io"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/server/limit"
)

// Estimated memory of requests other than searches.
const (
	valueCost   = 128                     // per decoded JSON value
	bodyFactor  = 2                       // per byte of a body read into a growing buffer
	storeFactor = 4                       // per byte of text of documents that are split, encoded and stored
	readCost    = 4 * engine.MaxReadBytes // documents that are read and sent
	streamCost  = storeFactor * batchBytes
	pageCost    = 64 << 10 // per document of a list, up to the response limit
)

// searchCost estimates the memory of a typical search: documents, results and columns.
func (l *Limits) searchCost() int64 { return readCost + l.AnswerBytes + 8<<20 }

// reserve returns the memory for parties that hold less than it: enough for one search.
func (l *Limits) reserve() int64 { return max(l.Memory/4, l.searchCost()) }

// listCost estimates the memory of a list of documents.
func (l *Limits) listCost(documents int) int64 {
	return readCost + min(int64(documents)*pageCost, l.AnswerBytes)
}

// drawing is a reader that draws memory for the bytes it reads.
type drawing struct {
	io.Reader
	share *limit.Share
}

func (d *drawing) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if n > 0 {
		if err := d.share.Draw(bodyFactor * int64(n)); err != nil {
			return 0, err
		}
	}
	return n, err
}
