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

// cocoFile has the relevant fields of COCO's annotation files, for objects or captions.
type cocoFile struct {
	Images []struct {
		ID       int64  `json:"id"`
		FileName string `json:"file_name"`
	} `json:"images"`
	Categories []struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	} `json:"categories"`
	Annotations []annotation `json:"annotations"`
}

// annotation is an object in a picture, or a caption of it.
type annotation struct {
	ID         int64  `json:"id"`
	ImageID    int64  `json:"image_id"`
	CategoryID int64  `json:"category_id"`
	Caption    string `json:"caption"`
}

func readCOCO(name string, r io.Reader) (*cocoFile, error) {
	var f cocoFile
	if err := json.NewDecoder(r).Decode(&f); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return &f, nil
}

// ReadCOCO makes a document of every COCO picture, from the published annotation files: its
// captions are the passages, the names of the objects in it the labels, and its file name is
// in the metadata. Without captions (an empty path) documents have only labels.
func ReadCOCO(instances, captions string) ([]Document, error) {
	objects, err := read(instances, readCOCO)
	if err != nil {
		return nil, err
	}
	said := &cocoFile{}
	if captions != "" {
		if said, err = read(captions, readCOCO); err != nil {
			return nil, err
		}
	}
	docs, places, err := objects.documents()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", instances, err)
	}
	slices.SortStableFunc(said.Annotations, func(a, b annotation) int { return cmp.Compare(a.ID, b.ID) })
	for _, t := range said.Annotations {
		place, ok := places[t.ImageID]
		if !ok {
			return nil, fmt.Errorf("reading %s: a caption refers to image %d, which is not among the instances; the files belong to different splits", captions, t.ImageID)
		}
		docs[place].Passages = append(docs[place].Passages, strings.TrimSpace(t.Caption))
	}
	return docs, nil
}

// documents returns the pictures with their labels, and their indexes by picture id.
func (f *cocoFile) documents() (docs []Document, places map[int64]int, err error) {
	if len(f.Images) == 0 {
		return nil, nil, errors.New("it lists no images; COCO's files are named instances_SPLIT.json")
	}
	places = map[int64]int{}
	for _, i := range f.Images {
		if _, twice := places[i.ID]; twice {
			return nil, nil, fmt.Errorf("two images have the id %d", i.ID)
		}
		places[i.ID] = len(docs)
		metadata, err := json.Marshal(map[string]string{"file_name": i.FileName})
		if err != nil {
			return nil, nil, err
		}
		docs = append(docs, Document{ID: fmt.Sprintf("coco-%d", i.ID), Passages: []string{}, Metadata: metadata})
	}
	names := map[int64]string{}
	for _, k := range f.Categories {
		names[k.ID] = k.Name
	}
	for _, o := range f.Annotations {
		place, ok := places[o.ImageID]
		if !ok {
			return nil, nil, fmt.Errorf("an annotation refers to image %d, which is not listed", o.ImageID)
		}
		name := names[o.CategoryID]
		if name == "" {
			return nil, nil, fmt.Errorf("an annotation has category %d, which is not listed or has no name", o.CategoryID)
		}
		docs[place].Labels = append(docs[place].Labels, name)
	}
	for i := range docs {
		slices.Sort(docs[i].Labels)
		docs[i].Labels = slices.Compact(docs[i].Labels)
	}
	return docs, places, nil
}
