// Package pooling has what those engines share that live on a server: how a call is
// limited, tried again and explained, what a search is asked and has found, when it
// has found enough, and what documents are made of as they come back.
//
// It knows vectors, documents and predicates by package engine. Which servers there
// are, and how they are asked, it must never know.
package pooling
