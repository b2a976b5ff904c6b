package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

func (k *sink) readJSONLines(r *bufio.Reader) error {
	lines := &lineReader{r: r, limit: k.run.options.limits.file}
	for {
		line, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLongRow):
			k.rows++
			k.skip(lines.number, unusable(TooLarge, "the line has more than %d bytes", lines.limit))
			continue
		case err != nil:
			return err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if !k.addObject(line, lines.number) {
			return nil
		}
	}
}

// readJSON reads a list of objects, or a sequence of objects. It loses everything after a
// syntax error.
func (k *sink) readJSON(r *bufio.Reader) error {
	head, _ := r.Peek(headBytes) // an error recurs on reading
	if head = bytes.TrimLeft(head, " \t\r\n"); len(head) == 0 {
		return unusable(Empty, "it is empty")
	}
	isList := head[0] == '['
	limited := &allowance{r: r, left: k.run.options.limits.file}
	decoder := json.NewDecoder(limited)
	if isList {
		if _, err := decoder.Token(); err != nil {
			return jsonFault(err)
		}
	}
	for !isList || decoder.More() {
		var value json.RawMessage
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) && !isList {
			return nil
		}
		if err != nil {
			return jsonFault(err)
		}
		if !k.addObject(value, 0) {
			return nil
		}
		limited.left = k.run.options.limits.file
	}
	if _, err := decoder.Token(); err != nil {
		return jsonFault(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return unusable(Malformed, "something follows the list, at byte %d", decoder.InputOffset())
	}
	return nil
}

func jsonFault(err error) error {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return unusable(Malformed, "it is not JSON: %v, at byte %d", err, syntax.Offset)
	}
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// addObject adds the document in a JSON object. It returns false if no more documents are
// needed.
func (k *sink) addObject(value []byte, line int) bool {
	k.rows++
	d, err := k.object(value)
	if err == nil {
		return k.add(d, line)
	}
	if line == 0 {
		err = fmt.Errorf("object %d: %w", k.rows, err)
	}
	k.skip(line, err)
	return true
}

func (k *sink) object(value []byte) (draft, error) {
	if bytes.Count(value, []byte(",")) > maxTextParts {
		return draft{}, unusable(TooLarge, "it has more than %d fields or elements", maxTextParts)
	}
	if !utf8.Valid(value) || k.utf16 && bytes.ContainsRune(value, utf8.RuneError) {
		return draft{}, unusable(Encoding, "it is not valid UTF-8; convert the file to it")
	}
	var object map[string]json.RawMessage
	err := json.Unmarshal(value, &object)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return draft{}, unusable(Malformed, "it is not JSON: %v, at byte %d of it", err, syntax.Offset)
	}
	if err != nil || object == nil {
		return draft{}, unusable(Malformed, "it is not a JSON object")
	}
	return draftOf(newBudget(k.ctx, k.run.options.limits), object, k.run.options)
}
