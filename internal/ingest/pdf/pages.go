package pdf

import "slices"

// pages returns the page dictionaries in order, each with its inherited entries.
func (f *file) pages() []dict {
	var out []dict
	seen := map[ref]bool{}
	var walk func(v any, above dict, depth int)
	walk = func(v any, above dict, depth int) {
		if r, ok := v.(ref); ok {
			if seen[r] {
				return
			}
			seen[r] = true
		}
		d := f.dict(v)
		if d == nil || depth > maxNesting || len(out) >= maxPages {
			return
		}
		page := dict{"Contents": d["Contents"], "Resources": d["Resources"]}
		if page["Resources"] == nil {
			page["Resources"] = above["Resources"]
		}
		if kids := f.array(d["Kids"]); kids != nil {
			for _, kid := range kids {
				walk(kid, page, depth+1)
			}
		} else if d["Contents"] != nil || f.value(d["Type"]) == name("Page") {
			out = append(out, page)
		}
	}
	walk(f.dict(f.trailer["Root"])["Pages"], nil, 0)
	if out != nil {
		return out
	}
	var numbers []ref // the page tree is lost; its leaves are mostly in order
	for r := range f.objects {
		numbers = append(numbers, r)
	}
	slices.Sort(numbers)
	for _, r := range numbers {
		if f.value(f.dict(r)["Type"]) == name("Page") {
			walk(r, nil, 0)
		}
	}
	return out
}
