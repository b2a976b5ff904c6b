package server

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/jsonlimit"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server/limit"
)

// exchange is a request and its response.
type exchange struct {
	*http.Request
	w       http.ResponseWriter
	server  *Server
	record  *record
	share   limit.Share // of the memory budget
	body    io.Reader   // decompressed, limited and charged to the memory budget
	content []byte      // whole body, unless the request is a stream
	values  int         // maximum number of JSON values; 0: limited only by memory
	openAI  bool        // report errors in OpenAI's format, too

	collection *workspace.Handle // from the path, if the route opens it
	place      func()            // releases the admission slot; nil: none held
}

// rest releases the admission slot.
func (x *exchange) rest() {
	if x.place != nil {
		x.place()
		x.place = nil
	}
}

// decode decodes the body, a single JSON value, into in.
func (x *exchange) decode(in any) error {
	if err := x.wantType("application/json"); err != nil {
		return err
	}
	return x.decodeText(x.content, in)
}

// decodeText checks the depth and the number of values of untrusted JSON before it decodes.
func (x *exchange) decodeText(content []byte, in any) error {
	found, err := jsonlimit.Of(content)
	if err != nil {
		return invalid("the body cannot be read: %v", err)
	}
	if string(bytes.TrimSpace(content)) == "null" {
		return invalid("the body is null; a JSON value is required")
	}
	if x.values > 0 && found.Values > x.values {
		return invalid("the body has more than %d values; request less at once", x.values)
	}
	if err := x.share.Draw(valueCost * int64(found.Values)); err != nil {
		return err
	}
	return decodeJSON(content, in)
}

// wantType rejects bodies of other media types. A body without a type is accepted.
func (x *exchange) wantType(want ...string) error {
	given := x.Header.Get("Content-Type")
	if given == "" {
		return nil
	}
	got, _, err := mime.ParseMediaType(given)
	for _, w := range want {
		if err == nil && got == w {
			return nil
		}
	}
	fix := ""
	if slices.Contains(want, "application/json") {
		fix = " (curl --json sends it)"
	}
	return newProblem("media_type", "the Content-Type of the body is %q; it must be %s%s", given, strings.Join(want, " or "), fix)
}

// decodeJSON is json.Unmarshal for client input: it rejects unknown fields and reports errors
// with JSON names.
func decodeJSON(content []byte, in any) error {
	if len(bytes.TrimSpace(content)) == 0 {
		return invalid("a JSON body is required")
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(in); err != nil {
		return jsonProblem(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return invalid("the body has more data after its JSON value, at byte %d", d.InputOffset())
	}
	return nil
}

func jsonProblem(err error) error {
	var problem *Problem
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &syntax):
		return invalid("the body is not JSON: at byte %d, %v", syntax.Offset, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return invalid("the body is not JSON: it ends in the middle of a value")
	case errors.As(err, &kind):
		field := fieldName(kind.Field)
		return invalid("%s is a JSON %s where %s is expected (byte %d)", cmp.Or(field, "the body"), kind.Value, jsonName(kind.Type), kind.Offset).in(field)
	}
	// The remaining errors look like: json: unknown field "x"
	text := strings.TrimPrefix(err.Error(), "json: ")
	problem = invalid("the body is invalid: %s", text)
	if field, unknown := strings.CutPrefix(text, "unknown field "); unknown {
		problem.field = strings.Trim(field, `"`)
	}
	return problem
}

// fieldName returns the JSON name of a field. encoding/json includes the names of embedded
// structs in the path.
func fieldName(path string) string {
	parts := strings.Split(path, ".")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p != strings.ToLower(p) }), ".")
}

// jsonName describes a type in JSON terms.
func jsonName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Int, reflect.Int64, reflect.Uint32:
		return "a whole number"
	}
	return "a number"
}

// Explained implements workspace.Explained.
func (p *Problem) Explained() {}

// explain turns an unknown error into one of the collection's store, if the store is remote.
func (x *exchange) explain(err error) error { return explain(x.Context(), x.collection, err) }

func explain(ctx context.Context, h *workspace.Handle, err error) error {
	if err == nil || h == nil {
		return err
	}
	if code := problemOf(err).Code; code != "internal" && code != "timeout" {
		return err
	}
	return h.Explain(ctx, err)
}

// send writes a response.
func (x *exchange) send(status int, contentType string, content []byte) {
	h := x.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	x.compress(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = w.Write(content) // the client may have gone
		}
	})
}

// compress writes a response, compressed if the client accepts it.
func (x *exchange) compress(write http.HandlerFunc) {
	// net/http may first wait for the rest of an unread body.
	_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(2 * x.server.limits.StallTime))
	compressed(write).ServeHTTP(x.w, x.Request)
}

// fail responds with a problem, unless the response has begun, and records the error for the
// log.
func (x *exchange) fail(err error) {
	p := *problemOf(err)
	x.record.err = err
	if p.cause != nil {
		x.record.err = p.cause
	}
	if x.record.status != 0 {
		return
	}
	p.RequestID = x.record.id
	if x.openAI {
		p.OpenAI = p.openAIError()
	}
	switch {
	case p.Code == "unauthorized":
		x.w.Header().Set("WWW-Authenticate", `Bearer realm="nsfl"`)
	case p.Code == "busy", errors.Is(p.cause, engine.ErrSpent), errors.Is(p.cause, engine.ErrClosed):
		x.w.Header().Set("Retry-After", strconv.Itoa(retryAfter(p.retry)))
	}
	content, err := json.Marshal(&p)
	if err != nil { // strings and numbers always encode
		content = []byte("{}")
	}
	x.send(p.Status, "application/problem+json", content)
}

// retryAfter returns the value of the Retry-After header in seconds.
func retryAfter(wait time.Duration) int {
	return int(min(max(wait+time.Second-1, time.Second), time.Minute) / time.Second)
}

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
