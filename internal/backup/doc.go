// Package backup stores backups of collections in a place: a folder, or a bucket of any
// S3-compatible store.
//
// A backup is a manifest, which lists the files of a collection and the pieces of each
// file. A piece is named by the SHA-256 of its content, so pieces that have not changed
// since an earlier backup are not stored again. The manifest is written last: an
// interrupted backup leaves nothing but pieces. Everything that is read is compared with
// its checksum.
//
//	manifests/COLLECTION/TIME-RANDOM.json
//	pruned/COLLECTION/TIME-RANDOM.json    manifests removed by Prune
//	pieces/AB/ABCDEF…                     zstd
//	new/…                                 in a folder: files being written
//
// # What may be deleted
//
// Any number of backups and prunes may run concurrently, on several machines, without
// locks. A backup reuses a piece if it is listed, and either younger than half of the
// grace period or named by the newest manifest of its collection; it finishes within half
// of the grace period or fails. Prune moves manifests to pruned/, lists the pieces, then
// reads all manifests, and deletes a piece only if it is older than the grace period and
// named neither by a manifest nor by one pruned within the grace period. Every piece that
// a backup reuses therefore exists when its manifest is written. If a manifest cannot be
// read, no piece is deleted. The clocks of the machines and of the place must agree to
// within some hours.
//
// The package knows collections as files, and nothing about their contents.
package backup

import "time"

// grace is how long pieces that may be in use are kept.
const grace = 24 * time.Hour
