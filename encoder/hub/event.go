package hub

import "time"

// State is the step a pull is at.
type State int

// The states, in their usual order. Retrying may occur with any request, even before
// Listed.
const (
	Listed     State = iota // the files are known; Total is set from now on
	Waiting                 // waiting for another pull in the same directory to end
	Checking                // comparing an existing file with the hub's hash
	UpToDate                // the existing file is right and will not be downloaded
	Resuming                // resuming a file from an earlier pull
	Fetching                // bytes of a file have arrived
	Retrying                // retrying after Pause because of Err
	Restarting              // downloading a file from its beginning again because of Err
	Verified                // a file is complete and verified
	Installed               // a file has its final name
)

func (s State) String() string {
	return [...]string{"listed", "waiting", "checking", "up to date", "resuming", "fetching", "retrying", "restarting", "verified", "installed"}[s]
}

// Event reports the progress of a pull.
type Event struct {
	State       State
	File        string // empty if the event is not about one file
	Bytes, Size int64  // bytes of the file present, and its size
	Done, Total int64  // the same for all files together
	Err         error
	Pause       time.Duration
}
