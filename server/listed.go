package server

import (
	"bufio"
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

// sendList writes an answer with a list.
func (x *exchange) sendList(status int, l listed) error {
	rest, name, length := l.list()
	head, err := json.Marshal(rest) // an object
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	x.w.Header().Set("Content-Type", "application/json")
	x.compress(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		out := bufio.NewWriterSize(w, 64<<10)
		_, _ = out.Write(head[:len(head)-1]) // a client that has gone cannot be told
		if len(head) > len("{}") {
			_ = out.WriteByte(',')
		}
		_, _ = fmt.Fprintf(out, "%q:[", name)
		for i := range length {
			if i > 0 {
				_ = out.WriteByte(',')
			}
			content, err := json.Marshal(l.item(i))
			if err != nil { // half of the answer is on its way
				x.record.err = fmt.Errorf("writing the answer: %w", err)
				panic(http.ErrAbortHandler)
			}
			if _, err := out.Write(content); err != nil {
				return
			}
		}
		_, _ = out.WriteString("]}")
		_ = out.Flush()
	})
	return nil
}
