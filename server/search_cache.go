package server

import (
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
)

// searchCache keeps the candidates of recent searches, to rank them again. It is bounded in
// number, bytes and time, and evicts the least recently used.
type searchCache struct {
	limits Limits
	now    func() time.Time

	mu       sync.Mutex
	searches []*keptSearch // most recently used last
	bytes    int64
}

type keptSearch struct {
	collection *workspace.Handle
	candidates *retrieve.Candidates

	token string
	owner string // id of the key that made it
	bytes int64
	used  time.Time
}

func newSearchCache(l Limits) *searchCache { return &searchCache{limits: l, now: time.Now} }

// put adds a search and returns its token, or the reason why it is not kept.
func (k *searchCache) put(owner string, s *keptSearch) (token, problem string) {
	bytes := s.size()
	if bytes > k.limits.KeptBytes {
		return "", fmt.Sprintf("the search is not kept: its columns have %d bytes, more than the limit of %d; use a mode with a pool, such as hybrid", bytes, k.limits.KeptBytes)
	}
	token = rand.Text()
	k.mu.Lock()
	defer k.mu.Unlock()
	s.token, s.owner, s.bytes, s.used = token, owner, bytes, k.now()
	k.searches = append(k.searches, s)
	k.bytes += bytes
	k.expire()
	for len(k.searches) > k.limits.Kept || k.bytes > k.limits.KeptBytes {
		k.drop()
	}
	return token, ""
}

// size returns the bytes that the columns of a search take.
func (s *keptSearch) size() int64 {
	c := s.candidates
	bytes := int64(24+4) * int64(len(c.Refs))
	for _, column := range c.Terms { // unused terms share one column but are counted anyway
		bytes += 4 * int64(len(column))
	}
	for _, v := range c.Vectors {
		bytes += 4 * int64(len(v))
	}
	return bytes
}

// get returns the search of a token to the key that made it. To other keys it does not
// exist.
func (k *searchCache) get(owner, token string) (*keptSearch, error) {
	if len(token) != len(rand.Text()) {
		return nil, newProblem("not_found", "this is not the token of a search; search with \"keep\": true to get one")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expire()
	i := slices.IndexFunc(k.searches, func(s *keptSearch) bool { return s.token == token && s.owner == owner })
	if i < 0 {
		return nil, goneSearch()
	}
	search := k.searches[i]
	search.used = k.now()
	k.searches = append(slices.Delete(k.searches, i, i+1), search)
	return search, nil
}

func goneSearch() error {
	return newProblem("gone", "the search is no longer kept; search again with \"keep\": true")
}

func (k *searchCache) expire() {
	for len(k.searches) > 0 && k.now().Sub(k.searches[0].used) > k.limits.KeptTime {
		k.drop()
	}
}

// drop evicts the least recently used search.
func (k *searchCache) drop() {
	k.bytes -= k.searches[0].bytes
	k.searches = slices.Delete(k.searches, 0, 1)
}
