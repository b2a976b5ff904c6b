// Package compose is docker-compose.yaml, and the test that holds it.
package compose
