// Package workspace opens collections and their encoders by name: for one run of a
// command, and for a server or an agent that keeps many of them open. It is the one
// place that knows which notes a collection keeps of its encoder, what a collection
// may be called, where the demo is, and what happens when a store is down.
//
// It knows no HTTP and no flags.
package workspace
