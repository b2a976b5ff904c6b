package profile

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
)

// former is an operator as profiles have been written, with choices that are no
// more: they lost when they were measured. doc/beyond.md has the figures.
type former struct {
	Geometric bool   `json:"geometric"`
	Fusion    string `json:"fusion"`
	Logic     struct {
		logic.Options
		Gate struct {
			logic.Gate
			Power float64 `json:"power"`
		} `json:"gate"`
		Scaling  string `json:"scaling"`
		Operator string `json:"operator"`
	} `json:"logic"`
}

// UnmarshalJSON reads what Profile.String writes, and what earlier revisions wrote
// as long as it names no choice that is gone.
func (o *Operator) UnmarshalJSON(data []byte) error {
	f := former{Fusion: fusion.Simple.String()}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return err
	}
	var gone string
	switch l := f.Logic; {
	case f.Geometric:
		gone = "geometric ranking"
	case f.Fusion == "ensemble":
		gone = "the fusion ensemble"
	case l.Gate.Power != 0 && l.Gate.Power != 1:
		gone = fmt.Sprintf("the power %v of a gate", l.Gate.Power)
	case l.Scaling != "" && l.Scaling != "none":
		gone = "the scaling " + l.Scaling
	case l.Operator != "" && l.Operator != "delta":
		gone = "the operator " + l.Operator
	}
	if gone != "" {
		return fmt.Errorf("it chooses %s, which is no more; learn it again with nsfl tune", gone)
	}
	style, err := fusion.ParseStyle(f.Fusion)
	*o = Operator{style, f.Logic.Options}
	o.Logic.Gate = f.Logic.Gate.Gate
	return err
}
