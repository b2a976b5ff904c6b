package pages

import "encoding/binary"

// readLog finds the newest version of each page, up to the last commit. A frame belongs
// to the current pass over the log if it has its salts, or if its checksum, which does
// not cover the salts, continues that of the previous frame.
func (d *Database) readLog(length int64) error {
	if length < LogHeader+FrameHeader {
		return nil
	}
	header := make([]byte, LogHeader)
	if _, err := d.log.ReadAt(header, 0); err != nil {
		return err
	}
	var frames []Frame
	err := EachFrame(d.log, length, OrderOf(binary.BigEndian.Uint32(header)), d.size, Frame{Sums: StoredSums(header[24:])},
		func(f Frame, _ []byte) { frames = append(frames, f) })
	if err != nil || len(frames) == 0 {
		return err
	}
	salts, end, in := commonSalts(frames), 0, true
	ours := make([]bool, len(frames)) // neither of an older pass nor damaged beyond use
	for i, f := range frames {
		in = f.Salts == salts || f.Continues && in
		ours[i] = in
		if in && f.Commit != 0 {
			end = i + 1
		}
	}
	for i, f := range frames[:end] {
		if d.frames = append(d.frames, f.At); ours[i] {
			d.moved[f.Page] = f.At
		}
	}
	return nil
}

// commonSalts returns the salts of the first frames, which the newest pass has written.
// One of them may be damaged.
func commonSalts(frames []Frame) uint64 {
	if len(frames) > 2 && frames[1].Salts == frames[2].Salts {
		return frames[1].Salts
	}
	return frames[0].Salts
}
