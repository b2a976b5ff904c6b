package attached

// Fields are the columns that metadata is made of, and those that are a part of documents
// instead, with what they are. Where a column of JSON stands beside them, a field of it may
// have the name of such a part, and is compared.
func (r *Roles) Fields(columns []Column) (fields []string, parts map[string]string) {
	of := map[string]string{r.ID: "id", r.Text: "text", r.Title: "title"}
	parts = map[string]string{}
	for _, c := range columns {
		switch part := of[c.Name]; {
		case c.Kind != Text && c.Kind != Value:
		case part == "":
			fields = append(fields, c.Name)
		case r.Metadata == "":
			parts[c.Name] = part
		}
	}
	return fields, parts
}
