// Package compose contains docker-compose.yaml and its test.
package compose
