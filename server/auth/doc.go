// Package auth holds what a server knows about its clients: keys with their roles, collections
// and expiry, key files, and TLS certificates. Files may change while the server runs. The
// package does not know requests.
package auth
