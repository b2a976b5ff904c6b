// Package ingest turns files and folders into documents with passages.
//
// A Run finds the files (Sources), checks cheaply whether a file has changed (Source.Compare),
// and reads the documents of one file after the other (Documents). Types lists the extensions of
// the formats, each of which may be compressed by gzip. Mailboxes, references, CSV, JSON and JSONL
// are streamed one row at a time. Every file and row that is skipped goes to Options.Skip with the
// reason, and Summary collects the reasons.
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
// Text is always UTF-8, and white space is normalised: an empty line separates paragraphs, and a
// line break separates the rows of lists, tables and code. The passages are the text in order,
// cut between paragraphs or sentences. They contain neither the title nor the heading that the
// title was taken from. Blocks record their position: the line in line-based formats, the page of
// a PDF file, the row of a table.
//
// The package knows files, text and documents. It never knows encoders, vectors or stores.
package ingest
