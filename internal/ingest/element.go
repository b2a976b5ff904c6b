package ingest

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isBlock lists the elements that begin and end a paragraph.
var isBlock = setOf(
	atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center,
	atom.Dd, atom.Details, atom.Dialog, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption,
	atom.Figure, atom.Form, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Li, atom.Main, atom.P,
	atom.Section, atom.Summary, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr,
)

// notText lists the elements whose content is not shown or is not part of the page's text.
var notText = setOf(
	atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Nav, atom.Footer,
	atom.Svg, atom.Canvas, atom.Iframe, atom.Object, atom.Embed, atom.Video, atom.Audio, atom.Map,
	atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Datalist, atom.Noframes, atom.Frameset,
)

// isDropped reports whether an element is skipped with all its content.
func isDropped(n *html.Node) bool {
	if notText[n.DataAtom] {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			if a.Val != "until-found" {
				return true
			}
		case "aria-hidden":
			if a.Val == "true" {
				return true
			}
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
