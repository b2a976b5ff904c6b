package main

// Where a system has no certificates of authorities, as an image of nothing but the binary
// has none, those of Mozilla are taken.
import _ "golang.org/x/crypto/x509roots/fallback"
