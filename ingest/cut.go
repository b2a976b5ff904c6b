package ingest

// Passages cuts a plain text as Documents does with the zero Options.
func Passages(text string) []string {
	o, err := Options{}.withDefaults()
	if err != nil {
		panic(err) // there is nothing to be wrong
	}
	c := o.cutter()
	return c.cut(c.units(blocksOfText(text)))
}
