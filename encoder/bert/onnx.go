package bert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// graph is the part of an ONNX file that gives weights their names. Exporters keep the names
// of biases and embeddings, but not of matrices: these are known by the bias added to their
// product.
type graph struct {
	tensors map[string]*tensor
	nodes   map[string]*node // by output
	named   map[string]bool  // matrices that have got a name
}

type node struct {
	operator string
	inputs   []string
}

var onnxKinds = map[uint64]kind{1: float32s, 2: uint8s, 3: int8s, 10: float16s, 16: bfloats}

// readONNX reads the weights of an ONNX file by name. external returns the content of a file
// beside it.
func readONNX(data []byte, external func(name string) ([]byte, error)) (map[string]*tensor, error) {
	g := &graph{map[string]*tensor{}, map[string]*node{}, map[string]bool{}}
	err := fields(data, func(field protowire.Number, content []byte, _ uint64) error {
		if field != 7 {
			return nil
		}
		return fields(content, func(field protowire.Number, content []byte, _ uint64) error {
			switch field {
			case 1:
				return g.readNode(content)
			case 5:
				return g.readTensor(content, external)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if len(g.tensors) == 0 {
		return nil, errors.New("not an ONNX model with weights")
	}
	return g.tensors, g.name()
}

// name gives matrices the names that they have in PyTorch, and joins quantized tensors with
// their scales and zero points.
func (g *graph) name() error {
	for name, t := range g.tensors {
		if base, ok := strings.CutSuffix(name, "_quantized"); ok {
			t.scale, t.zero = g.tensors[base+"_scale"], g.tensors[base+"_zero_point"]
			if t.scale == nil {
				return fmt.Errorf("the scale of %s is missing", base)
			}
			if strings.HasSuffix(base, ".weight") {
				g.tensors[base] = t
			}
		}
	}
	for _, n := range g.nodes {
		if n.operator != "Add" || len(n.inputs) != 2 {
			continue
		}
		for i, bias := range n.inputs {
			layer, ok := strings.CutSuffix(bias, ".bias")
			weights := g.product(n.inputs[1-i])
			if ok && g.tensors[bias] != nil && weights != "" {
				t := *g.tensors[weights]
				t.transposed = true
				g.tensors[layer+".weight"], g.named[weights] = &t, true
			}
		}
	}
	for output, n := range g.nodes {
		if weights := g.product(output); weights != "" && !g.named[weights] && strings.HasPrefix(n.operator, "MatMul") {
			return fmt.Errorf("its graph multiplies by %s, which is not part of a BERT layer", weights)
		}
	}
	return nil
}

// product returns the matrix of weights by which a value is multiplied, if any. In quantized
// models the product is converted and scaled.
func (g *graph) product(value string) string {
	for range 3 {
		n := g.nodes[value]
		if n == nil || len(n.inputs) == 0 {
			return ""
		}
		switch n.operator {
		case "MatMul", "MatMulInteger":
			if len(n.inputs) > 1 && g.tensors[n.inputs[1]] != nil {
				return n.inputs[1]
			}
			return ""
		case "Cast", "Mul":
			value = n.inputs[0]
		default:
			return ""
		}
	}
	return ""
}

func (g *graph) readNode(data []byte) error {
	n, outputs := &node{}, []string(nil)
	err := fields(data, func(field protowire.Number, content []byte, _ uint64) error {
		switch field {
		case 1:
			n.inputs = append(n.inputs, string(content))
		case 2:
			outputs = append(outputs, string(content))
		case 4:
			n.operator = string(content)
		}
		return nil
	})
	for _, output := range outputs {
		g.nodes[output] = n
	}
	return err
}

func (g *graph) readTensor(data []byte, external func(string) ([]byte, error)) error {
	t := &tensor{}
	var name, location string
	var offset, length uint64
	err := fields(data, func(field protowire.Number, content []byte, number uint64) error {
		switch field {
		case 1:
			return varints(content, number, func(d uint64) { t.shape = append(t.shape, int(d)) })
		case 2:
			t.kind = onnxKinds[number]
		case 4: // float_data
			t.data = append(t.data, content...)
		case 5: // int32_data, which holds small integers
			return varints(content, number, func(v uint64) { t.data = append(t.data, byte(v)) })
		case 8:
			name = string(content)
		case 9:
			t.data = content
		case 13:
			var key, value string
			err := fields(content, func(field protowire.Number, content []byte, _ uint64) error {
				switch field {
				case 1:
					key = string(content)
				case 2:
					value = string(content)
				}
				return nil
			})
			switch key {
			case "location":
				location = value
			case "offset":
				offset, _ = strconv.ParseUint(value, 10, 62)
			case "length":
				length, _ = strconv.ParseUint(value, 10, 62)
			}
			return err
		}
		return nil
	})
	if err == nil && location != "" {
		var all []byte
		if all, err = external(location); err == nil {
			if offset > uint64(len(all)) || length > uint64(len(all))-offset {
				return fmt.Errorf("the weights %s lie outside %s, which may be truncated", name, location)
			}
			t.data = all[offset : offset+length]
		}
	}
	g.tensors[name] = t
	return err
}

// fields calls f with the number of each field of a message and its content: bytes, or a
// number.
func fields(data []byte, f func(field protowire.Number, content []byte, number uint64) error) error {
	for len(data) > 0 {
		field, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		var content []byte
		var number uint64
		switch kind {
		case protowire.BytesType:
			content, n = protowire.ConsumeBytes(data)
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(data)
		case protowire.Fixed32Type: // a float outside a packed list
			var bits uint32
			bits, n = protowire.ConsumeFixed32(data)
			content = binary.LittleEndian.AppendUint32(nil, bits)
		default:
			n = protowire.ConsumeFieldValue(field, kind, data)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if err := f(field, content, number); err != nil {
			return err
		}
	}
	return nil
}

// varints calls f for each element of a list of integers, packed or not.
func varints(packed []byte, single uint64, f func(uint64)) error {
	if packed == nil {
		f(single)
	}
	for len(packed) > 0 {
		v, n := protowire.ConsumeVarint(packed)
		if n < 0 {
			return protowire.ParseError(n)
		}
		f(v)
		packed = packed[n:]
	}
	return nil
}
