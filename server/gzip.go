package server

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// compressed wraps a handler. It compresses responses that do not fit into one packet for
// clients that accept gzip.
var compressed, _ = gzhttp.NewWrapper(gzhttp.MinSize(1400), gzhttp.CompressionLevel(gzip.BestSpeed)) // both options are valid

// unpacked returns the decompressed body. The limit applies to the compressed and to the
// decompressed bytes.
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
			return nil, invalid("the body is not gzip, although Content-Encoding is gzip").because(err)
		}
		return http.MaxBytesReader(w, z, limit), nil
	}
	return nil, newProblem("media_type", "the Content-Encoding of the body is neither identity nor gzip")
}
