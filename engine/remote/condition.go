package remote

// Condition is a condition of an engine whose conditions are JSON objects. Nil is met by all
// documents.
type Condition struct {
	JSON         map[string]any
	Terms, Depth int
}

// NewCondition returns a condition on one field.
func NewCondition(json map[string]any) *Condition { return &Condition{json, 1, 1} }

// Conditions joins conditions by operators whose operands are lists. Servers end when they are
// sent very long or deep conditions; filters beyond the limits are checked here.
type Conditions struct {
	And, Or            string
	MaxTerms, MaxDepth int
}

// Every is met if all of its parts are. It leaves out parts beyond the limits, and reports
// whether any is left.
func (c *Conditions) Every(parts []*Condition) (*Condition, bool) {
	all, left := []*Condition(nil), c.MaxTerms
	for _, p := range parts {
		if p.Terms <= left && p.Depth < c.MaxDepth {
			all = append(all, p)
			left -= p.Terms
		}
	}
	return Join(c.And, all...), len(all) > 0
}

// Some is met if one of its parts is. It reports false beyond the limits.
func (c *Conditions) Some(parts []*Condition) (*Condition, bool) {
	terms := 0
	for _, p := range parts {
		if terms += p.Terms; terms > c.MaxTerms || p.Depth >= c.MaxDepth {
			return nil, false
		}
	}
	return Join(c.Or, parts...), true
}

// Join applies an operator to parts; a single part is the result itself.
func Join(operator string, parts ...*Condition) *Condition {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return List(operator, parts...)
}

// List applies an operator to a list of parts.
func List(operator string, parts ...*Condition) *Condition {
	c := &Condition{}
	list := make([]map[string]any, len(parts))
	for i, p := range parts {
		list[i] = p.JSON
		c.Terms += p.Terms
		c.Depth = max(c.Depth, p.Depth)
	}
	c.JSON, c.Depth = map[string]any{operator: list}, c.Depth+1
	return c
}
