package sets

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteRun writes rankings by query in TREC's format, for trec_eval and others: queries sorted
// by id, and scores that decrease by rank, to preserve the order of ties.
func WriteRun(w io.Writer, tag string, rankings map[string][]string) error {
	out := bufio.NewWriter(w)
	for _, query := range sortedKeys(rankings) {
		ids := rankings[query]
		for i, id := range ids {
			for _, column := range []string{query, id, tag} {
				if column == "" || strings.ContainsFunc(column, unicode.IsSpace) {
					return fmt.Errorf("writing a run: %q is empty or contains white space, which TREC's format does not allow; use another id", column)
				}
			}
			fmt.Fprintf(out, "%s Q0 %s %d %d %s\n", query, id, i+1, len(ids)-i, tag)
		}
	}
	return out.Flush()
}
