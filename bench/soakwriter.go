//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// soakWriter writes its own documents and records which writes were acknowledged.
type soakWriter struct {
	*soaking
	name    string
	random  *rand.Rand
	version int
	// held lists the texts that each document may have; "" stands for none. There are several
	// if the server was killed before it acknowledged a write.
	held map[string][]string
}

// soakDocuments is the maximum number of documents of a writer.
const soakDocuments = 400

func (w *soakWriter) write(ctx context.Context) error {
	for ctx.Err() == nil {
		w.version++
		ids := w.choose()
		after := map[string]string{}
		var err error
		var status int
		if w.random.IntN(4) == 0 {
			for _, id := range ids {
				after[id] = ""
			}
			status, err = w.call(context.WithoutCancel(ctx), http.MethodPost, "/v1/collections/soak/documents/delete", map[string]any{"ids": ids}, nil)
		} else {
			var docs []map[string]any
			for _, id := range ids {
				after[id] = fmt.Sprintf("number %s in version %d", id, w.version)
				docs = append(docs, map[string]any{"id": id, "text": after[id], "metadata": map[string]any{"version": w.version, "writer": w.name}})
			}
			status, err = w.call(context.WithoutCancel(ctx), http.MethodPost, "/v1/collections/soak/documents", docs, nil)
		}
		switch {
		case err == nil:
			w.batches.Add(1)
			for id, text := range after {
				w.held[id] = []string{text}
			}
		case status == 0: // it was killed, before or after
			for id, text := range after {
				if w.held[id] == nil {
					w.held[id] = []string{""}
				}
				w.held[id] = append(w.held[id], text)
			}
			_ = retry.Sleep(ctx, 100*time.Millisecond)
		case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
			_ = retry.Sleep(ctx, 100*time.Millisecond)
		default:
			return err
		}
		_ = retry.Sleep(ctx, 20*time.Millisecond)
	}
	return nil
}

// choose returns the ids of some documents.
func (w *soakWriter) choose() (ids []string) {
	for range 1 + w.random.IntN(10) {
		if id := fmt.Sprintf("%s%d", w.name, w.random.IntN(soakDocuments)); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// missing lists documents that differ from every acknowledged version.
func (w *soakWriter) missing(stored map[string]string) (lost []string) {
	for id, may := range w.held {
		if !slices.Contains(may, stored[id]) {
			lost = append(lost, fmt.Sprintf("%s is %q, acknowledged was %q", id, stored[id], may))
		}
	}
	return lost
}
