package server

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// listAnswer is an answer that is mostly one list. The list is encoded item by item, to save
// memory.
type listAnswer interface {
	// list returns the answer without its list, the name of the list, and its length.
	list() (rest any, name string, length int)
	// item returns the i-th item of the list.
	item(i int) any
}

// sentAtOnce is the number of buffered bytes. A shorter answer has a Content-Length.
const sentAtOnce = 64 << 10

// sendList writes an answer with a list.
func (x *exchange) sendList(status int, l listAnswer) error {
	rest, name, length := l.list()
	text, err := json.Marshal(rest) // a JSON object
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	if text = text[:len(text)-1]; len(text) > 1 {
		text = append(text, ',')
	}
	text = fmt.Appendf(text, "%q:[", name)
	// more encodes items from at on, until the buffer is full or the list ends.
	more := func(at int) (next int, err error) {
		for ; at < length && len(text) < sentAtOnce; at++ {
			item, err := json.Marshal(l.item(at))
			if err != nil {
				return at, fmt.Errorf("writing the answer: %w", err)
			}
			if text = append(text, item...); at+1 < length {
				text = append(text, ',')
			}
		}
		if at == length {
			text = append(text, "]}"...)
		}
		return at, nil
	}
	at, err := more(0)
	if err != nil {
		return err
	}
	if at == length {
		x.send(status, "application/json", text)
		return nil
	}
	x.w.Header().Set("Content-Type", "application/json")
	x.compress(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		for {
			if _, err := w.Write(text); err != nil || at == length {
				return // the client has gone
			}
			text = text[:0]
			if at, err = more(at); err != nil { // part of the response has been sent
				x.record.err = err
				panic(http.ErrAbortHandler)
			}
		}
	})
	return nil
}
