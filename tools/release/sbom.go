package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// sbom lists the components of the binaries in CycloneDX format: Go's library, the modules
// linked on any of the platforms, and the packages in the web page.
func (r *release) sbom(ctx context.Context, binaries []binary) error {
	var platforms []platform
	for _, b := range binaries {
		platforms = append(platforms, b.platform)
	}
	modules, err := r.modules(ctx, platforms)
	if err != nil {
		return err
	}
	packages, err := r.pagePackages()
	if err != nil {
		return err
	}
	components := []cdx.Component{goComponent("std", strings.TrimPrefix(runtime.Version(), "go"))}
	for _, m := range modules {
		components = append(components, goComponent(m.Path, m.Version))
	}
	components = append(components, packages...)
	self := goComponent("github.com/nsfl-go/nsfl", "v"+r.version)
	self.Type = cdx.ComponentTypeApplication
	self.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	var refs []string
	for _, c := range components {
		refs = append(refs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.SerialNumber = "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, []byte(r.downloads())).String()
	bom.Metadata = &cdx.Metadata{Timestamp: r.date.Format("2006-01-02T15:04:05Z"), Component: &self}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: self.BOMRef, Dependencies: &refs}}
	var b bytes.Buffer
	if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return r.write(r.title()+".cdx.json", b.Bytes())
}

func goComponent(path, version string) cdx.Component {
	url := fmt.Sprintf("pkg:golang/%s@%s", path, version)
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: url}
}

// pagePackages returns the npm packages that the web page contains, without build tools.
func (r *release) pagePackages() ([]cdx.Component, error) {
	text, err := r.read("server/ui/package-lock.json")
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("reading the packages of the web page: %w", err)
	}
	var all []cdx.Component
	for place, p := range lock.Packages {
		_, name, ok := strings.Cut(place, "node_modules/")
		if !ok || p.Dev {
			continue
		}
		url := fmt.Sprintf("pkg:npm/%s@%s", strings.Replace(name, "@", "%40", 1), p.Version)
		c := cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version, PackageURL: url}
		if p.License != "" {
			c.Licenses = &cdx.Licenses{{License: &cdx.License{ID: p.License}}}
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b cdx.Component) int { return strings.Compare(a.BOMRef, b.BOMRef) })
	return all, nil
}
