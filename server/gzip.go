package server

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// compressed wraps what writes an answer: one larger than a packet is compressed
// for a client that wants gzip.
var compressed, _ = gzhttp.NewWrapper(gzhttp.MinSize(1400), gzhttp.CompressionLevel(gzip.BestSpeed)) // a size and a level there are

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
		return http.MaxBytesReader(w, z, limit), nil
	}
	return nil, newProblem("media_type", "a body can be plain or gzip; its Content-Encoding is neither")
}
