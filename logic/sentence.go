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
	return strings.Join(append([]string{s}, scaledWords(x)...), "; ")
}

func notSentence(x *Explanation, base string, baseValue float64, shape Gate) string {
	s := []string{fmt.Sprintf("%s scores %s", show(base), num(baseValue))}
	for j, g := range x.Gates {
		d := x.Deltas[j]
		gate := gateWords(g, shape)
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
	return strings.Join(append(s, scaledWords(x)...), "; ")
}

// gateWords is a gate with what shaped it.
func gateWords(g GateOf, shape Gate) string {
	switch {
	case g.Capped:
		return "gate capped at " + num(g.Value)
	case shape.Power != 0 && shape.Power != 1 && g.Maximum > 0:
		return fmt.Sprintf("gate %s, which is %s to the power of %v", num(g.Value), num(NewGate(g.Similarity, g.Maximum)), shape.Power)
	}
	return "gate " + num(g.Value)
}

// scaledWords tells of similarities that were scaled, if any were.
func scaledWords(x *Explanation) []string {
	if !slices.ContainsFunc(x.Similarities, func(n Named) bool { return n.Scale != 0 }) {
		return nil
	}
	return []string{"each similarity is divided by the mean of its ten largest, and multiplied by that of the fusion"}
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

func againstSentence(x *Explanation, shape Gate) string {
	worst := x.Gates[0]
	for _, g := range x.Gates[1:] {
		if g.Penalty > worst.Penalty {
			worst = g
		}
	}
	s := fmt.Sprintf("nothing is wanted but the absence of %s, which matches with %s where the strongest match is %s", show(worst.Of), num(worst.Similarity), num(worst.Maximum))
	if shape.shaped() {
		s += fmt.Sprintf(" (%s)", gateWords(worst, shape))
	}
	return s
}

func membershipSentence(x *Explanation) string {
	s, m := x.Similarities[0], x.Memberships[0]
	return fmt.Sprintf("similarity to %s is %s where the mean is %s and the deviation %s: a membership of %s",
		show(x.Formula), num(s.Value), num(m.Spread.Mean), num(m.Spread.Deviation), share(x.Score))
}

func productSentence(x *Explanation, product, most float64) string {
	var s []string
	for _, m := range x.Memberships {
		how := "is there with"
		if m.Negated {
			how = "is absent with"
		}
		part := fmt.Sprintf("%s %s %s", show(m.Of), how, share(m.Value))
		if m.Capped {
			part += fmt.Sprintf(" (its presence was capped at %s)", num(most))
		}
		s = append(s, part)
	}
	return fmt.Sprintf("%s: the product of the memberships is %s%s", strings.Join(s, ", "), share(product), rootWords(x))
}

func eitherSentence(x *Explanation, either float64) string {
	var s []string
	for _, m := range x.Memberships {
		s = append(s, fmt.Sprintf("%s is there with %s", show(m.Of), share(m.Value)))
	}
	return fmt.Sprintf("%s: the membership in at least one is %s%s", strings.Join(s, ", "), share(either), rootWords(x))
}

// rootWords tells how a score follows from a membership, where it is not one.
func rootWords(x *Explanation) string {
	if x.Degree == 1 {
		return ""
	}
	return fmt.Sprintf(", and the score its root of degree %.4g, %s", x.Degree, share(x.Score))
}

// share is a membership in words: what rounds to nothing is not nothing.
func share(v float64) string {
	if v < 0.0005 {
		return "less than 0.001"
	}
	return num(v)
}

// show marks a formula off from the words of a sentence.
func show(formula string) string { return "“" + formula + "”" }

func num(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

func signed(v float64) string {
	if v < 0 {
		return "−" + num(-v)
	}
	return "+" + num(v)
}
