package server

import (
	"container/list"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
)

// kept are the candidates of recent searches, to be ranked again. They are
// bounded in number, bytes and time; the one that was not used for longest goes
// first.
type kept struct {
	limits Limits
	now    func() time.Time

	mu      sync.Mutex
	byToken map[string]*list.Element // of *keptSearch, by token
	order   *list.List               // the last used first
	bytes   int64
}

type keptSearch struct {
	collection *workspace.Shared
	candidates *retrieve.Candidates

	token string
	owner string // the id of the key that made it
	bytes int64
	used  time.Time
}

func newKept(l Limits) *kept {
	return &kept{limits: l, now: time.Now, byToken: map[string]*list.Element{}, order: list.New()}
}

const tokenBytes = 18

// put keeps a search and returns its token, or says why it cannot be kept.
func (k *kept) put(owner string, s *keptSearch) (token, problem string) {
	bytes := s.size()
	if bytes > k.limits.KeptBytes {
		return "", fmt.Sprintf("the search is not kept: its columns have %d bytes, and at most %d are kept; search with a mode that has a pool, such as hybrid", bytes, k.limits.KeptBytes)
	}
	random := make([]byte, tokenBytes)
	rand.Read(random)
	token = base64.RawURLEncoding.EncodeToString(random)
	k.mu.Lock()
	defer k.mu.Unlock()
	s.token, s.owner, s.bytes, s.used = token, owner, bytes, k.now()
	k.byToken[token] = k.order.PushFront(s)
	k.bytes += bytes
	k.expire()
	for k.order.Len() > k.limits.Kept || k.bytes > k.limits.KeptBytes {
		k.drop(k.order.Back())
	}
	return token, ""
}

// size is what the columns of a search take.
func (s *keptSearch) size() int64 {
	c := s.candidates
	bytes := int64(24+4) * int64(len(c.Refs))
	for _, column := range c.Terms { // those of no use share one column, and are counted all the same
		bytes += 4 * int64(len(column))
	}
	for _, v := range c.Vectors {
		bytes += 4 * int64(len(v))
	}
	return bytes
}

// get is the search of a token, for the key that made it. To another key it is as
// if it had never been.
func (k *kept) get(owner, token string) (*keptSearch, error) {
	if raw, err := base64.RawURLEncoding.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return nil, newProblem("not_found", "%q is not the token of a search; search with \"keep\": true to get one", clip([]byte(token)))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expire()
	e := k.byToken[token]
	if e == nil || e.Value.(*keptSearch).owner != owner {
		return nil, goneSearch()
	}
	search := e.Value.(*keptSearch)
	search.used = k.now()
	k.order.MoveToFront(e)
	return search, nil
}

func goneSearch() error {
	return newProblem("gone", "the search is not kept any more; search again with \"keep\": true")
}

func (k *kept) expire() {
	for e := k.order.Back(); e != nil && k.now().Sub(e.Value.(*keptSearch).used) > k.limits.KeptTime; e = k.order.Back() {
		k.drop(e)
	}
}

func (k *kept) drop(e *list.Element) {
	search := k.order.Remove(e).(*keptSearch)
	delete(k.byToken, search.token)
	k.bytes -= search.bytes
}

func (k *kept) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.order.Len()
}
