package public

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// FuzzUnpack: whatever an archive holds, only what is wanted comes out of it, and no more
// than is allowed.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte(zipped(f, map[string]string{"a/corpus.jsonl": "{}", "a/qrels/test.tsv": "x", "../corpus.jsonl": "x"})))
	f.Add([]byte(zipped(f, map[string]string{"corpus.jsonl": "{}", "qrels/test.tsv": "0123456789"})))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		wanted, next := []string{"corpus.jsonl", "qrels/test.tsv"}, 0
		const most = 8
		err = unpack(archive, wanted, func(name string, r io.Reader) error {
			if next == len(wanted) || name != wanted[next] {
				t.Fatalf("%q is written", name)
			}
			next++
			n, err := io.Copy(io.Discard, &bounded{ctx: t.Context(), r: r, left: most, most: most})
			if n > most {
				t.Errorf("%d bytes come, %v", n, err)
			}
			return err
		})
		if err == nil && next != len(wanted) {
			t.Errorf("%d files came, and there is no error", next)
		}
	})
}

// FuzzManifest: a manifest that can be read can be used.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"benchmark":"limit","split":"test","queries":2,"files":[{"name":"corpus.jsonl","bytes":3,"sha256":"x"}],"pending":["qrels.jsonl"]}`))
	f.Add([]byte(`{"benchmark":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data)
		if err != nil {
			return
		}
		m.add([]File{{Name: "corpus.jsonl", Bytes: 1}})
		if f, ok := m.file("corpus.jsonl"); !ok || f.Bytes != 1 || m.Benchmark == "" || m.Split == "" {
			t.Errorf("%s became %+v", data, m)
		}
	})
}
