// Package attached is what engines share that search what something else has filled: a
// table, a class, an index, with columns of its own. Which of them is the id, the vector,
// the text; words that are read out of texts when they are needed; and no to every write.
//
// It knows no engine.
package attached
