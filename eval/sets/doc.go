// Package sets reads evaluation data in its published formats and presents all of it in
// one form: documents streamed from a file, queries, and for every query the grades of its
// relevant documents.
//
//	logic sets   labelled documents and formulas over the labels   OpenLogic
//	QUEST        Wikipedia, implicit set operations; LIMIT+        OpenQUEST
//	BEIR         corpus, queries, judgements; LIMIT, NegConstraint OpenBEIR
//	any labelled corpus                                            ReadCorpus, Generate, WriteLogic
//
// Every file may be compressed: if corpus.jsonl does not exist, corpus.jsonl.gz is read.
// Errors name the file and the line.
//
// The package knows about documents, queries and judgements, but not about engines,
// encoders, indexes or scores. Apart from the standard library it imports the query
// language, since the truth of a logic set is a formula.
package sets
