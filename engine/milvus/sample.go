package milvus

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
)

// walked is how many keys are read for a sample: of more entities, it is one of the first
// so many.
const walked = 1 << 20

// sampled is a sample that was drawn.
type sampled struct {
	mu   sync.Mutex
	keys []string // in the order of their hashes
	of   int      // how many documents there were
}

// most is how many keys a sample keeps.
const most = 4096

// Sample are the documents whose keys have the least hashes: so they are in no order at all.
// All keys are read for it, and again when the number of documents has changed by a tenth.
func (s *Attached) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = s.calls.Read(ctx, "sampling documents", func(ctx context.Context) error {
		size, err := s.size(ctx)
		if err != nil {
			return err
		}
		s.sample.mu.Lock()
		defer s.sample.mu.Unlock()
		if now, then := size.Documents, s.sample.of; 10*abs(now-then) > then || min(n, now) > len(s.sample.keys) && len(s.sample.keys) < most {
			if s.sample.keys, err = s.draw(ctx); err != nil {
				return err
			}
			s.sample.of = now
		}
		for _, k := range s.sample.keys[:max(0, min(n, len(s.sample.keys)))] {
			refs = append(refs, engine.Ref{Key: k})
		}
		return nil
	})
	return refs, err
}

func abs(x int) int { return max(x, -x) }

// draw reads the keys and keeps those with the least hashes.
func (s *Attached) draw(ctx context.Context) ([]string, error) {
	type drawn struct {
		hash [sha256.Size]byte
		key  string
	}
	var all []drawn
	shrink := func(to int) {
		slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(string(a.hash[:]), string(b.hash[:])) })
		all = all[:min(to, len(all))]
	}
	seen := 0
	err := s.passingKeys(ctx, nil, "", maxResults, func(key string) error {
		if all = append(all, drawn{sha256.Sum256([]byte(key)), key}); len(all) == 8*most {
			shrink(most)
		}
		if seen++; seen == walked {
			return errEnough
		}
		return nil
	})
	shrink(most)
	keys := make([]string, len(all))
	for i, d := range all {
		keys[i] = d.key
	}
	return keys, err
}
