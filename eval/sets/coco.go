package sets

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReadCOCO makes a document of every picture of COCO, from the annotation files as
// they are published: its captions are the passages, the names of the objects on it
// the labels, and the metadata has its file name. The files are read piece by
// piece. Without captions (an empty path) documents have labels only.
func ReadCOCO(instances, captions string) ([]Document, error) {
	c := coco{places: map[int64]int{}, names: map[int64]string{}}
	if err := readCOCO(instances, c.instances()); err != nil {
		return nil, err
	}
	if captions != "" {
		if err := readCOCO(captions, c.captions()); err != nil {
			return nil, err
		}
	}
	out, err := c.documents()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", instances, err)
	}
	return out, nil
}

type coco struct {
	pictures []picture
	places   map[int64]int // of pictures, by id
	names    map[int64]string
	objects  []object
}

type picture struct {
	id       int64
	fileName string
	objects  []int64 // categories
	captions []caption
}

type object struct {
	ImageID    int64 `json:"image_id"`
	CategoryID int64 `json:"category_id"`
}

type caption struct {
	ID      int64  `json:"id"`
	ImageID int64  `json:"image_id"`
	Caption string `json:"caption"`
}

// element reads one element of a list.
type element func(d *json.Decoder) error

func each[T any](take func(T) error) element {
	return func(d *json.Decoder) error {
		var record T
		if err := d.Decode(&record); err != nil {
			return err
		}
		return take(record)
	}
}

// instances are the lists of the file of objects. Annotations are kept as they are:
// pictures and categories may come later in the file.
func (c *coco) instances() map[string]element {
	type image struct {
		ID       int64  `json:"id"`
		FileName string `json:"file_name"`
	}
	type category struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	return map[string]element{
		"images": each(func(i image) error {
			if _, twice := c.places[i.ID]; twice {
				return fmt.Errorf("two images have the id %d", i.ID)
			}
			c.places[i.ID] = len(c.pictures)
			c.pictures = append(c.pictures, picture{id: i.ID, fileName: i.FileName})
			return nil
		}),
		"categories": each(func(k category) error {
			if k.Name == "" {
				return fmt.Errorf("category %d has no name", k.ID)
			}
			c.names[k.ID] = k.Name
			return nil
		}),
		"annotations": each(func(o object) error {
			c.objects = append(c.objects, o)
			return nil
		}),
	}
}

// captions are the lists of the file of captions.
func (c *coco) captions() map[string]element {
	return map[string]element{"annotations": each(func(t caption) error {
		place, ok := c.places[t.ImageID]
		if !ok {
			return fmt.Errorf("a caption is for image %d, which is not among the instances; the two files are of different splits", t.ImageID)
		}
		c.pictures[place].captions = append(c.pictures[place].captions, t)
		return nil
	})}
}

func (c *coco) documents() ([]Document, error) {
	for _, o := range c.objects {
		place, ok := c.places[o.ImageID]
		if !ok {
			return nil, fmt.Errorf("an annotation is for image %d, which is not listed", o.ImageID)
		}
		if c.names[o.CategoryID] == "" {
			return nil, fmt.Errorf("an annotation has category %d, which is not listed", o.CategoryID)
		}
		p := &c.pictures[place]
		if !slices.Contains(p.objects, o.CategoryID) {
			p.objects = append(p.objects, o.CategoryID)
		}
	}
	if len(c.pictures) == 0 {
		return nil, errors.New("it lists no images; COCO's are called instances_SPLIT.json")
	}
	out := make([]Document, len(c.pictures))
	for i, p := range c.pictures {
		d := Document{ID: fmt.Sprintf("coco-%d", p.id), Passages: []string{}}
		for _, id := range p.objects {
			d.Labels = append(d.Labels, c.names[id])
		}
		slices.Sort(d.Labels)
		d.Labels = slices.Compact(d.Labels)
		slices.SortStableFunc(p.captions, func(a, b caption) int { return cmp.Compare(a.ID, b.ID) })
		for _, t := range p.captions {
			d.Passages = append(d.Passages, strings.TrimSpace(t.Caption))
		}
		metadata, err := json.Marshal(map[string]string{"file_name": p.fileName})
		if err != nil {
			return nil, err
		}
		d.Metadata = metadata
		out[i] = d
	}
	return out, nil
}

func readCOCO(path string, lists map[string]element) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.close()
	return readLists(f.name, f, lists)
}

// readLists reads the named lists of one JSON object, element by element, and
// passes over everything else.
func readLists(name string, r io.Reader, lists map[string]element) error {
	d := json.NewDecoder(r)
	err := between(d, '{', '}', func() error {
		key, err := d.Token()
		if err != nil {
			return err
		}
		read, wanted := lists[key.(string)] // a key is always a string
		if !wanted {
			return d.Decode(new(json.RawMessage))
		}
		if err := between(d, '[', ']', func() error { return read(d) }); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("reading %s, byte %d: %w", name, d.InputOffset(), err)
	}
	return nil
}

// between reads each element between two signs.
func between(d *json.Decoder, begin, end json.Delim, each func() error) error {
	expect := func(want json.Delim) error {
		t, err := d.Token()
		if err == nil && t != want {
			err = fmt.Errorf("found %v where %v is expected", t, want)
		}
		return err
	}
	if err := expect(begin); err != nil {
		return err
	}
	for d.More() {
		if err := each(); err != nil {
			return err
		}
	}
	return expect(end)
}
