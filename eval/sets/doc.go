// Package sets reads evaluation data in the forms in which it is published, and
// gives all of it one shape: documents that stream from their file, queries, and
// for every query the grades of the documents that are relevant to it.
//
//	logic sets   labelled documents and formulas over the labels   OpenLogic
//	QUEST        Wikipedia, implicit set operations; LIMIT+        OpenQUEST
//	BEIR         corpus, queries, judgements; LIMIT, NegConstraint OpenBEIR
//	COCO-Logic   made from COCO's annotations                      ReadCOCO, Generate, WriteLogic
//	TREC         judgements and runs                               ReadQrels, ReadRun
//
// Every file may be compressed: where corpus.jsonl is absent, corpus.jsonl.gz is
// read. Errors name the file and the line.
//
// The package knows documents, queries and judgements. It never knows an engine:
// no encoder, no index, no score of ours. Besides the standard library it imports
// the query language, for the truth of a logic set is a formula.
package sets
