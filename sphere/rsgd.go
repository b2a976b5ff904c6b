package sphere

import (
	"math"
	"math/rand/v2"
)

// The hyperparameters of the paper's appendix.
const (
	rsgdRate      = 0.2
	rsgdSteps     = 100
	rsgdPatience  = 10   // steps without improvement
	rsgdTolerance = 1e-6 // smallest improvement that counts
)

// RSGD is the paper's Algorithm 1: starting from a random point on the sphere, it takes
// steps along the gradient projected to the tangent space, each followed by normalization.
// It corrects two misprints: the printed step descends f instead of ascending, and the
// printed result is the last point instead of the best.
//
// The seed determines the random start. RSGD is here for comparison; Exact is better and
// faster.
func RSGD(f Objective, vectors [][]float32, seed uint64) (Result, error) {
	if err := check(f, vectors); err != nil {
		return Result{}, err
	}
	d := len(vectors[0])
	x := make([]float32, d)
	random := rand.New(rand.NewPCG(seed, 0x5f3759df))
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	retract(x)

	cosines, slopes := make([]float64, len(vectors)), make([]float64, len(vectors))
	value := func() float64 {
		for j, v := range vectors {
			if f.Uses(j) {
				cosines[j] = dot(x, v)
			}
		}
		return f.Value(cosines, slopes)
	}
	value()
	best, bestX, waited, steps := math.Inf(-1), make([]float32, d), 0, 0
	gradient := make([]float32, d)
	for steps < rsgdSteps && waited < rsgdPatience {
		steps++
		clear(gradient)
		for j, s := range slopes {
			if s != 0 {
				addScaled32(gradient, vectors[j], float32(s))
			}
		}
		// Project to the tangent space at x, and take the step.
		radial := float32(dot(x, gradient))
		for i, g := range gradient {
			x[i] += rsgdRate * (g - radial*x[i])
		}
		retract(x)
		v := value()
		if v-rsgdTolerance > best {
			waited = 0
		} else {
			waited++
		}
		if v > best {
			best = v
			copy(bestX, x)
		}
	}
	return Result{Vector: bestX, Value: best, Method: "rsgd", Steps: steps}, nil
}

// retract normalizes x in place.
func retract(x []float32) {
	scale := float32(1 / math.Sqrt(dot(x, x)))
	for i := range x {
		x[i] *= scale
	}
}

// dot and addScaled32 are plain Go: RSGD is a reference and is measured as one would write
// it down.
func dot(a, b []float32) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i]) * float64(b[i])
		s1 += float64(a[i+1]) * float64(b[i+1])
		s2 += float64(a[i+2]) * float64(b[i+2])
		s3 += float64(a[i+3]) * float64(b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i]) * float64(b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func addScaled32(dst, src []float32, s float32) {
	src = src[:len(dst)]
	for i, v := range src {
		dst[i] += s * v
	}
}
