package ort

// This file writes small ONNX graphs node by node.

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protowire"
)

// Graph is an ONNX graph under construction. The zero value is empty.
type Graph struct {
	External string // if not empty, weights go to a file of this name in the model's directory

	nodes, constants, ports []byte
	external                []byte
	count                   int
}

// Versions of the format and of the operators. With operators of version 12, ONNX Runtime
// 1.30 fuses more nodes and is slower.
const (
	irVersion = 8
	opset     = 17
)

// Input declares an input. A dimension is an int, or the name of a free dimension.
func (g *Graph) Input(name string, kind Type, shape ...any) string {
	g.ports = message(g.ports, 11, port(name, kind, shape))
	return name
}

// Output declares a value as an output.
func (g *Graph) Output(name string, kind Type, shape ...any) {
	g.ports = message(g.ports, 12, port(name, kind, shape))
}

// Floats adds a constant tensor.
func (g *Graph) Floats(data []float32, shape ...int) string {
	raw := make([]byte, 0, 4*len(data))
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return g.constant(Float32, raw, shape)
}

// inline is the size up to which constants stay in the model's file: shapes and the like
// are needed at load time.
const inline = 1024

func (g *Graph) constant(kind Type, raw []byte, shape []int) string {
	var dims, t []byte
	for _, d := range shape {
		dims = protowire.AppendVarint(dims, uint64(d))
	}
	t = message(t, 1, dims)
	t = number(t, 2, uint64(kind))
	name := g.fresh("constant")
	t = message(t, 8, []byte(name))
	if g.External != "" && len(raw) > inline {
		for _, entry := range [][2]string{
			{"location", g.External},
			{"offset", fmt.Sprint(len(g.external))},
			{"length", fmt.Sprint(len(raw))},
		} {
			t = message(t, 13, message(message(nil, 1, []byte(entry[0])), 2, []byte(entry[1])))
		}
		t = number(t, 14, 1)
		g.external = append(g.external, raw...)
	} else {
		t = message(t, 9, raw)
	}
	g.constants = message(g.constants, 5, t)
	return name
}

// Attribute is an attribute of a node: a float32, an int or a list of ints.
type Attribute struct {
	Name  string
	Value any
}

// Node adds a node with one output and returns its name.
func (g *Graph) Node(operator string, inputs []string, attributes ...Attribute) string {
	output := g.fresh(operator)
	g.Named(output, operator, inputs, attributes...)
	return output
}

// Named adds a node with the given output name.
func (g *Graph) Named(output, operator string, inputs []string, attributes ...Attribute) {
	var n []byte
	for _, name := range inputs {
		n = message(n, 1, []byte(name))
	}
	n = message(n, 2, []byte(output))
	n = message(n, 3, []byte("node_"+output))
	n = message(n, 4, []byte(operator))
	for _, a := range attributes {
		n = message(n, 5, a.encode())
	}
	g.nodes = message(g.nodes, 1, n)
}

func (a Attribute) encode() []byte {
	b := message(nil, 1, []byte(a.Name))
	switch v := a.Value.(type) {
	case float32:
		b = protowire.AppendTag(b, 2, protowire.Fixed32Type)
		b = protowire.AppendFixed32(b, math.Float32bits(v))
		return number(b, 20, 1)
	case int:
		return number(number(b, 3, uint64(v)), 20, 2)
	case []int:
		for _, x := range v {
			b = number(b, 8, uint64(x))
		}
		return number(b, 20, 7)
	}
	panic(fmt.Sprintf("ort: the attribute %s is of type %T", a.Name, a.Value))
}

func (g *Graph) fresh(prefix string) string {
	g.count++
	return fmt.Sprintf("%s_%d", prefix, g.count)
}

// WriteFile writes the model to a file, and external weights to another file in the same
// directory.
func (g *Graph) WriteFile(path string) error {
	if g.External != "" {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), g.External), g.external, 0o644); err != nil {
			return err
		}
	}
	graph := make([]byte, 0, len(g.nodes)+len(g.constants)+len(g.ports)+16)
	graph = append(graph, g.nodes...)
	graph = message(graph, 2, []byte("graph"))
	graph = append(graph, g.constants...)
	graph = append(graph, g.ports...)
	model := number(nil, 1, irVersion)
	model = message(model, 8, number(nil, 2, opset))
	return os.WriteFile(path, message(model, 7, graph), 0o644)
}

// port describes an input or an output.
func port(name string, kind Type, shape []any) []byte {
	var dims []byte
	for _, d := range shape {
		switch d := d.(type) {
		case int:
			dims = message(dims, 1, number(nil, 1, uint64(d)))
		case string:
			dims = message(dims, 1, message(nil, 2, []byte(d)))
		default:
			panic(fmt.Sprintf("ort: a dimension of %s is of type %T", name, d))
		}
	}
	tensor := message(number(nil, 1, uint64(kind)), 2, dims)
	return message(message(nil, 1, []byte(name)), 2, message(nil, 1, tensor))
}

// message appends a length-delimited field: a string, a message or a packed list.
func message(b []byte, field protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), content)
}

// number appends an integer field.
func number(b []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}
