package backup

// syncDir has nothing to do: names are on the disk with their files.
func syncDir(string) error { return nil }
