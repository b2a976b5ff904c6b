// Package words looks at texts as words: how they are cut into words and stems, which
// words a text says and which it denies, and how much of an atom's words a document has.
//
// A document is kept as the pieces of its words, numbers of a fixed vocabulary of two
// bytes each, whatever encoder its vectors come from (Pieces). A Query holds the words of
// a formula's atoms and reads them all in one pass over a document's pieces. A word that
// stands in a text counts 1, its nearest neighbour in the vocabulary less: exact words and
// soft ones are one measure. The package knows no vectors of documents and no stores.
package words
