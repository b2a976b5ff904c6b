package server

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
)

// worthGzip is the least size of an answer that is compressed: one packet.
const worthGzip = 1400

var gzipWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is one there is
	return w
}}

func compress(content []byte) []byte {
	var b bytes.Buffer
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	w.Reset(&b)
	_, _ = w.Write(content) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// acceptsGzip reports whether a client wants gzip; gzip;q=0 says that it does not.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		if strings.TrimSpace(coding) == "gzip" {
			weight := strings.TrimSpace(parameters)
			return !strings.HasPrefix(weight, "q=0") || strings.Trim(weight, "q=0.") != ""
		}
	}
	return false
}

// unpacked is the body of a request, decompressed, of which at most limit bytes
// can be read: those that came and those that they become.
func unpacked(w http.ResponseWriter, r *http.Request, limit int64) (io.Reader, error) {
	body := http.MaxBytesReader(w, r.Body, limit)
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
		return body, nil
	case "gzip":
		z, err := gzip.NewReader(body)
		if err != nil {
			var tooLarge *http.MaxBytesError
			if errors.As(err, &tooLarge) {
				return nil, err
			}
			return nil, invalid("the body is not gzip, as Content-Encoding says").because(err)
		}
		return &bounded{z, limit, limit}, nil
	}
	return nil, newProblem("media_type", "a body can be plain or gzip; its Content-Encoding is neither")
}

// bounded fails beyond a number of bytes, where io.LimitReader would end.
type bounded struct {
	r           io.Reader
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, &http.MaxBytesError{Limit: b.limit}
	}
	var tooLarge *http.MaxBytesError
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &tooLarge) {
		err = invalid("the body cannot be decompressed to its end").because(err)
	}
	return n, err
}
