package ingest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"github.com/nsfl-go/nsfl/passage"
)

// readMail reads a file that is one message.
func (k *sink) readMail(r *bufio.Reader) error {
	content, err := readAll(r, k.run.options.limits.packed)
	if err != nil {
		return err
	}
	d, err := k.message(content, 0)
	if err != nil {
		return err
	}
	for i := range d.blocks { // line numbers of decoded text are not those of the file
		d.blocks[i].Line = 0
	}
	k.add(d, 0)
	return nil
}

// readMbox reads a file of messages, each of which begins with a line "From …".
func (k *sink) readMbox(r *bufio.Reader) error {
	lines := &lineReader{r: r, limit: k.run.options.limits.file}
	var message []byte
	begin, blank, long := 0, true, false
	add := func() bool {
		if begin == 0 {
			return true
		}
		k.rows++
		if long {
			k.skip(begin, unusable(TooLarge, "the message has more than %d bytes", lines.limit))
			return true
		}
		d, err := k.message(message, begin)
		if err != nil {
			k.skip(begin, err)
			return true
		}
		return k.add(d, begin)
	}
	for {
		line, err := lines.next()
		switch {
		case errors.Is(err, errLongRow):
			long = true
			continue
		case errors.Is(err, io.EOF):
			if begin == 0 {
				return unusable(Malformed, "no line in it begins with \"From \", as every message of an mbox file does")
			}
			add()
			return nil
		case err != nil:
			return err
		}
		if blank && bytes.HasPrefix(line, []byte("From ")) {
			if !add() {
				return nil
			}
			message, begin, long = message[:0], lines.number, false
			continue
		}
		blank = len(line) == 0
		if quoted := bytes.TrimLeft(line, ">"); len(quoted) < len(line) && bytes.HasPrefix(quoted, []byte("From ")) {
			line = line[1:]
		}
		if long = long || int64(len(message)+len(line)) > lines.limit; !long {
			message = append(append(message, line...), '\n')
		}
	}
}

// message converts a message that begins at the given line to a draft. It reports attachments
// as skipped.
func (k *sink) message(content []byte, line int) (draft, error) {
	m, err := readMessage(bytes.NewReader(content))
	if err != nil {
		return draft{}, unusable(Malformed, "it does not begin like a message: %v", err)
	}
	b := newBudget(k.ctx, k.run.options.limits)
	p := parts{budget: b}
	p.add(textproto.MIMEHeader(m.Header), m.Body, 0)
	d := draft{title: decodeWords(m.Header.Get("Subject")), blocks: p.blocks(b), metadata: map[string]any{}}
	if b.err != nil {
		return d, b.err
	}
	for field, value := range map[string]string{
		"from": decodeWords(m.Header.Get("From")), "to": decodeWords(m.Header.Get("To")),
		"message_id": strings.Trim(m.Header.Get("Message-Id"), "<> "),
	} {
		if value = passage.OneLine(value); value != "" {
			d.metadata[field] = value
		}
	}
	if date, err := m.Header.Date(); err == nil {
		d.metadata["date"] = date.UTC().Format(time.RFC3339)
	}
	if p.attached != nil {
		k.skip(line, unusable(Attachment, "not read: %s; save it as a file to index it", strings.Join(p.attached, ", ")))
	}
	return d, nil
}

// readMessage calls mail.ReadMessage for a message with a header of limited length.
func readMessage(r io.Reader) (*mail.Message, error) {
	const longest = 1 << 20 // bytes
	header := &allowance{r: r, left: longest}
	m, err := mail.ReadMessage(header)
	header.left = math.MaxInt64
	return m, err
}

var wordDecoder = mime.WordDecoder{CharsetReader: func(label string, r io.Reader) (io.Reader, error) {
	return charset.NewReaderLabel(label, r)
}}

// decodeWords decodes the encoded words in a header.
func decodeWords(s string) string {
	if decoded, err := wordDecoder.DecodeHeader(s); err == nil {
		s = decoded
	}
	return decodeAny([]byte(s))
}

// decodeAny is decode without its error: bytes that are not text are dropped.
func decodeAny(content []byte) string {
	if decoded, err := decode(content); err == nil {
		return string(decoded)
	}
	return strings.ToValidUTF8(string(content), "")
}

// parts collects the parts of a message.
type parts struct {
	budget       *budget
	plain, pages []string
	attached     []string // their names
	met          int
}

const (
	maxParts   = 1000
	maxPartsIn = 10 // within each other
)

