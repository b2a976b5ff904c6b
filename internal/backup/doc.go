// Package backup keeps backups of collections in a place: a folder, or a bucket of any
// store that speaks S3.
//
// A backup is a manifest, which names the files of a collection and the pieces that each
// is made of. A piece is named after the SHA-256 of its content, so that what has not
// changed since the backup before is there already. The manifest is written last: a
// backup that breaks off leaves pieces and nothing else. Whatever is read is compared
// with its checksum.
//
//	manifests/COLLECTION/TIME-RANDOM.json
//	pruned/COLLECTION/TIME-RANDOM.json    manifests that Prune has taken away
//	pieces/AB/ABCDEF…                     zstd
//	new/…                                 of a folder: what is being written
//
// # What may be deleted
//
// Any number of backups and prunes may run at once, from several machines, without
// locks. A backup takes a piece as being there if it is listed, and either younger than
// half of the grace or named by the newest manifest of its collection; it ends within
// half of the grace or fails. Prune moves manifests to pruned/, lists the pieces, then
// reads all manifests, and deletes a piece only if it is older than the grace and named
// neither by a manifest nor by one that was pruned within the grace. So what a backup
// took as being there is there when its manifest is. Where a manifest cannot be read, no
// piece is deleted. The clocks of the machines and of the place have to agree to
// some hours.
//
// The package knows collections as files, and nothing of what is in them.
package backup

import "time"

// grace is how long what may be in use is kept.
const grace = 24 * time.Hour
