package onnx

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// weights computes the hash in Identity, over the named files and the external weights of
// models.
func (f folder) weights(names []string) (string, error) {
	list := sha256.New()
	for _, name := range names {
		files := []string{name}
		if filepath.Ext(name) == ".onnx" {
			more, err := f.external(name)
			if err != nil {
				return "", err
			}
			files = append(files, more...)
		}
		for _, name := range files {
			file, err := os.Open(filepath.Join(string(f), name))
			if err != nil {
				return "", err
			}
			h := sha256.New()
			_, err = io.Copy(h, file)
			file.Close()
			if err != nil {
				return "", fmt.Errorf("reading %s: %w", name, err)
			}
			fmt.Fprintf(list, "%x  %s\n", h.Sum(nil), filepath.Base(name))
		}
	}
	return hex.EncodeToString(list.Sum(nil)), nil
}

// external lists the files that hold a model's external weights.
func (f folder) external(model string) ([]string, error) {
	file, err := os.Open(filepath.Join(string(f), model))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	locations, err := locations(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s is not an ONNX model, or is truncated: %w", model, err)
	}
	for i, l := range locations {
		if !filepath.IsLocal(filepath.FromSlash(l)) {
			return nil, fmt.Errorf("%s refers to weights in %q, outside its folder", model, l)
		}
		locations[i] = filepath.Join(filepath.Dir(model), filepath.FromSlash(l))
		if _, err := os.Stat(filepath.Join(string(f), locations[i])); err != nil {
			return nil, fmt.Errorf("%s refers to weights in %s, which is missing; get it from the model's repository", model, locations[i])
		}
	}
	return locations, nil
}

// The protocol buffer fields (onnx.proto) that lead to the names of weight files.
const (
	modelGraph       = 7
	graphInitializer = 5
	tensorExternal   = 13
	entryKey         = 1
	entryValue       = 2
)

// maxLocations exceeds the number of weight files of any model.
const maxLocations = 1000

// locations lists the external weight files named in an ONNX file. It skips weights in the
// file itself without reading them.
func locations(file io.ReaderAt, size int64) ([]string, error) {
	var found []string
	whole := message{file, 0, size}
	err := whole.each(modelGraph, func(graph message) error {
		return graph.each(graphInitializer, func(tensor message) error {
			return tensor.each(tensorExternal, func(entry message) error {
				key, err := entry.text(entryKey)
				if err != nil || key != "location" {
					return err
				}
				value, err := entry.text(entryValue)
				if err == nil && !slices.Contains(found, value) {
					found = append(found, value)
				}
				if len(found) > maxLocations {
					return errors.New("it has too many weight files")
				}
				return err
			})
		})
	})
	slices.Sort(found)
	return found, err
}

// message is a protocol buffer message at some place in a file.
type message struct {
	file     io.ReaderAt
	from, to int64
}

var errWire = errors.New("not a valid protocol buffer")

// each calls f with the value of every length-delimited field with the given number.
func (m message) each(number uint64, f func(message) error) error {
	for m.from < m.to {
		tag, err := m.varint()
		if err != nil {
			return err
		}
		var length uint64
		switch tag & 7 {
		case 0:
			_, err = m.varint()
		case 1:
			length = 8
		case 2:
			length, err = m.varint()
		case 5:
			length = 4
		default:
			err = errWire
		}
		if err != nil {
			return err
		}
		if length > uint64(m.to-m.from) {
			return errWire
		}
		end := m.from + int64(length)
		if tag>>3 == number && tag&7 == 2 {
			if err := f(message{m.file, m.from, end}); err != nil {
				return err
			}
		}
		m.from = end
	}
	return nil
}

// varint reads a number and advances past it.
func (m *message) varint() (uint64, error) {
	var buffer [binary.MaxVarintLen64]byte
	n, err := m.file.ReadAt(buffer[:min(m.to-m.from, int64(len(buffer)))], m.from)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	value, used := binary.Uvarint(buffer[:n])
	if used <= 0 {
		return 0, errWire
	}
	m.from += int64(used)
	return value, nil
}

// text returns the value of a field as a string.
func (m message) text(number uint64) (string, error) {
	var b strings.Builder
	err := m.each(number, func(v message) error {
		if v.to-v.from > 1<<12 {
			return errors.New("the name of a weight file is too long")
		}
		b.Reset()
		_, err := io.Copy(&b, io.NewSectionReader(v.file, v.from, v.to-v.from))
		return err
	})
	return b.String(), err
}
