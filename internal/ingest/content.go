package ingest

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// contentOf returns the elements that hold the text of a page: <main> or, without one, each
// <article>, else the whole page. If these hold only a small part of the page's text, it also
// returns the whole page: an extra menu is better than lost text. It removes navigation and
// other boilerplate from them.
func contentOf(root *html.Node) []*html.Node {
	amounts := map[*html.Node]amount{}
	measure(root, false, amounts)
	content := mainOf(root)
	said := 0
	for _, n := range content {
		said += amounts[n].said()
	}
	if content == nil || 4*said < amounts[root].said() {
		content = []*html.Node{root}
	}
	for _, n := range content {
		unframe(n, amounts)
	}
	return content
}

func mainOf(root *html.Node) []*html.Node {
	isMain := func(n *html.Node) bool {
		return (n.DataAtom == atom.Main || attribute(n, "role") == "main") && !isDropped(n)
	}
	if main := first(root, isMain); main != nil {
		return []*html.Node{main}
	}
	var found []*html.Node
	var articles func(n *html.Node)
	articles = func(n *html.Node) {
		for c := range n.ChildNodes() {
			switch {
			case isDropped(c):
			case c.DataAtom == atom.Article:
				found = append(found, c)
			default:
				articles(c)
			}
		}
	}
	articles(root)
	return found
}

// amount is the length of an element's text, in bytes without white space.
type amount struct {
	all, linked int
	headings    int
}

// said returns the length of the text outside links.
func (a amount) said() int { return a.all - a.linked }

// leads reports whether links make up at least the given share of an element's text.
func (a amount) leads(share float64) bool {
	return a.all > 0 && float64(a.linked) >= share*float64(a.all)
}

func measure(n *html.Node, linked bool, amounts map[*html.Node]amount) amount {
	var a amount
	switch {
	case n.Type == html.TextNode:
		a.add(n.Data, linked)
	case n.Type == html.ElementNode && isDropped(n):
		return a
	case n.DataAtom == atom.Img:
		a.add(attribute(n, "alt"), linked)
	case headings[n.DataAtom]:
		a.headings = 1
	}
	linked = linked || n.DataAtom == atom.A && attribute(n, "href") != ""
	for c := range n.ChildNodes() {
		inner := measure(c, linked, amounts)
		a.all, a.linked, a.headings = a.all+inner.all, a.linked+inner.linked, a.headings+inner.headings
	}
	amounts[n] = a
	return a
}

func (a *amount) add(text string, linked bool) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			a.all++
		}
	}
	if linked {
		a.linked = a.all
	}
}

// unframe removes boilerplate from an element: menus and banners, unless they hold most of its
// text, then other lists of links, unless links outweigh the text, as in a table of contents.
func unframe(n *html.Node, amounts map[*html.Node]amount) {
	var sure, likely []*html.Node
	var find func(n *html.Node)
	find = func(n *html.Node) {
		for c := range n.ChildNodes() {
			switch {
			case c.Type != html.ElementNode || isDropped(c):
			case isFrame(c, amounts[c]):
				sure = append(sure, c)
			case isLinks(c, amounts[c]):
				likely = append(likely, c)
			default:
				find(c)
			}
		}
	}
	find(n)
	left, gone := amounts[n], total(sure, amounts)
	if 4*gone.said() > 3*left.said() {
		return
	}
	remove(sure, amounts)
	left.all, left.linked = left.all-gone.all, left.linked-gone.linked
	for _, end := range []bool{false, true} {
		trimmed, _ := trim(n, amounts, end)
		likely = append(likely, trimmed...)
	}
	if gone = total(likely, amounts); gone.all <= left.said() {
		remove(likely, amounts)
	}
}

func total(nodes []*html.Node, amounts map[*html.Node]amount) (sum amount) {
	for _, n := range nodes {
		sum.all, sum.linked = sum.all+amounts[n].all, sum.linked+amounts[n].linked
	}
	return sum
}

func remove(nodes []*html.Node, amounts map[*html.Node]amount) {
	for _, n := range nodes {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
		amounts[n] = amount{}
	}
}

// trim finds children at the start or end of an element that consist only of links, and at the
// end also the heading above them. on is false once it has reached text.
func trim(n *html.Node, amounts map[*html.Node]amount, end bool) (found []*html.Node, on bool) {
	children := slices.Collect(n.ChildNodes())
	if end {
		slices.Reverse(children)
	}
	for _, c := range children {
		switch a := amounts[c]; {
		case a.all == 0:
		case headings[c.DataAtom]:
			if !end || len(found) == 0 {
				return found, false
			}
			return append(found, c), true
		case !framing[c.DataAtom]:
			return found, false
		case a.leads(0.9):
			found = append(found, c)
		case c.DataAtom == atom.P:
			return found, false
		default:
			inner, on := trim(c, amounts, end)
			if found = append(found, inner...); !on {
				return found, false
			}
		}
	}
	return found, true
}

var headings = setOf(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)

// framing lists the elements that can be boilerplate. Other elements often have an id only as
// a link target: a term with the id "cookie" is not a cookie banner.
var framing = setOf(atom.Div, atom.Section, atom.Aside, atom.Header, atom.Ul, atom.Ol, atom.P, atom.Form, atom.Table, atom.Article, atom.Main, atom.Body, atom.Html)

// Roles, classes and ids that mark boilerplate.
var (
	frameRoles = []string{"navigation", "contentinfo", "banner", "search", "menu", "menubar", "dialog", "alertdialog", "toolbar"}
	frameNames = []string{"cookie", "cookies", "consent", "gdpr", "share", "sharing", "social", "newsletter", "subscribe",
		"banner", "pager", "pagination", "skip", "advert", "advertisement", "copyright", "masthead"}
	frameParts = []string{"nav", "footer", "breadcrumb"} // at the beginning or end of a name
	linkNames  = []string{"menu", "toc", "contents", "related", "recommended", "similar", "header", "links", "tags", "promo"}
)

// isFrame reports whether an element belongs to the site rather than to the text. Its role
// decides, or a typical name if the element is also short or consists of links.
func isFrame(n *html.Node, a amount) bool {
	const short = 300 // bytes: about fifty words
	if !framing[n.DataAtom] || a.all == 0 {
		return false
	}
	if slices.Contains(frameRoles, attribute(n, "role")) {
		return true
	}
	leads, brief := a.leads(0.5), a.all < short && a.headings == 0 && n.DataAtom != atom.P
	return (leads || brief) && isNamed(n, func(name string) bool {
		return slices.Contains(frameNames, name) || slices.ContainsFunc(frameParts, func(p string) bool {
			return strings.HasPrefix(name, p) || strings.HasSuffix(name, p)
		}) || leads && strings.HasSuffix(name, "sidebar") // "sidebar" alone also names ordinary boxes
	})
}

// isLinks reports whether an element is a list of links with a typical name.
func isLinks(n *html.Node, a amount) bool {
	return framing[n.DataAtom] && a.leads(0.75) && (n.DataAtom == atom.Aside || n.DataAtom == atom.Header ||
		isNamed(n, func(name string) bool { return slices.Contains(linkNames, name) }))
}

// isNamed calls is with each word in the classes of an element, and with its id if that is one
// word: longer ids usually belong to headings of the text.
func isNamed(n *html.Node, is func(name string) bool) bool {
	words := func(key string) []string {
		return strings.FieldsFunc(strings.ToLower(attribute(n, key)), func(r rune) bool { return !unicode.IsLetter(r) })
	}
	id := words("id")
	return slices.ContainsFunc(words("class"), is) || len(id) == 1 && is(id[0])
}
