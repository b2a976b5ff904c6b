package chat

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/doc"
	"github.com/nsfl-go/nsfl/internal/webclient"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

// instructions are the prompt, followed by the description of the language.
const instructions = `You turn requests in plain language into formulas of a query language. Answer with one formula on one line and nothing else: no explanation, no quotes around it.
Leave out words that only ask ("show me", "please") and keep the words that name what is wanted as they are, in short atoms. What is not wanted goes behind NOT. Where a request names no condition on metadata, write none. A request that excludes nothing and joins nothing is one atom.

dogs without leashes → dogs AND NOT leashes
Can you find red or blue cars, but nothing electric? → (red cars OR blue cars) AND NOT electric
what is the capital of France → what is the capital of France

The language:

`

// Read asks the model for the formula that a text means.
func (c *Client) Read(ctx context.Context, text string) (nl.Reading, error) {
	conversation := []message{{"system", instructions + doc.Language()}, {"user", text}}
	var mistake error
	for range 2 {
		answer, err := c.ask(ctx, conversation)
		if err != nil {
			return nl.Reading{}, fmt.Errorf("asking %s at %s: %w", c.model, c.web.Place, err)
		}
		n, err := formula(answer)
		if err == nil {
			return nl.Reading{Node: n, Notes: []string{"read by " + c.model}, Understood: true}, nil
		}
		mistake = err
		conversation = append(conversation, message{"assistant", answer[:min(len(answer), query.MaxBytes)]},
			message{"user", fmt.Sprintf("That is not a formula of the language: %v\nAnswer with the right formula only.", err)})
	}
	return nl.Reading{}, fmt.Errorf("%s at %s did not answer with a valid formula in two attempts: %s", c.model, c.web.Place, webclient.Line(c.web.Hide(mistake.Error()), 300))
}

// formula extracts the formula from a model's reply.
func formula(answer string) (query.Node, error) {
	text := answerOf(answer)
	n, err := query.Parse(text)
	if err != nil {
		return nil, err
	}
	if _, err := query.Normalize(n); err != nil {
		return nil, err
	}
	for a := range query.Atoms(n) {
		if a.Kind == query.Image {
			return nil, errors.New("image: reads a file; leave it out")
		}
	}
	return n, nil
}

var (
	thought = regexp.MustCompile(`(?s)^.*</think>`)
	fence   = regexp.MustCompile("(?s)```[a-z]*\n?(.*?)```")
	ticks   = regexp.MustCompile("`([^`\n]+)`")
	label   = regexp.MustCompile(`(?i)^.*\b(formula|query|answer)\b[^:]{0,40}:\s+`)
)

// answerOf strips what models add to an answer: reasoning, code fences, backticks, an
// introduction, an explanation.
func answerOf(answer string) string {
	answer = strings.TrimSpace(thought.ReplaceAllString(answer, ""))
	for _, around := range []*regexp.Regexp{fence, ticks} {
		if m := around.FindStringSubmatch(answer); m != nil {
			return strings.TrimSpace(m[1])
		}
	}
	lines := strings.Split(answer, "\n")
	first := label.ReplaceAllString(strings.TrimSpace(lines[0]), "")
	for _, line := range lines[1:] {
		if line = label.ReplaceAllString(strings.TrimSpace(line), ""); line != "" && strings.HasSuffix(strings.TrimSpace(lines[0]), ":") {
			return line // the line after "Here is the formula:"
		}
	}
	return strings.Join(strings.Fields(first), " ")
}
