package tune

import (
	"errors"
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// ridge keeps the fit finite where a threshold separates all that is relevant from
// the rest. It is of the mean of squares of the slope, for weights that sum to 1.
const ridge = 1e-7

// fit finds the most likely logistic for weighted observations, by Newton's method.
// Weights need not sum to 1.
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
	at := profile.Logistic{Intercept: math.Log(share / (1 - share))}
	loss := penalized(at, observed, total)
	for range 100 {
		// The gradient and the Hessian of the loss.
		var g0, g1, h00, h01, h11 float64
		for _, o := range observed {
			x := float64(o.z)
			p := at.Of(x)
			d, w := p, o.weight/total
			if o.relevant {
				d--
			}
			g0 += w * d
			g1 += w * d * x
			s := w * p * (1 - p)
			h00 += s
			h01 += s * x
			h11 += s * x * x
		}
		g1 += 2 * ridge * at.Slope
		h11 += 2 * ridge
		det := h00*h11 - h01*h01
		if !(det > 0) {
			return at, errors.New("the scores say nothing about what is relevant")
		}
		// A full step may go too far where the loss is flat.
		next, better := at, math.Inf(1)
		for step := 1.0; step > 1e-6 && !(better <= loss); step /= 2 {
			next.Intercept = at.Intercept - step*(h11*g0-h01*g1)/det
			next.Slope = at.Slope - step*(h00*g1-h01*g0)/det
			better = penalized(next, observed, total)
		}
		if !(better <= loss) || loss-better < 1e-13 {
			break
		}
		at, loss = next, better
	}
	return at, nil
}

// penalized is the mean negative log-likelihood, with the ridge.
func penalized(l profile.Logistic, observed []observation, total float64) float64 {
	sum := 0.0
	for _, o := range observed {
		a := l.Intercept + l.Slope*float64(o.z)
		if o.relevant {
			a = -a
		}
		// log(1 + exp(a)), which overflows for a large a.
		sum += o.weight * (max(a, 0) + math.Log1p(math.Exp(-math.Abs(a))))
	}
	return sum/total + ridge*l.Slope*l.Slope
}
