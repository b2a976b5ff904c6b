// Package ingest turns files and folders into documents with passages.
//
// It reads plain text, Markdown, HTML, Org, reStructuredText, LaTeX, PDF, DOCX, ODT, EPUB,
// messages and mailboxes, notebooks, source code, references (RIS, PubMed, BibTeX), CSV and
// TSV, JSON and JSONL including BEIR corpora, and each of these compressed by gzip (Types lists
// the extensions). A Run finds the
// files (Sources), checks cheaply whether a file has changed (Source.Compare), and reads the
// documents of one file after the other (Documents). Mailboxes, references, CSV, JSON and JSONL are
// streamed one row at a time.
//
// The package reports every file and row that it skips to Options.Skip with the reason, and
// Summary collects the reasons. It reads files that the user names regardless of their names.
// Within a folder it skips hidden files, symbolic links, node_modules, unknown types
// (including logs), and files excluded by .gitignore and .nsflignore. The path "-" means
// standard input.
//
// # Ids
//
// The id of a file that is one document is its path, slash-separated and relative to the
// argument under which it was found; for a file named directly, it is the base name. A row or
// a message of a mailbox uses its own id or, without one, path#N, where N counts rows from 1.
// If two rows of a file have the same id, the later one is skipped. The caller must check for
// conflicts with other files in a collection, and then rename the source or use the Qualified
// id, path#ID.
//
// # Text
//
// Text is always UTF-8. The package decodes byte-order marks, UTF-16, the charset that an HTML
// page declares, and Windows-1252 if that is plausible. It skips text in any other encoding
// rather than guessing. It normalises white space: an empty line separates paragraphs, and a
// line break separates the rows of lists, tables and code. The passages are the text in order,
// cut between paragraphs or sentences. They contain neither the title nor the heading that the
// title was taken from.
//
// Blocks record their position: the line in line-based formats, the page of a PDF file, the
// row of a table. Web pages are read without navigation and other boilerplate. Source code is
// read as comments, declarations and the words in names; generated code is skipped.
//
// The package knows files, text and documents. It never knows encoders, vectors or stores.
package ingest
