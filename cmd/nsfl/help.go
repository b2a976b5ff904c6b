package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(about, rest)
			}
			return about.Help()
		},
	}
}

// help prints what a command does, examples, and its flags, the common ones first.
func help(cmd *cobra.Command, _ []string) {
	t := newTerminal(cmd.OutOrStdout(), "never")
	t.width = min(t.width, 100)
	h := &helper{t, &folder{terminal: t}}
	h.text(cmp.Or(cmd.Long, cmd.Short))
	if cmd.Runnable() && cmd.HasParent() {
		h.title("Usage")
		h.lines("", "  ", "    ", cmd.UseLine())
	}
	if cmd.HasExample() {
		h.title("Examples")
		for line := range strings.Lines(cmd.Example) {
			fmt.Fprintln(h, "  "+strings.TrimSpace(line))
		}
	}
	h.commands(cmd)
	cmd.Flags().SortFlags = false // as they were added: what most use is first
	for _, title := range []string{"", elsewhere, forStudy} {
		h.flags(title, cmd)
	}
	if !cmd.HasParent() {
		fmt.Fprintln(h)
		h.lines("", "", "", "nsfl help COMMAND describes a command; start with nsfl help search.")
	}
}

// helper writes help.
type helper struct {
	*terminal
	folded io.Writer
}

func (h *helper) title(name string) { fmt.Fprintf(h, "\n%s:\n", name) }

// text writes paragraphs, wrapped to the width of the terminal. Indented lines stay as they
// are.
func (h *helper) text(text string) {
	if !h.wraps {
		fmt.Fprintln(h, text)
		return
	}
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			fmt.Fprintln(h)
		}
		if strings.HasPrefix(paragraph, " ") {
			fmt.Fprintln(h.folded, paragraph)
		} else {
			h.lines("", "", "", strings.Join(strings.Fields(paragraph), " "))
		}
	}
}

// commands lists the subcommands by group.
func (h *helper) commands(cmd *cobra.Command) {
	const column = 12
	list := func(group string) {
		for _, c := range cmd.Commands() {
			if c.GroupID == group && c.IsAvailableCommand() && c.Name() != "help" {
				h.lines("", fmt.Sprintf("  %-*s ", column, c.Name()), strings.Repeat(" ", column+3), c.Short)
			}
		}
	}
	for _, g := range cmd.Groups() {
		h.title(g.Title)
		list(g.ID)
	}
	if len(cmd.Groups()) == 0 && cmd.HasAvailableSubCommands() {
		h.title("Commands")
		list("")
	}
}

// groupMark is the annotation with the title of a flag's group.
const groupMark = "group"

// Groups of less common flags.
const (
	elsewhere = "Other encoders and servers"
	forStudy  = "For experiments"
)

// group assigns flags to a group.
func group(f *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		_ = f.SetAnnotation(name, groupMark, []string{title}) // it is there
	}
}

// flags lists the flags of a group; flags without a group belong to the empty one.
func (h *helper) flags(group string, cmd *cobra.Command) {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.Join(f.Annotations[groupMark], "") != group || f.Name == "help" {
			return
		}
		shown := *f
		shown.Value, shown.NoOptDefVal = typed{f.Value, placeholder(f)}, ""
		if shown.DefValue = strings.Trim(f.DefValue, "[]"); shown.DefValue == "0s" {
			shown.DefValue = ""
		}
		set.AddFlag(&shown)
	})
	if set.HasAvailableFlags() {
		h.title(cmp.Or(group, "Flags"))
		width := h.width
		if !h.wraps {
			width = 0
		}
		_, _ = io.WriteString(h, set.FlagUsagesWrapped(width)) // there is nowhere to report an error
	}
}

// typed is a flag's value with the placeholder for it, which help shows as its type.
type typed struct {
	pflag.Value
	kind string
}

func (t typed) Type() string { return t.kind }

// placeholders maps flags to the placeholder of their value, where their name does not end in it.
var placeholders = map[string]string{
	"audit": "FILE", "backup-to": "PLACE", "collections": "DIR", "cors": "ORIGINS", "facet": "FIELDS", "files": "DIR", "fusion": "STYLES",
	"listen": "HOST:PORT", "llm": "MODEL", "log": "FORMAT", "memory": "BYTES", "nl": "HOW", "no-floors": "OPERATORS", "store": "NAME=ADDRESS",
	"text": "HOW", "tls-cert": "FILE", "tls-client-ca": "FILE", "tls-key": "FILE",
}

// placeholder returns what help shows for the value of a flag whose usage does not name it: a
// type, or the last word of the flag's name. Switches have none.
func placeholder(f *pflag.Flag) string {
	if f.NoOptDefVal != "" {
		return "bool"
	}
	if p, ok := placeholders[f.Name]; ok {
		return p
	}
	last := strings.ToUpper(f.Name[strings.LastIndex(f.Name, "-")+1:])
	_, notNumber := strconv.ParseFloat(f.DefValue, 64)
	_, notDuration := time.ParseDuration(f.DefValue)
	switch {
	case last == "BYTES":
	case notNumber == nil || f.Value.Type() == "int" || f.Value.Type() == "float":
		return "N"
	case notDuration == nil:
		return "DURATION"
	}
	return last
}
