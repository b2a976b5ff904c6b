package weaviate

import (
	"bytes"
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

// rest makes a request over HTTP, with a body unless that is nil, and reads what
// comes back into answer unless that is nil.
func (h *host) rest(ctx context.Context, method, path string, body, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(b)
	}
	request, err := http.NewRequestWithContext(ctx, method, h.url+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
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
	return h.rest(ctx, http.MethodGet, ".well-known/live", nil, nil) == nil
}

// version is that of the server.
func (h *host) version(ctx context.Context) (string, error) {
	var meta struct{ Version string }
	err := h.rest(ctx, http.MethodGet, "meta", nil, &meta)
	return meta.Version, err
}

// class reads a class; nil: there is none.
func (h *host) class(ctx context.Context, name string) (*class, error) {
	c := new(class)
	err := h.rest(ctx, http.MethodGet, "schema/"+name, nil, c)
	if isNotFound(err) {
		return nil, nil
	}
	return c, err
}

// createClass makes a class. It fails where there is one of the name.
func (h *host) createClass(ctx context.Context, c *class) error {
	return h.rest(ctx, http.MethodPost, "schema", c, nil)
}

// addProperty adds one to a class. It fails where there is one of the name.
func (h *host) addProperty(ctx context.Context, class string, p property) error {
	return h.rest(ctx, http.MethodPost, "schema/"+class+"/properties", p, nil)
}

// describe changes what a class says about itself, and nothing else of it.
func (h *host) describe(ctx context.Context, class, description string) error {
	all := map[string]any{}
	if err := h.rest(ctx, http.MethodGet, "schema/"+class, nil, &all); err != nil {
		return err
	}
	all["description"] = description
	return h.rest(ctx, http.MethodPut, "schema/"+class, all, nil)
}

// merge changes some properties of an object and leaves the others, and its vectors, as
// they are. It does nothing where the object is not there any more.
func (h *host) merge(ctx context.Context, path, class string, k key, properties map[string]any) error {
	err := h.rest(ctx, http.MethodPatch, path, map[string]any{"class": class, "id": k.String(), "properties": properties}, nil)
	if isNotFound(err) {
		return nil
	}
	return err
}

// named is something of which the name is all that matters.
type named struct{ Name string }

// shards are those of a class.
func (h *host) shards(ctx context.Context, class string) (shards []named, err error) {
	err = h.rest(ctx, http.MethodGet, "schema/"+class+"/shards", nil, &shards)
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
	err := h.rest(ctx, http.MethodGet, "nodes/"+class+"?output=verbose", nil, &answer)
	return answer.Nodes, err
}

// path is where an object is, for as many replicas as the consistency wants.
func (c *cluster) path(class string, k key) string {
	return fmt.Sprintf("objects/%s/%s?consistency_level=%s", class, k, c.address.consistency)
}

// object reads an object with its vectors.
func (h *host) object(ctx context.Context, path string) (*object, error) {
	o := new(object)
	return o, h.rest(ctx, http.MethodGet, path+"&include=vector", nil, o)
}

// exists reports whether there is an object.
func (h *host) exists(ctx context.Context, path string) (bool, error) {
	err := h.rest(ctx, http.MethodHead, path, nil, nil)
	if isNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// remove deletes an object, whether or not it is there.
func (h *host) remove(ctx context.Context, path string) error {
	err := h.rest(ctx, http.MethodDelete, path, nil, nil)
	if isNotFound(err) {
		return nil
	}
	return err
}
