package passage

import (
	"slices"
	"strings"
	"testing"
)

// In the texts of TestSentences a bar marks the end of a sentence.
func TestSentences(t *testing.T) {
	for _, text := range []string{
		"One. |Two! |Three? |Four",
		"Dr. Hale met Mrs. Ito at St. Mary's. |They left.",
		"It costs $3.50 or 2.5 million. |See fig. 3 and no. 7.",
		"He said no. |Then he left.",
		"J. R. R. Tolkien wrote it. |So did C. S. Lewis.",
		"At 9 a.m. they met, i.e. early. |Nobody came.",
		"The U.S. Senate met. |It rose.",
		"Wait... what? |Yes… and no. |Well... |Good.",
		`"Really?" he asked. |"Yes!" |She left.`,
		"(It was late.) |We left. |“Why?” |Nobody knew.",
		"Am 3. Mai kam er bzw. Herr Maier. |Am 12. ging er. |Das war 1999. |Schluss.",
		"Visit example.com/a.b for v1.2.3 of it. |Then stop.",
		"第一句。|第二句！|「引用。」|最後",
		"これはペンです。|「本当？」|はい。",
		"¿Dónde está? |¡Aquí! |Está bien.",
		"यह एक वाक्य है। |यह दूसरा है।",
		"So did I. |You too.",
		"What?! |No way!!! |Fine.",
		"no end",
		"...",
		". . .",
		"",
	} {
		var want []string
		for part := range strings.SplitSeq(text, "|") {
			if part = strings.TrimSpace(part); part != "" {
				want = append(want, part)
			}
		}
		if got := sentences(strings.ReplaceAll(text, "|", "")); !slices.Equal(got, want) {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}
