// Package ingest turns the files and folders that people have into documents
// with passages.
//
// It reads plain text, Markdown, HTML, Org, reStructuredText, LaTeX, PDF, DOCX, ODT,
// EPUB, messages and mailboxes, notebooks, source code, CSV and TSV, JSON and JSONL, BEIR
// corpora among them, and each of these compressed by gzip (Types lists the endings). A
// Run finds the files (Sources), tells cheaply whether one is as it was (Source.Compare),
// and reads the documents of one after the other (Documents). Mailboxes, CSV, JSON and
// JSONL are streamed, a row at a time.
//
// No file and no row is left out in silence: what is not read is told to
// Options.Skip with the reason, and Summary collects that for the end. What a person names is
// read whatever it is called; within a folder, hidden files, symbolic links,
// node_modules, unknown types (logs among them), what .gitignore and .nsflignore leave
// out, and the queries and judgments beside a BEIR corpus are passed over. The path "-"
// is standard input.
//
// # Ids
//
// A file that is one document has its path as id, slash-separated and relative
// to the argument it was found under; a named file, its base name. A row has its
// own id or, lacking one, path#N, where N counts rows from 1; so has a message of a
// mailbox. Of two rows of a file with the same id the later is skipped. Whether the name
// of a file or the id of a row is another's in a collection, the caller has to see: it
// renames the source, or takes the Qualified id, path#ID.
//
// # Text
//
// Text is UTF-8 whatever the file is in: byte-order marks, UTF-16, the charset
// that an HTML page declares, and Windows-1252 where that is plausible are
// understood. What is not is skipped, never guessed. White space is normalised:
// paragraphs are separated by an empty line, the rows of lists, tables and code
// by a line break. The passages are the text in order, cut between paragraphs or
// sentences; the title is in none of them, nor is the heading it was taken from.
//
// Blocks know where they begin: the line of formats that are written in lines, the page
// of a PDF file, the row of a table. Of a web page its text is read, not its frame. Of
// source code it is what comments say, what is declared, and the words in names; what a
// program has written is passed over.
//
// The package knows files, text and what a document is. It never knows encoders,
// vectors, or what documents are stored in.
package ingest
