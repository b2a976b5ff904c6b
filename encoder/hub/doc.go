// Package hub fetches the files of a model from a hub that answers as Hugging
// Face's does, into a directory.
//
// A pull asks the hub once which commit a revision is and what files that has,
// and fetches from this commit only. Nothing is installed that was not verified:
// every file has the size and the hash that the hub has told, the SHA-256 of
// large files (LFS), the id of the git blob of small ones. A file that is there
// already with the right hash is not fetched again.
//
// What has come of a file lies in NAME.part. A broken connection goes on where it
// stopped, in this pull or, after the process was killed, in the next; if the hash
// says that the pieces do not belong together, the file is fetched once more from
// its beginning. Only when all files are complete and
// verified do they get their names, and last of all the manifest is written: a
// directory without nsfl-model.json holds no complete model. Until then a model
// that was there before stays as it was.
//
// The environment has its usual say: HF_ENDPOINT names another hub, HF_TOKEN
// holds a token for gated and private models, and HTTPS_PROXY, HTTP_PROXY and
// NO_PROXY choose a proxy. The token is shown to the hub only, not to the servers
// that it redirects to, and never stands in an error.
//
// The package knows names, bytes and hashes. What a model is made of, and which
// of its files are needed, is the caller's business.
package hub
