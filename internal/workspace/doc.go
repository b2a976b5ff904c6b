// Package workspace opens collections and their encoders by name, for one run of a
// command or for a server or agent that keeps many open. It alone knows which notes a
// collection keeps about its encoder, which names are valid, where the demo is, and what
// to do when a store is down.
//
// It knows neither HTTP nor flags.
package workspace
