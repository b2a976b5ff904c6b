package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	layers "github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nobody is the user of the image, without a name on any system.
const nobody = 65532

// image writes a container image with only the binary, as an OCI layout in a tarball that
// docker load also reads. The image itself has Docker's format, since OCI's has no health
// check.
func (r *release) image(b binary, _ *documents) error {
	layer, err := tarball([]file{
		{name: "data/", mode: 0o700, owner: nobody},
		{name: "nsfl", mode: 0o755, data: b.data},
		{name: "tmp/", mode: 0o1777},
	}, r.date)
	if err != nil {
		return err
	}
	added, err := layers.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(layer)), nil },
		layers.WithCompressedCaching,
	)
	if err != nil {
		return err
	}
	image, err := mutate.Append(empty.Image, mutate.Addendum{Layer: added, History: v1.History{Created: v1.Time{Time: r.date}, CreatedBy: "nsfl " + r.version}})
	if err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created, config.Config = b.os, b.arch, v1.Time{Time: r.date}, r.imageConfig()
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return err
	}
	files, err := imageFiles(image, "nsfl:"+r.version)
	if err != nil {
		return err
	}
	data, err := tarball(files, r.date)
	if err != nil {
		return err
	}
	return r.write(r.title("image", b.arch)+".tar", data)
}

func (r *release) imageConfig() v1.Config {
	const title = "org.opencontainers.image."
	return v1.Config{
		User: fmt.Sprintf("%d:%d", nobody, nobody), Entrypoint: []string{"/nsfl"}, Cmd: []string{"serve"}, WorkingDir: "/data",
		Env:          []string{"HOME=/data", "NSFL_CACHE=/data/.cache", "NSFL_COLLECTIONS=/data", "NSFL_LISTEN=0.0.0.0:7700", "PATH=/"},
		ExposedPorts: map[string]struct{}{"7700/tcp": {}}, Volumes: map[string]struct{}{"/data": {}},
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/nsfl", "health"}, Interval: 30 * time.Second, Timeout: 6 * time.Second, StartPeriod: 10 * time.Second, Retries: 3},
		StopSignal:  "SIGTERM",
		Labels: map[string]string{
			title + "title": "nsfl", title + "description": "Boolean search over embeddings that works",
			title + "version": r.version, title + "revision": r.commit, title + "licenses": "Apache-2.0",
			title + "source": "https://github.com/nsfl-go/nsfl",
		},
	}
}

// imageFiles returns the files of an OCI layout with one image, and the manifest for docker
// load.
func imageFiles(image v1.Image, tag string) ([]file, error) {
	var files []file
	add := func(h v1.Hash, data []byte) string {
		name := "blobs/" + h.Algorithm + "/" + h.Hex
		files = append(files, file{name: name, data: data})
		return name
	}
	config, err := image.RawConfigFile()
	if err != nil {
		return nil, err
	}
	manifest, err := image.Manifest()
	if err != nil {
		return nil, err
	}
	listed := struct {
		Config   string
		RepoTags []string
		Layers   []string
	}{Config: add(manifest.Config.Digest, config), RepoTags: []string{tag}}
	all, err := image.Layers()
	if err != nil {
		return nil, err
	}
	for i, layer := range all {
		content, err := layer.Compressed()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(content)
		if err != nil {
			return nil, err
		}
		listed.Layers = append(listed.Layers, add(manifest.Layers[i].Digest, data))
	}
	raw, err := image.RawManifest()
	if err != nil {
		return nil, err
	}
	digest, err := image.Digest()
	if err != nil {
		return nil, err
	}
	add(digest, raw)
	configFile, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	index := v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{{
		MediaType: manifest.MediaType, Size: int64(len(raw)), Digest: digest, Platform: configFile.Platform(),
		Annotations: map[string]string{"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": "docker.io/library/" + tag},
	}}}
	for name, v := range map[string]any{
		"index.json": index, "manifest.json": []any{listed}, "oci-layout": map[string]string{"imageLayoutVersion": "1.0.0"},
	} {
		data, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, data: data})
	}
	return withFolders(byName(files)), nil
}
