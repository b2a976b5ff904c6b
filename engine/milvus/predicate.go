package milvus

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

func (d *driver) predicate(p *query.Predicate) bound {
	name, _, nested := strings.Cut(p.Field, ".")
	f := d.fields.find(name)
	if f != nil && d.roles.IsMetadata(name) {
		switch kind := kindOf(f); {
		case kind == remote.Object:
			return bound{}
		case !nested && kind != remote.Other && kind != remote.Vector:
			return typed(f, p)
		}
	}
	var texts []string
	for _, object := range d.objects() {
		b := within(object, p)
		if !b.Narrows {
			return b
		}
		texts = append(texts, b.Expr)
	}
	if len(texts) == 0 {
		return remote.Nothing[string]()
	}
	return remote.AtMost(join(texts, " or "))
}

// typed compiles a predicate on a field of the schema.
func typed(f *wire.FieldSchema, p *query.Predicate) bound {
	name := f.GetName()
	if !nameable(name) {
		return bound{}
	}
	c := comparison(f, p)
	switch {
	case c.Nothing, !f.GetNullable(), !c.Exact && !c.Narrows:
		return c
	case !c.Narrows: // every value
		return remote.Exactly(name + " is not null")
	}
	// A comparison with a missing value is neither true nor false.
	c.Expr = "(" + name + " is not null and " + c.Expr + ")"
	return c
}

func comparison(f *wire.FieldSchema, p *query.Predicate) bound {
	x, isNumber := predicate.ParseNumber(p.Value)
	name, kind := f.GetName(), f.GetDataType()
	if kind == wire.DataType_Array {
		return member(f, p)
	}
	switch kind {
	case wire.DataType_Bool:
		return truth(name, p)
	case wire.DataType_VarChar:
		if isNumber || !quotable(p.Value) {
			return bound{} // texts that read as numbers compare as those
		}
		return remote.Exactly(name + " " + operators[p.Op] + " " + quote(p.Value))
	case wire.DataType_Int8, wire.DataType_Int16, wire.DataType_Int32, wire.DataType_Int64:
		switch {
		case !isNumber && p.Op == query.Equal:
			return remote.Nothing[string]()
		case !isNumber || math.Abs(x) >= remote.MaxExact:
			return bound{}
		}
		op, n, ok := remote.Integral(p.Op, x)
		if !ok {
			return remote.Nothing[string]()
		}
		return remote.Exactly(name + " " + operators[op] + " " + strconv.FormatInt(n, 10))
	case wire.DataType_Float, wire.DataType_Double:
		switch {
		case !isNumber && p.Op == query.Equal:
			return remote.Nothing[string]()
		case !isNumber:
			return bound{}
		}
		return remote.AtMost(around(name, p.Op, x))
	}
	return bound{}
}

// around returns a condition for the numbers that satisfy a predicate and for close ones: numbers
// are stored in 32 bits.
func around(name string, op query.Comparison, x float64) string {
	slack := math.Abs(x)*1e-6 + 1e-30
	least, most := name+" >= "+number(x-slack), name+" <= "+number(x+slack)
	switch op {
	case query.Less, query.LessEqual:
		return most
	case query.Greater, query.GreaterEqual:
		return least
	}
	return "(" + least + " and " + most + ")"
}

// truth compares booleans as the words true and false.
func truth(name string, p *query.Predicate) bound {
	switch no, yes := remote.Truths(p); {
	case no && yes:
		return remote.Everything[string]()
	case no || yes:
		return remote.Exactly(name + " == " + strconv.FormatBool(yes))
	}
	return remote.Nothing[string]()
}

// member compiles a predicate on arrays: one element is enough.
func member(f *wire.FieldSchema, p *query.Predicate) bound {
	x, isNumber := predicate.ParseNumber(p.Value)
	literal := ""
	switch f.GetElementType() {
	case wire.DataType_VarChar:
		if !isNumber && quotable(p.Value) {
			literal = quote(p.Value)
		}
	case wire.DataType_Int8, wire.DataType_Int16, wire.DataType_Int32, wire.DataType_Int64:
		if isNumber && x == math.Trunc(x) && math.Abs(x) < remote.MaxExact {
			literal = number(x)
		}
	}
	if literal == "" || p.Op != query.Equal {
		return bound{}
	}
	return remote.Exactly("array_contains(" + f.GetName() + ", " + literal + ")")
}

// within compiles a predicate on a key of JSON objects. Milvus compares scalars of one type. The
// condition also passes other values that may satisfy the predicate: texts if it compares a
// number, lists, and booleans.
func within(field string, p *query.Predicate) bound {
	if strings.Contains(p.Field, ".") || !keyable(p.Field) || field != dynamicField && !nameable(field) || !quotable(p.Value) {
		return bound{}
	}
	at := field + "[" + quote(p.Field) + "]"
	compared := func(literal string) string { return at + " " + operators[p.Op] + " " + literal }
	texts := []string{"exists " + at + "[0]"}
	x, isNumber := predicate.ParseNumber(p.Value)
	switch {
	case isNumber && math.Abs(x) >= remote.MaxExact:
		return bound{}
	case isNumber:
		texts = append(texts, compared(number(x)), at+` >= ""`)
	default:
		texts = append(texts, compared(quote(p.Value)))
		if p.Op != query.Equal { // numbers compare as they are written
			texts = append(texts, at+" <= 0", at+" > 0")
		}
	}
	if t := truth(at, p); t.Narrows {
		texts = append(texts, t.Expr)
	} else if !t.Nothing {
		texts = append(texts, at+" == true", at+" == false")
	}
	return remote.AtMost(join(texts, " or "))
}

var operators = map[query.Comparison]string{
	query.Equal: "==", query.Less: "<", query.LessEqual: "<=", query.Greater: ">", query.GreaterEqual: ">=",
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func quote(text string) string { return `"` + escapes.Replace(text) + `"` }

// quotable reports whether Milvus reads a quoted text as it was. It decodes \u0041 before other
// escapes.
func quotable(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, `\u`) && strings.IndexByte(text, 0) < 0
}

// keyable reports whether a name can stand in brackets behind a field of JSON objects.
// Milvus removes the brackets and quotes without reading the text between them.
func keyable(name string) bool {
	return name != "" && quotable(name) && !strings.ContainsAny(name, "\"'\\[]\n\r\t")
}

var keywords = map[string]bool{
	"and": true, "or": true, "not": true, "in": true, "like": true, "is": true, "null": true, "true": true, "false": true,
	"exists": true, "iso": true, "interval": true, "threshold": true, "minimum_should_match": true, "random_sample": true,
	"text_match": true, "phrase_match": true, "match_all": true, "match_any": true, "match_least": true, "match_most": true, "match_exact": true,
}

// nameable reports whether a field can be named in an expression.
func nameable(field string) bool {
	return names.MatchString(field) && !keywords[strings.ToLower(field)]
}

func number(x float64) string {
	if x == float64(int64(x)) && x > -remote.MaxExact && x < remote.MaxExact {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
