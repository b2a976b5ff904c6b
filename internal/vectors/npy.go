package vectors

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The header is a Python dictionary of three entries, padded with spaces.
var (
	npyDescr   = regexp.MustCompile(`['"]descr['"]\s*:\s*(?:['"]([^'"]*)['"]|([\[(]))`)
	npyFortran = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`)
	npyShape   = regexp.MustCompile(`['"]shape['"]\s*:\s*\(([^)]*)\)`)
)

// maxNPYHeader is far above what arrays of numbers need, some 100 bytes.
const maxNPYHeader = 1 << 16

func newNPY(src *source) (*matrix, error) {
	head := slices.Clone(src.head())
	if !bytes.HasPrefix(head, []byte("\x93NUMPY")) {
		return nil, bad(ErrFormat, "it is not an npy file%s", likeness(head))
	}
	if len(head) < 12 { // shorter than any header
		return nil, src.header(make([]byte, 12))
	}
	skip, size := 10, uint64(little.Uint16(head[8:]))
	switch version := head[6]; version {
	case 1:
	case 2, 3:
		skip, size = 12, uint64(little.Uint32(head[8:]))
	default:
		return nil, bad(ErrFormat, "it has version %d of the npy format, 1 to 3 are read; save it again with numpy.save", version)
	}
	if size > maxNPYHeader {
		return nil, bad(ErrFormat, "its header has %d bytes, far more than an array of numbers needs; the file is damaged", size)
	}
	text := make([]byte, skip+int(size))
	if err := src.header(text); err != nil {
		return nil, err
	}
	return npyMatrix(src, string(text[skip:]))
}

func npyMatrix(src *source, header string) (*matrix, error) {
	descr, fortran, shape := npyDescr.FindStringSubmatch(header), npyFortran.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if descr == nil || fortran == nil || shape == nil {
		return nil, bad(ErrFormat, "its header has no descr, fortran_order or shape that can be read; the file is damaged")
	}
	if descr[2] != "" {
		return nil, bad(ErrFormat, "its elements are records; save the column of vectors alone, as an array of two axes")
	}
	e, err := npyElement(descr[1])
	if err != nil {
		return nil, err
	}
	var axes []uint64
	for _, field := range strings.Split(shape[1], ",") {
		// Python 2 wrote 3L.
		if field = strings.TrimSuffix(strings.TrimSpace(field), "L"); field == "" {
			continue
		}
		n, err := strconv.ParseUint(field, 10, 63)
		if err != nil {
			return nil, bad(ErrFormat, "its shape (%.40s) cannot be read; the file is damaged", shape[1])
		}
		axes = append(axes, n)
	}
	rows, dim, err := twoAxes(axes)
	if err != nil {
		return nil, err
	}
	if fortran[1] == "True" && rows > 1 && dim > 1 {
		return nil, bad(ErrFormat, "its array lies column by column (Fortran order) and cannot be read row by row; save numpy.ascontiguousarray(array)")
	}
	return newMatrix(src, rows, dim, e, src.left())
}

func npyElement(descr string) (element, error) {
	if strings.HasPrefix(descr, "|O") {
		return element{}, bad(ErrFormat, "it holds Python objects, which are pickled: loading them could run anything, so it is not done; save numpy.stack(array).astype('float32')")
	}
	e, ok := npyElements[strings.TrimLeft(descr, "<>|=")]
	if !ok {
		return e, bad(ErrFormat, "its numbers are of type %.20q, but f4, f2, f8, i1 and u1 are read; save array.astype('float32')", descr)
	}
	e.big = strings.HasPrefix(descr, ">")
	return e, nil
}

var npyElements = map[string]element{"f4": float32s, "f2": float16s, "f8": float64s, "i1": int8s, "u1": uint8s}
