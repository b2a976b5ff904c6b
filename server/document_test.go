package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestDocuments(t *testing.T) {
	a := withAnimals(t)
	const docs = "/v1/collections/pets/documents"
	got := a.call(200, "GET", docs+"/a%2Fleashed.md", "")
	if got["id"] != "a/leashed.md" || got["title"] != "Walk" || at(got, "metadata", "year") != 2019.0 || at(got, "passages", 0) != "Walk" {
		t.Errorf("a document: %v", got)
	}
	stored := a.call(200, "POST", docs, `{"text": "No id at all."}`)
	id := fmt.Sprint(at(stored, "ids", 0))
	if stored["documents"] != 1.0 || len(id) != 20 {
		t.Errorf("stored: %v", stored)
	}
	a.call(200, "GET", docs+"/"+id, "")
	a.call(200, "PUT", docs+"/placed", `{"title": "T", "passages": ["A zebra.", "A gnu."], "places": [{}, {"heading": "Herds › Gnus", "page": 2, "line": 7}]}`)
	if got := a.call(200, "GET", docs+"/placed", ""); len(got["places"].([]any)) != 3 || at(got, "places", 2, "heading") != "Herds › Gnus" || at(got, "places", 2, "line") != 7.0 {
		t.Errorf("places: %v", got)
	}
	if got := a.call(200, "POST", "/v1/collections/pets/search", `{"query": "gnu", "k": 1}`); at(got, "hits", 0, "snippet", "place", "page") != 2.0 {
		t.Errorf("a result without its place: %v", got)
	}
	a.call(204, "DELETE", docs+"/placed", "")
	// Whatever an id holds, it can be a part of a path.
	for _, id := range []string{"..", ".", "a//b", "a b?c#d%2F", "ünïcode/日本", "bulk", "\"quoted\""} {
		path := docs + "/" + strings.ReplaceAll(url.PathEscape(id), ".", "%2E")
		if id == "bulk" { // a path of its own: POST only
			path = docs + "/bulk"
		}
		a.call(200, "PUT", path, `{"title": "T", "metadata": {"n": 12345678901234567890}}`)
		if got := a.call(200, "GET", path, ""); got["id"] != id {
			t.Errorf("under %s: %v", path, got)
		}
		a.call(204, "DELETE", path, "")
		a.fails("not_found", "no document", "GET", path, "")
		a.fails("not_found", "no document", "DELETE", path, "")
	}
	a.fails("invalid", "leave the id out", "PUT", docs+"/x", `{"id": "y", "text": "t"}`)
	for body, words := range map[string]string{
		``:                                "a JSON body is required",
		`{}`:                              "neither a title nor a text",
		`{"text": " "}`:                   "neither a title nor a text",
		`[]`:                              "0 documents",
		`{"text": 7}`:                     "text is a JSON number where a string is expected",
		`[{"text": "x"}, {"t"}]`:          "not JSON",
		`[{"text": "x"}, {"t": 1}]`:       `document 1 of the list: the body is invalid: unknown field "t"`,
		`{"text": "x", "metadata": [1]}`:  "JSON object",
		`{"text": "x", "passages": [""]}`: "empty passage",
		`{"passages": ["x"], "places": [{}, {}]}`:                               "1 passages and 2 places",
		`{"text": "x", "places": [{}]}`:                                         "0 passages and 1 places",
		`{"passages": ["x"], "places": [{"line": -1}]}`:                         "negative",
		`{"passages": ["x"], "places": [{"row": 1}]}`:                           "unknown field",
		`{"id": "` + strings.Repeat("x", 1025) + `", "text": "x"}`:              "1024",
		`[{"id": "x", "text": "x"}, {"id": "x", "text": "x"}]`:                  "same id",
		`[` + strings.Repeat(`{"text": "x"},`, 1000) + `{"text": "x"}]`:         "1001 documents",
		`{"text": "x"} {"text": "y"}`:                                           "more data after its JSON value",
		`{"text": "x", "passages": [` + strings.Repeat(`"p",`, 66000) + `"p"]}`: "66001 passages",
		`{"text": "` + strings.Repeat("x", 9<<20) + `"}`:                        "bytes with its passages",
		`"text"`:                    "a JSON string where an object is expected",
		strings.Repeat(`[`, 20_000): "nested more than 160 deep",
		`{"text": "x", "metadata": ` + strings.Repeat(`{"a":`, 20_000) + `1}`: "nested more than 160 deep",
	} {
		a.fails("invalid", words, "POST", docs, body)
	}
	a.fails("not_found", "no collection", "POST", "/v1/collections/none/documents", `{"text": "x"}`)
	if n := a.call(200, "GET", "/v1/collections/pets", "")["documents"]; n != 5.0 {
		t.Errorf("%v documents after refusals", n)
	}
	if big := a.call(200, "PUT", docs+"/n", `{"text": "x", "metadata": {"n": 12345678901234567890}}`); big["documents"] != 1.0 {
		t.Error(big)
	}
	if _, content := a.request("GET", docs+"/n", nil, nil); !strings.Contains(string(content), "12345678901234567890") {
		t.Errorf("a large number has changed: %s", content)
	}
}

