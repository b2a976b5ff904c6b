package pages

import (
	"encoding/binary"
	"io"
)

const (
	logHeader   = 32
	frameHeader = 24
)

// frame is a frame of the log.
type frame struct {
	page, commit uint32
	salts        uint64
	at           int64 // of its page
	continues    bool  // its checksum continues that which the frame before has stored
	old          bool  // of an older pass, or not to be believed
}

// readLog finds the newest of each page, up to the end of the last transaction. A frame
// is of this pass of the log if it has its salts, or if its checksum, which does not
// cover the salts, continues that of the frame before.
func (d *Database) readLog(length int64) error {
	if length < logHeader+frameHeader {
		return nil
	}
	frames, err := d.readFrames(length)
	if err != nil || len(frames) == 0 {
		return err
	}
	salts, last, in := commonSalts(frames), -1, true
	for i := range frames {
		f := &frames[i]
		in = f.salts == salts || f.continues && in
		f.old = !in
		if in && f.commit != 0 {
			last = i
		}
	}
	for _, f := range frames[:last+1] {
		if d.frames = append(d.frames, f.at); !f.old {
			d.moved[f.page] = f.at
		}
	}
	return nil
}

// commonSalts are those of the first frames, which the newest pass has written. One of
// them may be damaged.
func commonSalts(frames []frame) uint64 {
	if len(frames) > 2 && frames[1].salts == frames[2].salts {
		return frames[1].salts
	}
	return frames[0].salts
}

func (d *Database) readFrames(length int64) ([]frame, error) {
	header := make([]byte, logHeader)
	if _, err := d.log.ReadAt(header, 0); err != nil {
		return nil, err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if binary.BigEndian.Uint32(header)&1 == 1 {
		order = binary.BigEndian
	}
	before := storedSum(header[24:])
	b := make([]byte, frameHeader+d.size)
	var frames []frame
	for at := int64(logHeader); at+int64(len(b)) <= length; at += int64(len(b)) {
		if _, err := d.log.ReadAt(b, at); err != nil && err != io.EOF {
			return nil, err
		}
		stored := storedSum(b[16:])
		frames = append(frames, frame{
			page: binary.BigEndian.Uint32(b), commit: binary.BigEndian.Uint32(b[4:]), salts: binary.BigEndian.Uint64(b[8:]),
			at: at + frameHeader, continues: before.add(order, b[:8]).add(order, b[frameHeader:]) == stored,
		})
		before = stored
	}
	return frames, nil
}

// sum is the checksum of the log, in two halves.
type sum [2]uint32

func storedSum(b []byte) sum { return sum{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])} }

// add continues a checksum.
func (s sum) add(order binary.ByteOrder, b []byte) sum {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}
