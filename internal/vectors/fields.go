package vectors

import "fmt"

// Fields are the names of the fields of JSON lines and of the columns of parquet
// files. An empty name means the defaults in its comment. There are also passages, a list
// of strings; passage_vectors, a list of lists of numbers, one for each passage;
// passage_places, a list of objects with heading, page and line, one for each passage;
// and metadata, an object. In parquet objects are texts of JSON.
type Fields struct {
	ID     string // id, _id
	Title  string // title
	Text   string // text
	Vector string // vector, embedding: a list of numbers
}

// role is the meaning of a field.
type role int

const (
	roleOther role = iota // a part of the metadata
	roleID
	roleTitle
	roleText
	rolePassages
	rolePassageVectors
	rolePassagePlaces
	roleMetadata
	roleVector
	roles
)

// given returns the names that were set, by role.
func (f Fields) given() [roles]string {
	return [roles]string{roleID: f.ID, roleTitle: f.Title, roleText: f.Text, roleVector: f.Vector}
}

// byName maps names to roles; other fields are roleOther.
func (f Fields) byName() (map[string]role, error) {
	all := [roles][]string{
		{}, {"id", "_id"}, {"title"}, {"text"}, {"passages"}, {"passage_vectors"}, {"passage_places"}, {"metadata"}, {"vector", "embedding"},
	}
	given := f.given()
	out := map[string]role{}
	for r, names := range all {
		if given[r] != "" {
			names = []string{given[r]}
		}
		for _, name := range names {
			if _, twice := out[name]; twice {
				return nil, fmt.Errorf("the field %s cannot stand for two things; name another", clip(name))
			}
			out[name] = role(r)
		}
	}
	return out, nil
}
