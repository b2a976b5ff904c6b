package tune

import (
	"errors"
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// ridge keeps the fit finite where a threshold separates all that is relevant from
// the rest. It is of the mean of squares of the slope, for weights that sum to 1.
const ridge = 1e-7

// fit finds the most likely logistic for weighted observations of z, by Newton's
// method. Weights need not sum to 1.
func fit(z []float64, relevant []bool, weight []float64) (profile.Logistic, error) {
	var total, positive float64
	for i, w := range weight {
		total += w
		if relevant[i] {
			positive += w
		}
	}
	if !(positive > 0 && positive < total) {
		return profile.Logistic{}, errors.New("all documents are relevant, or none is")
	}
	share := positive / total
	at := profile.Logistic{Intercept: math.Log(share / (1 - share))}
	loss := penalized(at, z, relevant, weight, total)
	for range 100 {
		// The gradient and the Hessian of the loss.
		var g0, g1, h00, h01, h11 float64
		for i, x := range z {
			p := at.Of(x)
			d, w := p, weight[i]/total
			if relevant[i] {
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
		d0, d1 := (h11*g0-h01*g1)/det, (h00*g1-h01*g0)/det
		// A full step may go too far where the loss is flat.
		step := 1.0
		var next profile.Logistic
		better := math.Inf(1)
		for ; step > 1e-6; step /= 2 {
			next = profile.Logistic{Intercept: at.Intercept - step*d0, Slope: at.Slope - step*d1}
			if better = penalized(next, z, relevant, weight, total); better <= loss {
				break
			}
		}
		if !(better <= loss) || loss-better < 1e-13 {
			break
		}
		at, loss = next, better
	}
	return at, nil
}

// penalized is the mean negative log-likelihood, with the ridge.
func penalized(l profile.Logistic, z []float64, relevant []bool, weight []float64, total float64) float64 {
	sum := 0.0
	for i, x := range z {
		a := l.Intercept + l.Slope*x
		if relevant[i] {
			a = -a
		}
		// log(1 + exp(a)), which overflows for a large a.
		v := math.Log1p(math.Exp(-math.Abs(a)))
		if a > 0 {
			v += a
		}
		sum += weight[i] * v
	}
	return sum/total + ridge*l.Slope*l.Slope
}
