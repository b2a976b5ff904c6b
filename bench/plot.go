//go:build linux

package main

import (
	"fmt"
	"math"
	"strings"
)

// drawGrowth is a plot of times over sizes, both logarithmic, as SVG.
func drawGrowth(points []point) string {
	const width, height, margin, legend = 720, 480, 60, 96
	series := []struct {
		name, colour string
		of           func(point) float64
	}{
		{"top 1000 by codes, 1 vector", "#1f77b4", func(p point) float64 { return p.Top1 }},
		{"top 1000 by codes, 4 vectors", "#2ca02c", func(p point) float64 { return p.Top4 }},
		{"exact scan, 1 vector", "#ff7f0e", func(p point) float64 { return p.Scan1 }},
		{"exact scan, 4 vectors", "#d62728", func(p point) float64 { return p.Scan4 }},
		{"1000 best by words", "#9467bd", func(p point) float64 { return p.Words }},
		{"open", "#7f7f7f", func(p point) float64 { return p.OpenMS }},
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		for _, s := range series {
			low, high = min(low, s.of(p)), max(high, s.of(p))
		}
	}
	first, last := float64(points[0].Documents), float64(points[len(points)-1].Documents)
	low, high = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	along := func(v, from, to, size float64) float64 { return size * math.Log(v/from) / math.Log(to/from) }
	x := func(n float64) float64 { return margin + along(n, first, last, width-2*margin) }
	y := func(ms float64) float64 { return height - margin - along(ms, low, high, height-2*margin-legend) }

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for ms := low; ms <= high*1.01; ms *= 10 {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g ms</text>`+"\n", margin, width-margin, y(ms), y(ms), margin-6, y(ms)+4, ms)
	}
	for _, p := range points {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(float64(p.Documents)), height-margin+18, p.Documents)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">documents (dimension %d)</text>`+"\n", width/2, height-16, dimension)
	for i, s := range series {
		var path []string
		for _, p := range points {
			path = append(path, fmt.Sprintf("%.1f,%.1f", x(float64(p.Documents)), y(s.of(p))))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/><text x="%d" y="%d" fill="%s">%s</text>`+"\n", strings.Join(path, " "), s.colour, margin+12, 24+16*i, s.colour, s.name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
