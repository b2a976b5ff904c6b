// Package hub downloads the files of a model from Hugging Face, or a hub with the
// same API, into a directory.
//
// A pull resolves the revision to a commit and lists its files once, and downloads
// from that commit only. Nothing is installed unverified: every file must have the
// size and hash that the hub lists, which is the SHA-256 of large files (LFS) and the
// git blob id of small ones. A file that already exists with the right hash is not
// downloaded again.
//
// Incomplete files are named NAME.part. A broken connection resumes where it stopped,
// in this pull or, if the process was killed, in the next. If the hash shows that the
// pieces do not belong together, the file is downloaded once more from its beginning.
// Files get their final names only when all of them are complete and verified, and the
// manifest is written last: a directory without nsfl-model.json holds no complete
// model. Until then an existing model stays as it was.
//
// The usual environment variables apply: HF_ENDPOINT names another hub, HF_TOKEN
// holds a token for gated and private models, and HTTPS_PROXY, HTTP_PROXY and
// NO_PROXY choose a proxy. The token is sent to the hub only, not to the servers
// it redirects to, and never appears in an error.
//
// The package knows about names, bytes and hashes. Callers decide which files a
// model needs.
package hub
