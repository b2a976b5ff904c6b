package pdf

import (
	"bytes"
	"strconv"
)

// file finds objects by number.
type file struct {
	objects map[ref]place
	loaded  map[ref]any
	trailer dict
	decoded int // bytes of streams so far
	steps   int // objects, operators and characters so far
	kept    int // objects that are parsed and kept
	packed  int // bytes of streams of objects, which are kept
	mapped  int // entries in the tables of fonts
	crypt   *crypt
	budget  func(parts, bytes int) error
	err     error // of the budget
}

// spend deducts parts and bytes of text from the caller's budget, and reports whether reading
// may continue.
func (f *file) spend(parts, bytes int) bool {
	if f.err == nil {
		f.err = f.budget(parts, bytes)
	}
	return f.err == nil
}

// step counts work that adds no text, and reports whether it may continue.
func (f *file) step(n int) bool {
	before := f.steps
	f.steps += n
	return f.err == nil && f.steps < maxSteps && (f.steps>>10 == before>>10 || f.spend(0, 0))
}

// place is the position of an object.
type place struct {
	in   []byte
	at   int
	end  int // start of the next object
	rank int // later objects in the file have a higher rank and win
	of   ref // the object itself, if it is not packed
}

func (f *file) open(content []byte) error {
	if head := content[:min(len(content), 1024)]; !bytes.Contains(head, []byte("%PDF-")) {
		return ErrFormat
	}
	packed := f.scan(content)
	if f.trailer["Encrypt"] != nil {
		if f.crypt = f.newCrypt(); f.crypt == nil {
			return ErrEncrypted
		}
		f.loaded = map[ref]any{} // discard values read without a key
	}
	for _, p := range packed {
		f.unpack(p)
	}
	return f.err
}

// scan records every "12 0 obj", and every dictionary that may be the trailer. It returns
// the places of object streams.
func (f *file) scan(content []byte) (packed []place) {
	var last ref
	trailers := 0
	for at := 0; len(f.objects) < maxObjects && f.step(16); {
		i := bytes.Index(content[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i + len("obj")
		number, ok := numberBefore(content, at-len("obj"))
		if !ok {
			continue
		}
		if before, ok := f.objects[last]; ok {
			before.end = at
			f.objects[last] = before
		}
		last = number
		here := place{in: content, at: at, end: len(content), rank: at, of: number}
		f.objects[number] = here
		head := content[at:min(len(content), at+maxHead)]
		if i := bytes.Index(head, []byte("stream")); i >= 0 {
			head = head[:i]
		}
		switch {
		case bytes.Contains(head, []byte("/ObjStm")) && len(packed) < maxStreams:
			packed = append(packed, here)
		case bytes.Contains(head, []byte("/XRef")) && trailers < maxTrailers:
			trailers++
			f.addTrailer(content[at:])
		}
	}
	for rest, n := content, 0; n < maxTrailers && f.step(1024); n++ {
		i := bytes.Index(rest, []byte("trailer"))
		if i < 0 {
			break
		}
		rest = rest[i+len("trailer"):]
		f.addTrailer(rest)
	}
	return packed
}

const (
	maxSteps    = 60_000_000
	maxObjects  = 1_000_000
	maxKept     = 2_000_000 // objects within objects that are parsed and kept
	maxPacked   = 128 << 20
	maxStreams  = 100_000 // of objects
	maxTrailers = 1000
	maxHead     = 2048     // size of a dictionary that identifies a stream
	maxTrailer  = 64 << 10 // size of a trailer
)

// numberBefore returns the number of the object whose "obj" is at the given offset, after its
// number and generation.
func numberBefore(s []byte, at int) (ref, bool) {
	const spaces, digits, longest = " \n\r\t\f\x00", "0123456789", 64
	before := s[max(0, at-longest):at]
	generation := bytes.TrimRight(before, spaces)
	gap := bytes.TrimRight(generation, digits)
	number := bytes.TrimRight(gap, spaces)
	rest := bytes.TrimRight(number, digits)
	if len(before) == len(generation) || len(generation) == len(gap) || len(gap) == len(number) || !isCount(string(number[len(rest):])) {
		return 0, false
	}
	n, err := strconv.Atoi(string(number[len(rest):]))
	return ref(n), err == nil
}

func (f *file) addTrailer(s []byte) {
	v, err := (&lexer{s: s[:min(len(s), maxTrailer)]}).object(maxNesting)
	if d, ok := v.(dict); ok && err == nil {
		for _, key := range []name{"Root", "Info", "Encrypt", "ID"} {
			if d[key] != nil {
				f.trailer[key] = d[key]
			}
		}
	}
}

// unpack records the objects in an object stream.
func (f *file) unpack(p place) {
	s, ok := f.parse(p).(stream)
	if !ok {
		return
	}
	data := f.decode(s)
	if f.packed += len(data); f.packed > maxPacked || !f.step(1024) {
		return
	}
	first, n := int(number(f.value(s.dict["First"]))), int(number(f.value(s.dict["N"])))
	l := &lexer{s: data}
	for range min(n, len(data)) {
		if len(f.objects) >= maxObjects || !f.step(1) {
			return
		}
		id, err1 := l.object(1)
		at, err2 := l.object(1)
		if err1 != nil || err2 != nil {
			return
		}
		begin := first + int(number(at))
		if begin < 0 || begin >= len(data) {
			continue
		}
		if r := ref(number(id)); f.objects[r].rank <= p.rank {
			f.objects[r] = place{in: data, at: begin, end: len(data), rank: p.rank}
		}
	}
}

func (f *file) parse(p place) any {
	l := &lexer{s: p.in[:p.end], at: p.at}
	v, err := l.object(maxNesting)
	if f.kept += l.count; err != nil || f.kept > maxKept || !f.step(l.count) {
		return nil
	}
	d, ok := v.(dict)
	if !ok {
		return v
	}
	l.space()
	raw, ok := bytes.CutPrefix(p.in[l.at:], []byte("stream"))
	if !ok {
		return d
	}
	raw = bytes.TrimPrefix(bytes.TrimPrefix(raw, []byte("\r")), []byte("\n"))
	length, known := f.value(d["Length"]).(float64)
	if n := int(length); known && n >= 0 && n <= len(raw) && bytes.HasPrefix(bytes.TrimLeft(raw[n:], "\r\n \t"), []byte("endstream")) {
		raw = raw[:n]
	} else if end := bytes.Index(raw, []byte("endstream")); end >= 0 {
		raw = raw[:end]
	}
	return stream{d, raw, p.of}
}

func (f *file) value(v any) any {
	for range maxNesting {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		known, ok := f.loaded[r]
		if !ok {
			p, there := f.objects[r]
			if !there {
				return nil
			}
			f.loaded[r] = nil // breaks a cycle, such as a length that refers to its own stream
			known = f.parse(p)
			f.loaded[r] = known
		}
		v = known
	}
	return nil
}

func (f *file) dict(v any) dict {
	switch v := f.value(v).(type) {
	case dict:
		return v
	case stream:
		return v.dict
	}
	return nil
}

func (f *file) array(v any) array {
	a, _ := f.value(v).(array)
	return a
}

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}

// numbers returns the numbers of an array, or nil if an element is not a number.
func (f *file) numbers(v any) []float64 {
	var out []float64
	for _, x := range f.array(v) {
		n, ok := f.value(x).(float64)
		if !ok {
			return nil
		}
		out = append(out, n)
	}
	return out
}
