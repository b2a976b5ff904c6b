package logic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// One plain sentence for each rule of an Explanation.

func andSentence(x *Explanation, d DeltaOf, topValue, fused float64) string {
	var s string
	switch {
	case x.Floor == Reinforcement:
		s = fmt.Sprintf("the parts together (%s) match better than the sum of each alone, so the fused similarity stands", num(fused))
	case d.Value < 0:
		s = fmt.Sprintf("%s alone matches with %s, but together with %s only with %s: the weaker part is missing, which costs %s more", show(d.Given), num(topValue), show(d.Of), num(fused), num(fused-x.Score+x.Tilt))
	default:
		s = fmt.Sprintf("%s matches with %s and together with %s even with %s: all parts are there, which earns %s more", show(d.Given), num(topValue), show(d.Of), num(fused), num(x.Score-x.Tilt-fused))
	}
	if x.Tilt != 0 {
		s += fmt.Sprintf("; the weights add %s", signed(x.Tilt))
	}
	return s
}

func notSentence(x *Explanation, base string, baseValue float64) string {
	s := []string{fmt.Sprintf("%s scores %s", show(base), num(baseValue))}
	for j, g := range x.Gates {
		d := x.Deltas[j]
		gate := gateWords(g)
		switch {
		case g.Floor == Departure:
			s = append(s, fmt.Sprintf("together with %s it matches worse than either alone (delta %s): the encoder rejects both, which costs %s", show(g.Of), signed(d.Value), num(g.Penalty)))
		case g.Penalty > 0:
			s = append(s, fmt.Sprintf("%s is there (%s, delta %s), which costs %s", show(g.Of), gate, signed(d.Value), num(g.Penalty)))
		case g.Penalty < 0:
			s = append(s, fmt.Sprintf("%s pulls away from it (%s, delta %s), which earns %s", show(g.Of), gate, signed(d.Value), num(-g.Penalty)))
		case g.Value == 0:
			s = append(s, fmt.Sprintf("%s is not there and changes nothing", show(g.Of)))
		case d.Fused == d.Given:
			s = append(s, fmt.Sprintf("%s is wanted and unwanted at once: a contradiction, which changes nothing", show(g.Of)))
		case d.Value == 0:
			s = append(s, fmt.Sprintf("%s brings nothing to it (delta 0) and changes nothing", show(g.Of)))
		default:
			s = append(s, fmt.Sprintf("%s does not count, since the coefficient of NOT is 0", show(g.Of)))
		}
	}
	return strings.Join(s, "; ")
}

func gateWords(g GateOf) string {
	if g.Capped {
		return "gate capped at " + num(g.Value)
	}
	return "gate " + num(g.Value)
}

func orSentence(x *Explanation) string {
	if x.Floor == Departure {
		return fmt.Sprintf("the alternatives together match worse (%s) than any alone: the encoder rejects them all, and that lower value counts", num(x.Score))
	}
	for _, s := range x.Similarities {
		if s.Value == x.Score {
			return fmt.Sprintf("the best of the alternatives is %s with %s", show(s.Formula), num(s.Value))
		}
	}
	return fmt.Sprintf("the best of the weighted alternatives gives %s", num(x.Score))
}

func againstSentence(x *Explanation) string {
	worst := x.Gates[0]
	for _, g := range x.Gates[1:] {
		if g.Penalty > worst.Penalty {
			worst = g
		}
	}
	s := fmt.Sprintf("nothing is wanted but the absence of %s, which matches with %s where the strongest match is %s", show(worst.Of), num(worst.Similarity), num(worst.Maximum))
	if worst.Capped {
		s += fmt.Sprintf(" (%s)", gateWords(worst))
	}
	return s
}

func wordsSentence(w *WordsOf) string {
	switch added := w.Weight * w.Lexical; {
	case added > 0:
		return fmt.Sprintf("; its words add %s", num(added))
	case added < 0:
		return fmt.Sprintf("; its words cost %s", num(-added))
	case slices.ContainsFunc(w.Atoms, func(a Named) bool { return a.Value != 0 }):
		return "; its words say as much for it as against it"
	}
	return "; its words say nothing of it"
}

// show quotes a formula within a sentence.
func show(formula string) string { return "“" + formula + "”" }

func num(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

func signed(v float64) string {
	if v < 0 {
		return "−" + num(-v)
	}
	return "+" + num(v)
}
