package weaviate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// maxBody is the most of an answer over HTTP, where a vector is written in digits.
var maxBody int64 = 4 * maxMessage // less in tests

// get makes a request over HTTP and decodes the response into answer unless that is nil.
func (h *host) get(ctx context.Context, path string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+path, http.NoBody)
	if err != nil {
		return err
	}
	if h.key != "" {
		request.Header.Set("Authorization", "Bearer "+h.key)
	}
	response, err := h.http.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read as far as it is wanted
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	switch {
	case int64(len(text)) > maxBody:
		return fmt.Errorf("an answer has more than %d bytes: %w", maxBody, errGarbage)
	case err != nil:
		return fmt.Errorf("%w: %w", errLost, err)
	case response.StatusCode/100 != 2:
		return h.says(codeOf(response.StatusCode), fmt.Sprintf("%d %s: %s", response.StatusCode, http.StatusText(response.StatusCode), message(text)))
	case answer == nil:
		return nil
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("reading an answer: %w: %w", err, errGarbage)
	}
	return nil
}

// codeOf puts a code of HTTP into those of gRPC.
func codeOf(code int) codes.Code {
	switch {
	case code == http.StatusUnauthorized:
		return codes.Unauthenticated
	case code == http.StatusForbidden:
		return codes.PermissionDenied
	case code == http.StatusNotFound:
		return codes.NotFound
	case code == http.StatusNotImplemented:
		return codes.Unimplemented
	case code == http.StatusTooManyRequests || code >= 500: // may go better the next time
		return codes.Internal
	}
	return codes.InvalidArgument
}

// message is what the body of an error says: Weaviate has two forms of it, and what
// stands between may have any.
func message(body []byte) string {
	var e struct {
		Message string
		Error   []struct{ Message string }
	}
	if json.Unmarshal(body, &e) == nil {
		if len(e.Error) > 0 {
			e.Message = e.Error[0].Message
		}
		if e.Message != "" {
			return e.Message
		}
	}
	return string(body)
}

func isNotFound(err error) bool { return status.Code(err) == codes.NotFound }

// alive reports whether the node answers at all.
func (h *host) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, suspicion)
	defer cancel()
	return h.get(ctx, ".well-known/live", nil) == nil
}

// version returns the version of the server.
func (h *host) version(ctx context.Context) (string, error) {
	var meta struct{ Version string }
	err := h.get(ctx, "meta", &meta)
	return meta.Version, err
}

// named is an object with a name.
type named struct{ Name string }

// shards returns the shards of a class.
func (h *host) shards(ctx context.Context, class string) (shards []named, err error) {
	err = h.get(ctx, "schema/"+class+"/shards", &shards)
	return shards, err
}

// member is a node of the cluster, with the shards of a class that it has.
type member struct {
	Name   string
	Shards []named
}

// members are the nodes that answer.
func (h *host) members(ctx context.Context, class string) ([]member, error) {
	var answer struct{ Nodes []member }
	err := h.get(ctx, "nodes/"+class+"?output=verbose", &answer)
	return answer.Nodes, err
}
