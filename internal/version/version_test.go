package version

import (
	"runtime/debug"
	"testing"
)

func TestBuild(t *testing.T) {
	const revision = "0123456789abcdef0123"
	for _, c := range []struct {
		name, tag, module string
		settings          []debug.BuildSetting
		version, shown    string
	}{
		{"release", "0.1.0", "v0.0.0-1", nil, "0.1.0", "0.1.0"},
		{"go install", "", "v0.1.0", nil, "0.1.0", "0.1.0"},
		{"checkout", "", "(devel)", []debug.BuildSetting{{Key: "vcs.revision", Value: revision}}, "(devel)", "0123456789ab"},
		{"nothing known", "", "", nil, "(devel)", "(devel)"},
	} {
		tag = c.tag
		b := of(&debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.settings})
		if b.Version != c.version || b.String() != c.shown || b.Go == "" || b.Platform == "" {
			t.Errorf("%s: %+v, shown as %s", c.name, b, b)
		}
	}
	tag = ""
}
