package server

import (
	"bufio"
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
	x.w.Header().Set("Content-Type", "application/json")
	x.compress(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		to := bufio.NewWriterSize(w, 64<<10) // it remembers an error: the client may have gone
		_, _ = to.Write(text)
		for i := range length {
			item, err := json.Marshal(l.item(i))
			if err != nil { // part of the response may have been sent
				x.record.err = err
				panic(http.ErrAbortHandler)
			}
			if i > 0 {
				_ = to.WriteByte(',')
			}
			if _, err := to.Write(item); err != nil {
				return
			}
		}
		_, _ = to.WriteString("]}")
		_ = to.Flush()
	})
	return nil
}
