//go:build race

package vec

func init() { underRace = true }