func (p *parts) add(header textproto.MIMEHeader, body io.Reader, depth int) {
	if p.met++; p.met > maxParts || depth > maxPartsIn {
		return
	}
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || kind == "" {
		kind = "text/plain"
	}
	disposition, about, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	body = decodeTransfer(header.Get("Content-Transfer-Encoding"), body)
	switch {
	case strings.HasPrefix(kind, "multipart/") && parameters["boundary"] != "":
		r := multipart.NewReader(body, parameters["boundary"])
		for {
			part, err := r.NextRawPart()
			if err != nil || p.met > maxParts || !p.budget.spend(1, 0) { // the end, or unrecoverable damage
				return
			}
			p.add(part.Header, part, depth+1)
		}
	case kind == "message/rfc822":
		if m, err := readMessage(body); err == nil {
			p.add(textproto.MIMEHeader(m.Header), m.Body, depth+1)
		}
	case disposition == "attachment" || kind != "text/plain" && kind != "text/html":
		const longest = 100 // bytes
		name := cmp.Or(decodeWords(about["filename"]), decodeWords(parameters["name"]), "a part of the type "+kind)
		p.attached = append(p.attached, clipped(passage.OneLine(name), longest))
	case kind == "text/html":
		p.pages = append(p.pages, p.decodeCharset(parameters["charset"], body))
	default:
		p.plain = append(p.plain, p.decodeCharset(parameters["charset"], body))
	}
}

func decodeTransfer(encoding string, r io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "quoted-printable":
		return quotedprintable.NewReader(r)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, r)
	}
	return r
}

// decodeCharset converts text to UTF-8. If a part is damaged, it returns the text before the
// damage.
func (p *parts) decodeCharset(label string, r io.Reader) string {
	content, _ := io.ReadAll(io.LimitReader(r, int64(p.budget.bytes)+1))
	if !p.budget.spend(bytes.Count(content, []byte("\n")), len(content)) {
		return ""
	}
	if label != "" {
		if decoder, err := charset.NewReaderLabel(label, bytes.NewReader(content)); err == nil {
			if decoded, err := io.ReadAll(decoder); err == nil {
				return strings.ToValidUTF8(string(decoded), "")
			}
		}
	}
	return decodeAny(content)
}

// blocks returns the author's own text: the plain text or, without one, the HTML parts.
func (p *parts) blocks(b *budget) []passage.Block {
	if text := strings.Join(p.plain, "\n\n"); strings.TrimSpace(text) != "" {
		return b.blocks(ownWords(text))
	}
	var blocks []passage.Block
	for _, page := range p.pages {
		blocks = append(blocks, ownBlocks(b, page)...)
	}
	return blocks
}

// ownWords removes quotations and the signature, unless nothing else is left.
func ownWords(text string) string {
	var kept []string
	for line := range passage.Lines(text) {
		if line == "-- " || line == "--" || strings.HasPrefix(line, "-----Original Message-----") {
			break
		}
		if strings.HasPrefix(line, ">") {
			kept = withoutIntroduction(kept)
			continue
		}
		kept = append(kept, line)
	}
	if own := strings.Join(kept, "\n"); strings.TrimSpace(own) != "" {
		return own
	}
	return strings.ReplaceAll(text, "\n>", "\n")
}

// withoutIntroduction removes "On Monday somebody wrote:", which spans one or two lines.
func withoutIntroduction(lines []string) []string {
	const mostBlank = 3
	n := len(lines)
	for n > 0 && len(lines)-n < mostBlank && strings.TrimSpace(lines[n-1]) == "" {
		n--
	}
	if n == 0 || !strings.HasSuffix(strings.TrimSpace(lines[n-1]), ":") {
		return lines
	}
	n--
	if n > 0 && strings.TrimSpace(lines[n-1]) != "" && (n == 1 || strings.TrimSpace(lines[n-2]) == "") {
		n--
	}
	return lines[:n]
}

// ownBlocks is ownWords for a page.
func ownBlocks(b *budget, page string) []passage.Block {
	root, err := b.page([]byte(page))
	if err != nil {
		return nil
	}
	var quotes []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Blockquote && attribute(n, "type") == "cite" || strings.Contains(attribute(n, "class"), "gmail_quote") ||
			attribute(n, "class") == "moz-cite-prefix" {
			quotes = append(quotes, n)
		}
	}
	all := blocksOf(b, root)
	for _, n := range quotes {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	if own := blocksOf(b, root); len(own) > 0 {
		return own
	}
	return all
}
