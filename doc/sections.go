package doc

import "strings"

// sections divides a Markdown file at its headings. A heading inside a fence of code is none.
func sections(file, text string) (out []page) {
	fenced, top := false, ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		marks, heading, ok := strings.Cut(strings.TrimSpace(line), " ")
		if fenced || !ok || strings.Trim(marks, "#") != "" || marks == "" {
			if len(out) > 0 {
				out[len(out)-1].Text += line
			}
			continue
		}
		p := page{ID: file, Title: heading}
		if len(out) == 0 {
			top = heading
		} else {
			p.ID += "/" + strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(heading, ",", ""), " ", "-"))
			p.Title = top + ": " + heading
		}
		out = append(out, p)
	}
	return out
}
