package vectors

import "fmt"

// Fields are the names of the fields of JSON lines and of the columns of parquet
// files. An empty one stands for the names beside it.
type Fields struct {
	ID             string // id, _id
	Title          string // title
	Text           string // text
	Passages       string // passages: a list of strings
	PassageVectors string // passage_vectors: a list of lists of numbers, one for each passage
	Metadata       string // metadata: an object, in parquet the text of one
	Vector         string // vector, embedding: a list of numbers
}

// role is what a field is for.
type role int

const (
	roleID role = iota
	roleTitle
	roleText
	rolePassages
	rolePassageVectors
	roleMetadata
	roleVector
	roles
	roleOther = roles // a part of the metadata
)

// given are the names that were set, by role.
func (f Fields) given() [roles]string {
	return [roles]string{f.ID, f.Title, f.Text, f.Passages, f.PassageVectors, f.Metadata, f.Vector}
}

// names are those of each role.
func (f Fields) names() [roles][]string {
	names := [roles][]string{
		{"id", "_id"}, {"title"}, {"text"}, {"passages"}, {"passage_vectors"}, {"metadata"}, {"vector", "embedding"},
	}
	for r, name := range f.given() {
		if name != "" {
			names[r] = []string{name}
		}
	}
	return names
}

// byName says what each field is for; others are roleOther.
func (f Fields) byName() (map[string]role, error) {
	out := map[string]role{}
	for r, names := range f.names() {
		for _, name := range names {
			if _, twice := out[name]; twice {
				return nil, fmt.Errorf("the field %s cannot stand for two things; name another", clip(name))
			}
			out[name] = role(r)
		}
	}
	return out, nil
}

// roleOf is byName's for a field.
func roleOf(byName map[string]role, name string) role {
	if r, ok := byName[name]; ok {
		return r
	}
	return roleOther
}
