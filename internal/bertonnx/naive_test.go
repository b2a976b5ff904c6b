package bertonnx

import "math"

// state computes the model's output for one text with plain loops, as a reference for the
// graph. hidden reports tokens whose mask is 0.
func (m *Model) state(ids, types []int64, hidden func(token int) bool) [][]float64 {
	x := make([][]float64, len(ids))
	for t := range x {
		row := make([]float64, m.Dim)
		for i := range row {
			row[i] = float64(m.Words[int(ids[t])*m.Dim+i]) + float64(m.Positions[t*m.Dim+i]) + float64(m.Types[int(types[t])*m.Dim+i])
		}
		x[t] = m.normalize(m.Norm, row)
	}
	for _, l := range m.Layers {
		query, key, value := l.Query.of(x), l.Key.of(x), l.Value.of(x)
		mixed := make([][]float64, len(x))
		for t := range x {
			mixed[t] = make([]float64, m.Dim)
			for h := range m.Heads {
				m.attend(mixed[t], query[t], key, value, h, hidden)
			}
		}
		for t, row := range l.Output.of(mixed) {
			x[t] = m.normalize(l.AttentionNorm, plus(x[t], row))
		}
		inner := l.Up.of(x)
		for _, row := range inner {
			for i, v := range row {
				row[i] = v / 2 * math.Erfc(-v/math.Sqrt2)
			}
		}
		for t, row := range l.Down.of(inner) {
			x[t] = m.normalize(l.Norm, plus(x[t], row))
		}
	}
	return x
}

// attend computes the columns of a head.
func (m *Model) attend(out, query []float64, key, value [][]float64, h int, hidden func(int) bool) {
	size := m.Dim / m.Heads
	shares, sum := make([]float64, len(key)), 0.0
	for s := range key {
		if hidden(s) {
			continue
		}
		score := 0.0
		for i := h * size; i < (h+1)*size; i++ {
			score += query[i] * key[s][i]
		}
		shares[s] = math.Exp(score / math.Sqrt(float64(size)))
		sum += shares[s]
	}
	for s := range key {
		for i := h * size; i < (h+1)*size; i++ {
			out[i] += shares[s] / sum * value[s][i]
		}
	}
}

func (l Linear) of(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for t, row := range x {
		out[t] = make([]float64, len(l.Bias))
		for o := range out[t] {
			out[t][o] = float64(l.Bias[o])
			for i, v := range row {
				out[t][o] += float64(l.Weight[o*len(row)+i]) * v
			}
		}
	}
	return out
}

func (m *Model) normalize(n Norm, row []float64) []float64 {
	mean, variance := 0.0, 0.0
	for _, v := range row {
		mean += v / float64(len(row))
	}
	for _, v := range row {
		variance += (v - mean) * (v - mean) / float64(len(row))
	}
	out := make([]float64, len(row))
	for i, v := range row {
		out[i] = (v-mean)/math.Sqrt(variance+float64(m.Epsilon))*float64(n.Weight[i]) + float64(n.Bias[i])
	}
	return out
}

func plus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}
