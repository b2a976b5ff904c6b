package tokenizer

import (
	"cmp"
	"container/heap"
)

// merging holds the state of merging a word.
type merging struct {
	ids        []int32 // of the symbols; -1 for one merged into its left neighbour
	prev, next []int32
	queue      queue
	char       []byte
}

// candidate is a merge of the symbol at a place with the next one.
type candidate struct{ rank, at, id int32 }

// queue is a heap of candidates, the one that was learned first on top.
type queue []candidate

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].rank, q[j].rank), cmp.Compare(q[i].at, q[j].at)) < 0
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(c any) { *q = append(*q, c.(candidate)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}

// mergeAll applies merges to w.ids until none is left, and appends the result. It takes
// O(n log n) time for a word of n characters.
func (w *merging) mergeAll(ids []int32, merges map[uint64]merge) []int32 {
	w.prev, w.next, w.queue = w.prev[:0], w.next[:0], w.queue[:0]
	for i := range w.ids {
		w.prev, w.next = append(w.prev, int32(i-1)), append(w.next, int32(i+1))
	}
	for i := range w.ids {
		w.consider(int32(i), merges)
	}
	for len(w.queue) > 0 {
		c := heap.Pop(&w.queue).(candidate)
		if w.ids[c.at] < 0 || int(w.next[c.at]) == len(w.ids) {
			continue
		}
		right := w.next[c.at]
		// The symbols may have changed since the merge was queued.
		if m, ok := merges[pair(w.ids[c.at], w.ids[right])]; !ok || m.id != c.id {
			continue
		}
		w.ids[c.at], w.ids[right] = c.id, -1
		w.next[c.at] = w.next[right]
		if after := w.next[right]; int(after) < len(w.ids) {
			w.prev[after] = c.at
		}
		if before := w.prev[c.at]; before >= 0 {
			w.consider(before, merges)
		}
		w.consider(c.at, merges)
	}
	for _, id := range w.ids {
		if id >= 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// consider queues the merge of a symbol with the next one, if there is such a merge.
func (w *merging) consider(at int32, merges map[uint64]merge) {
	next := w.next[at]
	if int(next) == len(w.ids) {
		return
	}
	if m, ok := merges[pair(w.ids[at], w.ids[next])]; ok {
		heap.Push(&w.queue, candidate{m.rank, at, m.id})
	}
}
