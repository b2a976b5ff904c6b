package tokenizer

// merging holds the state of merging a word.
type merging struct {
	ids        []int32 // of the symbols; -1 for one merged into its left neighbour
	prev, next []int32
	queue      []candidate // a heap
	char       []byte
}

// candidate is a merge of the symbol at a place with the next one.
type candidate struct{ rank, at, id int32 }

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
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
		c := w.pop()
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
		w.push(candidate{m.rank, at, m.id})
	}
}

func (w *merging) push(c candidate) {
	w.queue = append(w.queue, c)
	for i := len(w.queue) - 1; i > 0; {
		up := (i - 1) / 2
		if !w.queue[i].before(w.queue[up]) {
			break
		}
		w.queue[i], w.queue[up] = w.queue[up], w.queue[i]
		i = up
	}
}

func (w *merging) pop() candidate {
	top, last := w.queue[0], len(w.queue)-1
	w.queue[0] = w.queue[last]
	w.queue = w.queue[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down+1 < last && w.queue[down+1].before(w.queue[down]) {
			down++
		}
		if down >= last || !w.queue[down].before(w.queue[i]) {
			return top
		}
		w.queue[i], w.queue[down] = w.queue[down], w.queue[i]
		i = down
	}
}
