package main

// Mozilla's root certificates, for systems without any, such as the container image.
import _ "golang.org/x/crypto/x509roots/fallback"
