package sphere

import "math"

// eigen diagonalizes a small symmetric matrix in place by cyclic Jacobi
// rotations: afterwards a holds the eigenvalues on its diagonal and column i of
// v the eigenvector of a[i][i].
func eigen(a, v [][]float64) {
	n := len(a)
	for i := range n {
		clear(v[i])
		v[i][i] = 1
	}
	for range 30 { // sweeps; convergence is quadratic, usually within five
		var off, diagonal float64
		for i := range n {
			diagonal += a[i][i] * a[i][i]
			for j := range i {
				off += a[i][j] * a[i][j]
			}
		}
		if off <= 1e-32*diagonal || off == 0 {
			return
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, v, p, q)
			}
		}
	}
}

// rotate makes a[p][q] zero.
func rotate(a, v [][]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	for i := range a {
		aip, aiq := a[i][p], a[i][q]
		a[i][p], a[i][q] = c*aip-s*aiq, s*aip+c*aiq
	}
	for i := range a {
		api, aqi := a[p][i], a[q][i]
		a[p][i], a[q][i] = c*api-s*aqi, s*api+c*aqi
	}
	for i := range v {
		vip, viq := v[i][p], v[i][q]
		v[i][p], v[i][q] = c*vip-s*viq, s*vip+c*viq
	}
}
