package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/progress"
)

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Teach a command by examples",
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

// help says what a command does, shows it by examples, and lists its flags: what most use
// before what is there to be studied.
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
			h.example(strings.TrimSuffix(line, "\n"))
		}
	}
	h.commands(cmd)
	cmd.Flags().SortFlags = false // as they were added: what most use is first
	for _, title := range []string{"", elsewhere, forStudy} {
		h.flags(title, cmd)
	}
	if !cmd.HasParent() {
		fmt.Fprintln(h)
		h.lines("", "", "", "nsfl help search teaches to search; nsfl help COMMAND any other command.")
	}
}

// helper writes help.
type helper struct {
	*terminal
	folded io.Writer
}

func (h *helper) title(name string) { fmt.Fprintf(h, "\n%s:\n", name) }

// text writes paragraphs, each filled to the width of the terminal. Lines that are set in
// stay as they are.
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

// example writes a command line; one that is too long goes on after a backslash, which does
// not part what is quoted.
func (h *helper) example(line string) {
	const indent, more = "  ", "    "
	written, room := indent, h.width-len(" \\")
	line = strings.TrimSpace(line)
	for _, word := range quotedWords(line) {
		switch longer := written + " " + word; {
		case strings.TrimSpace(written) == "":
			written += word
		case !h.wraps || progress.Columns(longer) <= room:
			written = longer
		default:
			fmt.Fprintln(h, written+" \\")
			written = more + word
		}
	}
	fmt.Fprintln(h, written)
}

// quotedWords are the words of a command line that stay together: what is between single
// quotes, and a flag with what follows it.
func quotedWords(line string) (out []string) {
	quoted, from := false, 0
	add := func(word string) {
		if last := len(out) - 1; last >= 0 && strings.HasPrefix(out[last], "-") && !strings.ContainsAny(out[last], " ") && !strings.HasPrefix(word, "-") {
			out[last] += " " + word
			return
		}
		out = append(out, word)
	}
	for i, r := range line {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			add(line[from:i])
			from = i + 1
		}
	}
	add(line[from:])
	return out
}

// commands lists the sub-commands by their groups.
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

// groupMark is the annotation with the title of the group that a flag is shown in.
const groupMark = "group"

// The groups of flags beside those that most use.
const (
	elsewhere = "Other stores and encoders"
	forStudy  = "For study"
)

// group shows flags in a group.
func group(f *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		_ = f.SetAnnotation(name, groupMark, []string{title}) // it is there
	}
}

// flags lists the flags of a group; those that are in none belong to the empty one.
func (h *helper) flags(group string, cmd *cobra.Command) {
	const column = 26
	first := true
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.Join(f.Annotations[groupMark], "") != group || f.Hidden {
			return
		}
		if first {
			h.title(cmp.Or(group, "Flags"))
			first = false
		}
		name, about := flagHelp(f)
		if progress.Columns(name) > column {
			fmt.Fprintln(h, "  "+name)
			name = ""
		}
		h.lines("", "  "+pad(name, column)+" ", strings.Repeat(" ", column+3), about)
	})
}

// flagHelp is how a flag is written, and what it does.
func flagHelp(f *pflag.Flag) (name, about string) {
	name = "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	kind, about := pflag.UnquoteUsage(f)
	switch kind {
	case "string", "strings", "stringArray":
		kind = "WORD"
	case "int", "uint":
		kind = "N"
	case "float":
		kind = "X"
	case "duration":
		kind = "TIME"
	case "stringToString":
		kind = "NAME=WORD"
	}
	switch {
	case kind == "":
	case f.NoOptDefVal != "":
		name += " [" + kind + "]"
	default:
		name += " " + kind
	}
	switch f.DefValue {
	case "", "0", "false", "[]", "0s":
	default:
		about += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	return name, about
}
