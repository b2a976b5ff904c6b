package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	layers "github.com/google/go-containerregistry/pkg/v1/tarball"
)

// nobody is the user of the image, without a name on any system.
const nobody = 65532

// image writes a container image with only the binary, for docker load. It has Docker's format,
// since OCI's has no health check.
func (r *release) image(p binary, _ *documents) error {
	layer, err := tarball([]file{
		{name: "data/", mode: 0o700, owner: nobody},
		{name: "nsfl", mode: 0o755, data: p.data},
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
	config.OS, config.Architecture, config.Created, config.Config = p.os, p.arch, v1.Time{Time: r.date}, r.imageConfig()
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return err
	}
	tag, err := name.NewTag("nsfl:" + r.version)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := layers.Write(tag, image, &b); err != nil {
		return err
	}
	return r.write(r.title("image", p.arch)+".tar", b.Bytes())
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
