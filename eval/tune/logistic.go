package tune

import (
	"errors"
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// ridge keeps the fit finite if a threshold separates all relevant documents from the rest.
// It multiplies the mean of the squared slopes, for weights that sum to 1.
const ridge = 1e-7

// fit finds the maximum-likelihood logistic for weighted observations. A probability must not
// decrease when a score rises: if one of the two slopes would be negative, only the other is
// fitted.
func fit(observed []observation) (profile.Logistic, error) {
	l, err := fitTo(observed, [3]bool{true, true, true})
	switch {
	case err == nil && l.Score < 0:
		return fitTo(observed, [3]bool{true, true, false})
	case err == nil && l.Slope < 0:
		return fitTo(observed, [3]bool{true, false, true})
	}
	return l, err
}

// fitTo fits the free parameters among intercept, slope and score by Newton's method.
// Weights need not sum to 1.
func fitTo(observed []observation, free [3]bool) (profile.Logistic, error) {
	var total, positive float64
	for _, o := range observed {
		total += o.weight
		if o.relevant {
			positive += o.weight
		}
	}
	if !(positive > 0 && positive < total) {
		return profile.Logistic{}, errors.New("all documents are relevant, or none is")
	}
	share := positive / total
	at := [3]float64{math.Log(share / (1 - share))}
	loss := penalized(at, observed, total)
	for range 100 {
		gradient, hessian := derivatives(at, observed, total)
		for i := range free {
			if !free[i] {
				gradient[i] = 0
				hessian[i] = [3]float64{}
				for j := range hessian {
					hessian[j][i] = 0
				}
				hessian[i][i] = 1
			}
		}
		step, ok := solve(hessian, gradient)
		if !ok {
			return profile.Logistic{}, errors.New("the scores do not predict relevance")
		}
		// A full step may overshoot where the loss is flat.
		next, better := at, math.Inf(1)
		for length := 1.0; length > 1e-6 && !(better <= loss); length /= 2 {
			for i := range next {
				next[i] = at[i] - length*step[i]
			}
			better = penalized(next, observed, total)
		}
		if !(better <= loss) || loss-better < 1e-13 {
			break
		}
		at, loss = next, better
	}
	return profile.Logistic{Intercept: at[0], Slope: at[1], Score: at[2]}, nil
}

// features returns the inputs of the logistic for a document.
func (o *observation) features() [3]float64 { return [3]float64{1, float64(o.z), float64(o.score)} }

// derivatives returns the gradient and the Hessian of the loss.
func derivatives(at [3]float64, observed []observation, total float64) (gradient [3]float64, hessian [3][3]float64) {
	l := profile.Logistic{Intercept: at[0], Slope: at[1], Score: at[2]}
	for k := range observed {
		o := &observed[k]
		x := o.features()
		p := l.Of(x[1], x[2])
		d, w := p, o.weight/total
		if o.relevant {
			d--
		}
		s := w * p * (1 - p)
		for i := range x {
			gradient[i] += w * d * x[i]
			for j := range x {
				hessian[i][j] += s * x[i] * x[j]
			}
		}
	}
	for i := 1; i < len(at); i++ {
		gradient[i] += 2 * ridge * at[i]
		hessian[i][i] += 2 * ridge
	}
	return gradient, hessian
}

// solve solves a·x = b by elimination; ok is false if a is singular.
func solve(a [3][3]float64, b [3]float64) (x [3]float64, ok bool) {
	for i := range a {
		if !(a[i][i] > 1e-300) {
			return x, false
		}
		for k := i + 1; k < len(a); k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < len(a); j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := len(a) - 1; i >= 0; i-- {
		x[i] = b[i]
		for j := i + 1; j < len(a); j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x, true
}

// penalized returns the mean negative log-likelihood plus the ridge penalty.
func penalized(at [3]float64, observed []observation, total float64) float64 {
	sum := 0.0
	for k := range observed {
		o := &observed[k]
		a := 0.0
		for i, x := range o.features() {
			a += at[i] * x
		}
		if o.relevant {
			a = -a
		}
		// log(1 + exp(a)), without overflow for a large a.
		sum += o.weight * (max(a, 0) + math.Log1p(math.Exp(-math.Abs(a))))
	}
	return sum/total + ridge*(at[1]*at[1]+at[2]*at[2])
}
