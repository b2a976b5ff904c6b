package hub

import "time"

// State is what a pull is doing.
type State int

// The states, in the order in which they come. Retrying may come whenever the hub
// is asked, before Listed too.
const (
	Listed     State = iota // the files are known: Total is set from here on
	Waiting                 // another pull works in the directory; this one goes on when that has ended
	Checking                // a file is there, and is compared with the hub's hash
	UpToDate                // it is the right one, and is not fetched
	Resuming                // some bytes of a file are here from an earlier pull
	Fetching                // bytes of a file have come
	Retrying                // after Pause the hub is asked again, because of Err
	Restarting              // a file is fetched from its beginning again, because of Err
	Verified                // a file has come, and is the right one
	Installed               // it has its name
)

func (s State) String() string {
	return [...]string{"listed", "waiting", "checking", "up to date", "resuming", "fetching", "retrying", "restarting", "verified", "installed"}[s]
}

// Event tells how far a pull is.
type Event struct {
	State       State
	File        string // empty where it is about all of them
	Bytes, Size int64  // how much of the file is here, and how large it is
	Done, Total int64  // the same of all files together
	Err         error
	Pause       time.Duration
}
