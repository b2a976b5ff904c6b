package picture

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// training/tinypictures.py created the pictures and the expected results.

func read(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func readJSON[T any](t testing.TB, name string) (out T) {
	t.Helper()
	if err := json.Unmarshal(read(t, name), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func digest(p rgb) string {
	sum := sha256.Sum256(p.pix)
	return hex.EncodeToString(sum[:])
}

func TestPNGsDecodeAsPILDoes(t *testing.T) {
	for name, want := range readJSON[map[string]struct {
		Width, Height int
		SHA256        string
	}](t, "decoded.json") {
		if name == sixteen {
			continue
		}
		img, err := decode(read(t, name))
		if err != nil {
			t.Errorf("%s: got error %v", name, err)
			continue
		}
		if img.width != want.Width || img.height != want.Height || digest(img) != want.SHA256 {
			t.Errorf("%s: pixels differ from PIL's, %d×%d", name, img.width, img.height)
		}
	}
}

func TestResizeIsPILsToTheBit(t *testing.T) {
	for _, c := range readJSON[[]struct {
		Picture       string
		Width, Height int
		Resample      float64
		SHA256        string
	}](t, "resized.json") {
		img, err := decode(read(t, c.Picture))
		if err != nil {
			t.Fatal(err)
		}
		got, err := img.resized(c.Width, c.Height, filters[c.Resample])
		if err != nil {
			t.Fatal(err)
		}
		if digest(got) != c.SHA256 {
			t.Errorf("%s to %d×%d by %v: pixels differ from PIL's", c.Picture, c.Width, c.Height, c.Resample)
		}
	}
}

func TestPixelsAreThoseOfTheProcessors(t *testing.T) {
	names := readJSON[[]string](t, "pictures.json")
	for _, processor := range []string{"clip", "siglip"} {
		p, err := Read(read(t, processor+"/preprocessor_config.json"))
		if err != nil {
			t.Fatal(err)
		}
		width, height := p.Size()
		all := read(t, processor+"/pixels.bin")
		one := 3 * width * height * 4
		if len(all) != one*len(names) {
			t.Fatalf("%s: pixels.bin has %d bytes, want %d", processor, len(all), one*len(names))
		}
		for i, name := range names {
			if name == sixteen {
				continue
			}
			got, err := p.Pixels(read(t, name))
			if err != nil {
				t.Errorf("%s, %s: got error %v", processor, name, err)
				continue
			}
			worst, total := compare(p, got, all[i*one:])
			t.Logf("%s %s: at most %.4g/255, %.4g/255 on average", processor, name, worst, total)
			limit, mean := 1e-3, 1e-3
			if filepath.Ext(name) == ".jpg" {
				limit, mean = jpegWorst, jpegMean
			}
			if worst > limit || total > mean {
				t.Errorf("%s, %s: off by at most %.4g/255 and %.4g/255 on average, want %v and %v", processor, name, worst, total, limit, mean)
			}
		}
	}
}

// The allowed difference from PIL for JPEGs, in 255ths: decoders round differently.
const (
	jpegWorst = 2.001
	jpegMean  = 0.5
)

// sixteen is a picture for which PIL is not followed: it turns every 16-bit grey above 255
// white, and with it the whole picture.
const sixteen = "grey16.png"

func TestSixteenBitsOfGreyLoseTheLowerEight(t *testing.T) {
	deep, err := decode(read(t, sixteen))
	if err != nil {
		t.Fatal(err)
	}
	grey, err := decode(read(t, "grey.png"))
	if err != nil {
		t.Fatal(err)
	}
	if digest(deep) != digest(grey) {
		t.Error("pixels differ from the same picture in 8 bits")
	}
}

// compare measures differences in 255ths of a colour's range.
func compare(p *Processor, got []float32, want []byte) (worst, mean float64) {
	for i, v := range got {
		colour := i / (len(got) / 3)
		unit := float64(p.values[colour][255]-p.values[colour][0]) / 255
		off := math.Abs(float64(v)-float64(math.Float32frombits(binary.LittleEndian.Uint32(want[i*4:])))) / unit
		worst = max(worst, off)
		mean += off / float64(len(got))
	}
	return worst, mean
}

func TestBadPictures(t *testing.T) {
	p, err := Read([]byte(`{"size": {"height": 8, "width": 8}}`))
	if err != nil {
		t.Fatal(err)
	}
	whole := read(t, "rgb.png")
	huge := append([]byte(nil), whole[:33]...)
	binary.BigEndian.PutUint32(huge[16:], 60000)
	binary.BigEndian.PutUint32(huge[20:], 60000)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":     {nil, "it is empty"},
		"gif":       {[]byte("GIF89a and so on"), "neither PNG nor JPEG"},
		"cut short": {whole[:len(whole)/2], "not enough pixel data"},
		"jpeg cut":  {read(t, "rgb.jpg")[:300], "unexpected EOF"},
		"bomb":      {crc(huge), "60000×60000 pixels"},
	} {
		if _, err := p.Pixels(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", name, err, c.want)
		}
	}
}

func TestThinPicturesAreRefusedBeforeTheyGrow(t *testing.T) {
	p, err := Read([]byte(`{"size": 4096, "crop_size": 4096, "do_center_crop": true}`))
	if err != nil {
		t.Fatal(err)
	}
	img := newRGB(60000, 1)
	width, height := p.target(img)
	if _, err := img.resized(width, height, p.filter); err == nil || !strings.Contains(err.Error(), "a side may have") {
		t.Errorf("%d×%d: got error %v", width, height, err)
	}
	img = newRGB(1, 60000)
	if _, err := img.resized(4096, 4096, p.filter); err == nil || !strings.Contains(err.Error(), "half resized") {
		t.Errorf("1×60000: got error %v", err)
	}
}
