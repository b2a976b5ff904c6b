package choices

import "strings"

// Nearest is the word that is most probably meant by one that is not among them: one that
// differs in capitals, or in few letters. It is empty where none is near.
func Nearest(word string, words []string) (nearest string) {
	asked := []rune(strings.ToLower(word))
	const longest = 64
	if len(asked) > longest {
		return ""
	}
	best := 1 + max(1, len(asked)/3)
	for _, w := range words {
		if len(w) > 4*longest {
			continue
		}
		if d := apart(asked, []rune(strings.ToLower(w))); d < best {
			nearest, best = w, d
		}
	}
	return nearest
}

// apart is how many letters are to be put in, left out, changed or swapped with the next to
// make one word of another.
func apart(a, b []rune) int {
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		now[0] = i + 1
		for j := range b {
			same := last[j]
			if a[i] != b[j] {
				same++
			}
			now[j+1] = min(same, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
