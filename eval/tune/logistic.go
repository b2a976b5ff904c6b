package tune

import (
	"errors"
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// ridge keeps the fit finite if a threshold separates the relevant documents from the others. It
// multiplies the sum of the squared slopes, for weights that sum to 1.
const ridge = 1e-7

// features are the inputs of a logistic for a document: 1, score and length.
type features [3]float64

// of returns the probability of a document with features x.
func (at features) of(x features) float64 { return 1 / (1 + math.Exp(-at.dot(x))) }

func (at features) dot(x features) (sum float64) {
	for i := range x {
		sum += at[i] * x[i]
	}
	return sum
}

func at(l profile.Logistic) features { return features{l.Intercept, l.Score, l.Length} }

// fit finds the most likely logistic for weighted observations, by Newton's method. Weights need
// not sum to 1.
func fit(observed []observation) (profile.Logistic, error) {
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
	at := features{math.Log(share / (1 - share))}
	loss := penalized(at, observed, total)
	for range 100 {
		gradient, hessian := derivatives(at, observed, total)
		step, ok := solve(hessian, gradient)
		if !ok {
			return profile.Logistic{}, errors.New("the scores do not separate relevant documents from others")
		}
		// A full step may go too far where the loss is flat.
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
	return profile.Logistic{Intercept: at[0], Score: at[1], Length: at[2]}, nil
}

// derivatives returns the gradient and the Hessian of the loss.
func derivatives(at features, observed []observation, total float64) (gradient features, hessian [3]features) {
	for k := range observed {
		o := &observed[k]
		x, p := o.x, at.of(o.x)
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

// solve returns x with a·x = b, by elimination; a is positive definite unless it is singular.
func solve(a [3]features, b features) (x features, ok bool) {
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

// penalized returns the mean negative log-likelihood, with the ridge.
func penalized(at features, observed []observation, total float64) float64 {
	sum := 0.0
	for k := range observed {
		o := &observed[k]
		a := at.dot(o.x)
		if o.relevant {
			a = -a
		}
		// log(1 + exp(a)), which overflows for a large a.
		sum += o.weight * (max(a, 0) + math.Log1p(math.Exp(-math.Abs(a))))
	}
	return sum/total + ridge*(at.dot(at)-at[0]*at[0])
}
