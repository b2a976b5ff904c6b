module github.com/nsfl-go/nsfl

go 1.26.0

require golang.org/x/sys v0.49.0