func TestListDocuments(t *testing.T) {
	a := withAnimals(t)
	const docs = "/v1/collections/pets/documents"
	var seen []string
	for after := ""; ; {
		page := a.call(200, "GET", docs+"?limit=3&after="+after, "")
		for i := 0; at(page, "documents", i) != nil; i++ {
			seen = append(seen, fmt.Sprint(at(page, "documents", i, "id")))
		}
		next, more := page["next"].(string)
		if !more {
			break
		}
		after = next
	}
	if fmt.Sprint(seen) != "[a/leashed.md free cat soup]" {
		t.Errorf("listed: %v", seen)
	}
	for _, bad := range []string{"limit=0", "limit=1001", "limit=x", "after=-1", "after=99999999999"} {
		a.call(400, "GET", docs+"?"+bad, "")
	}
}

// lines sends a stream and reads the lines of the answer.
func (a *api) lines(path, contentType string, header http.Header, body io.Reader) (out []map[string]any) {
	a.Helper()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", contentType)
	response, content := a.request("POST", path, header, body)
	if response.StatusCode != 200 {
		a.Fatalf("%s: %d: %s", path, response.StatusCode, content)
	}
	for line := range bytes.Lines(content) {
		var v map[string]any
		if err := json.Unmarshal(line, &v); err != nil {
			a.Fatalf("%s: %v in %s", path, err, line)
		}
		out = append(out, v)
	}
	return out
}

func TestBulk(t *testing.T) {
	a := withAnimals(t)
	const bulk = "/v1/collections/pets/documents/bulk"
	var b strings.Builder
	for i := range 600 {
		switch i {
		case 10:
			b.WriteString("not JSON\n")
		case 20:
			b.WriteString("\n")
		case 30:
			b.WriteString(`{"id": "empty"}` + "\n")
		case 40:
			b.WriteString(`{"id": "d39", "text": "the later one"}` + "\n")
		default:
			fmt.Fprintf(&b, `{"id": "d%d", "text": "number %d"}`+"\n", i, i)
		}
	}
	text := strings.TrimSuffix(b.String(), "\n") // the last line may lack its end
	for _, packed := range []bool{false, true} {
		header, body := http.Header{}, []byte(text)
		if packed {
			header.Set("Content-Encoding", "gzip")
			body = compress(body)
		}
		lines := a.lines(bulk, ndjson, header, bytes.NewReader(body))
		var failed []any
		stored := 0.0
		for _, l := range lines {
			switch l["type"] {
			case "failed":
				failed = append(failed, l["line"])
			case "stored":
				if l["line"].(float64) <= stored {
					t.Errorf("stored goes back: %v", l)
				}
				stored = l["line"].(float64)
			}
		}
		last := lines[len(lines)-1]
		if last["type"] != "done" || last["ok"] != true || last["documents"] != 597.0 || last["failed"] != 2.0 || last["line"] != 600.0 || stored != 600 {
			t.Errorf("at the end: %v", last)
		}
		if fmt.Sprint(failed) != "[11 31]" {
			t.Errorf("failed: %v", failed)
		}
	}
	if d := a.call(200, "GET", "/v1/collections/pets/documents/d39", ""); d["text"] != "the later one" {
		t.Errorf("an id twice: %v", d)
	}
	// Two documents that get the same id of their own are one.
	lines := a.lines(bulk, ndjson, nil, strings.NewReader(strings.Repeat(`{"text": "the same"}`+"\n", 2)))
	if last := lines[len(lines)-1]; last["documents"] != 2.0 || last["failed"] != 0.0 {
		t.Errorf("the same twice: %v", lines)
	}
	lines = a.lines(bulk, ndjson, nil, strings.NewReader(`{"text": "x"}`+"\n"+strings.Repeat("x", maxLine+10)+"\n"+`{"text": "y"}`))
	if last := lines[len(lines)-1]; last["documents"] != 2.0 || last["failed"] != 1.0 {
		t.Errorf("a line that is too long: %v", lines)
	}
	lines = a.lines(bulk, ndjson, nil, strings.NewReader(strings.Repeat("x\n", 2000)))
	if last := lines[len(lines)-1]; len(lines) != maxFailed+1 || last["ok"] != false || at(last, "error", "code") != "too_large" {
		t.Errorf("nothing but mistakes: %d lines, %v", len(lines), last)
	}
	if lines = a.lines(bulk, ndjson, nil, strings.NewReader("")); lines[0]["ok"] != true {
		t.Errorf("nothing at all: %v", lines)
	}
	a.fails("not_found", "no collection", "POST", "/v1/collections/none/documents/bulk", `{"text": "x"}`)
	response, _ := a.request("POST", bulk, http.Header{"Content-Type": {"image/png"}}, strings.NewReader("x"))
	if response.StatusCode != 415 {
		t.Errorf("a picture: %d", response.StatusCode)
	}
	header := http.Header{"Content-Encoding": {"gzip"}}
	packed := compress([]byte(text))
	lines = a.lines(bulk, ndjson, header, bytes.NewReader(packed[:len(packed)/2]))
	if last := lines[len(lines)-1]; last["ok"] != false || at(last, "error", "code") != "invalid" {
		t.Errorf("half of it: %v", last)
	}
}

