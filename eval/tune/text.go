package tune

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/eval/report"
)

// Text writes the calibration and its errors as a table.
func (r *Result) Text(w io.Writer) error {
	columns := []string{"", "queries", "relevant", "probability", "error", "error, set left out"}
	if len(r.Sets) == 1 {
		columns = columns[:5]
	}
	t := report.NewTable(1, columns...)
	t.Caption = "Probabilities: measured on queries not used in the fit. The error is the mean difference between probability and share of relevant documents in ten bins, over the first ten results of each query."
	for _, e := range r.Calibration.Errors {
		row := []string{e.Set, fmt.Sprint(e.Queries)}
		for _, v := range []float64{e.Relevant, e.Probability, e.HeldOut, e.LeftOut} {
			row = append(row, fmt.Sprintf("%.3f", v))
		}
		t.Add(row[:len(columns)]...)
	}
	l := r.Calibration.Logistic
	t.Notes = []string{fmt.Sprintf("P = 1/(1 + exp(-intercept - slope·z - score·s - length·log2(passages))): intercept %.4f, slope %.4f, score %.4f, length %.4f; s is the score, z its deviations above the mean of all documents, passages the mean number of vectors per document.", l.Intercept, l.Slope, l.Score, l.Length)}
	if r.Calibration.Skipped != "" {
		t.Notes = []string{fmt.Sprintf("No probabilities: %s.", r.Calibration.Skipped)}
	}
	return t.Write(w, report.Text)
}
