package server

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// listed is an answer whose length is that of a list in it. The list is written item by
// item, so that the text of the answer is never in memory as a whole.
type listed interface {
	// list is the answer without its list, the name of that, and how long it is.
	list() (rest any, name string, length int)
	// item is the i-th of the list.
	item(i int) any
}

// sentAtOnce is how much of a list is written before the answer begins, so that a short
// one is sent with its length.
const sentAtOnce = 64 << 10

// sendList writes an answer with a list.
func (x *exchange) sendList(status int, l listed) error {
	rest, name, length := l.list()
	text, err := json.Marshal(rest) // an object
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	if text = text[:len(text)-1]; len(text) > 1 {
		text = append(text, ',')
	}
	text = fmt.Appendf(text, "%q:[", name)
	// more goes on with the text from an item on, until it is long enough or at its end.
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
				return // a client that has gone cannot be told
			}
			text = text[:0]
			if at, err = more(at); err != nil { // half of the answer is on its way
				x.record.err = err
				panic(http.ErrAbortHandler)
			}
		}
	})
	return nil
}