func form(files ...string) (contentType string, body *bytes.Buffer) {
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	for i := 0; i < len(files); i += 2 {
		part, _ := w.CreateFormFile("file", files[i])
		_, _ = io.WriteString(part, files[i+1])
	}
	_ = w.WriteField("note", "not a file")
	_ = w.Close()
	return w.FormDataContentType(), body
}

func TestFiles(t *testing.T) {
	a := withAnimals(t)
	const files = "/v1/collections/pets/files"
	contentType, body := form("notes.md", "# Boats\n\nA boat in the harbour.", "rows.csv", "id,text\nr1,A first row\nr2,\nr3,A third row\n", "../../etc/passwd.txt", "Plain text.", "x.bin", "\x00\x01\x02")
	lines := a.lines(files, contentType, nil, body)
	last := lines[len(lines)-1]
	if last["type"] != "done" || last["ok"] != true || last["documents"] != 4.0 || last["files"] != 4.0 || last["skipped"] != 2.0 || last["bytes"].(float64) < 80 {
		t.Errorf("uploaded: %v", lines)
	}
	for _, id := range []string{"notes.md", "r1", "r3", "passwd.txt"} {
		a.call(200, "GET", "/v1/collections/pets/documents/"+id, "")
	}
	if r := a.call(200, "POST", "/v1/collections/pets/search", `{"query": "harbour", "k": 1}`); ids(r)[0] != "notes.md" {
		t.Errorf("after the upload: %v", ids(r))
	}
	// Two files that have the same id in them are two documents.
	contentType, body = form("a.csv", "id,text\n7,A lamp\n", "b.csv", "id,text\n7,A chair\n")
	a.lines(files, contentType, nil, body)
	for id, text := range map[string]string{"7": "A lamp", "b.csv%237": "A chair"} {
		if d := a.call(200, "GET", "/v1/collections/pets/documents/"+id, ""); d["text"] != text {
			t.Errorf("an id of two files: %v", d)
		}
	}
	contentType, body = form()
	if response, content := a.request("POST", files, http.Header{"Content-Type": {contentType}}, body); response.StatusCode != 400 || !bytes.Contains(content, []byte("has no file")) {
		t.Errorf("a form without files: %d: %s", response.StatusCode, content)
	}
	if response, content := a.request("POST", files, http.Header{"Content-Type": {contentType}}, strings.NewReader("{}")); response.StatusCode != 400 {
		t.Errorf("no form: %d: %s", response.StatusCode, content)
	}
	contentType, body = form("half.txt", strings.Repeat("word ", 1000))
	body.Truncate(body.Len() / 2)
	lines = a.lines(files, contentType, nil, body)
	if last := lines[len(lines)-1]; last["ok"] != false || at(last, "error", "code") != "invalid" {
		t.Errorf("half a form: %v", lines)
	}
	for _, contentType := range []string{"application/json", "multipart/form-data", "multipart/mixed; boundary=x"} {
		response, _ := a.request("POST", files, http.Header{"Content-Type": {contentType}}, strings.NewReader("{}"))
		if response.StatusCode != 415 {
			t.Errorf("%s: %d", contentType, response.StatusCode)
		}
	}
}
