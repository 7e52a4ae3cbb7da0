package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// Public modules with APIs, and the directories of their types.
var published = []string{
	"k8s.io/api@v0.37.2 ./...",
	"sigs.k8s.io/gateway-api@v1.7.0 ./apis/...",
	"github.com/cert-manager/cert-manager@v1.20.0 ./pkg/apis/...",
	"sigs.k8s.io/cluster-api@v1.13.0 ./api/...",
	"istio.io/client-go@v1.30.0 ./pkg/apis/...",
	"github.com/kyverno/kyverno@v1.17.0 ./api/...",
	"sigs.k8s.io/karpenter@v1.9.0 ./pkg/apis/...",
	"github.com/fluxcd/source-controller/api@v1.8.0 ./...",
	"github.com/fluxcd/kustomize-controller/api@v1.8.0 ./...",
	"github.com/fluxcd/helm-controller/api@v1.5.0 ./...",
	"github.com/openshift/api@master ./...",
	"github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring@v0.90.0 ./...",
	"github.com/argoproj/argo-workflows/v3@v3.7.0 ./pkg/apis/...",
	"github.com/crossplane/crossplane/apis/v2@v2.2.0 ./...",
	"sigs.k8s.io/kueue@v0.16.0 ./apis/...",
	"sigs.k8s.io/jobset@v0.11.0 ./api/...",
	"github.com/cilium/cilium@v1.19.0 ./pkg/k8s/apis/cilium.io/...",
	"github.com/projectcalico/api@v0.0.0-20260101000000-000000000000 ./...",
	"github.com/external-secrets/external-secrets/apis@v0.0.0 ./...",
	"kubevirt.io/api@v1.8.0 ./...",
	"github.com/kedacore/keda/v2@v2.19.0 ./apis/...",
	"knative.dev/serving@v0.48.0 ./pkg/apis/...",
	"github.com/tektoncd/pipeline@v1.10.0 ./pkg/apis/...",
	"github.com/rook/rook/pkg/apis@v0.0.0 ./...",
}

// modules downloads modules and prints the number of findings by rule and module. Those that the proxy does not have are
// named and left out.
func modules(names []string) error {
	if len(names) == 0 {
		names = published
	}
	counts := map[string]map[string]int{}
	var read []string
	for _, name := range names {
		module, pattern, _ := strings.Cut(name, " ")
		directory, err := download(module)
		if err != nil {
			fmt.Fprintf(os.Stderr, "left out: %s: %v\n", module, err)
			continue
		}
		extra := strings.Fields(os.Getenv("KINDSMITH_LINT_ARGS"))
		path := filepath.Join(directory, pattern)
		if strings.HasSuffix(pattern, "...") {
			path = filepath.Join(directory, strings.TrimSuffix(pattern, "...")) + "/..."
		}
		findings, err := lint("", append(extra, path))
		if err != nil {
			fmt.Fprintf(os.Stderr, "left out: %s: %v\n", module, err)
			continue
		}
		short := module[strings.LastIndex(module[:strings.Index(module, "@")], "/")+1 : strings.Index(module, "@")]
		read = append(read, short)
		for _, f := range findings {
			if counts[f.Code] == nil {
				counts[f.Code] = map[string]int{}
			}
			counts[f.Code][short]++
			if want := os.Getenv("KINDSMITH_SAMPLE"); want == f.Code || want == "all" && counts[f.Code][short] <= 3 {
				rest, _ := filepath.Rel(directory, f.File)
				fmt.Printf("%s %s:%d %s: %s\n", short, rest, f.Line, f.Code, f.Message)
			}
		}
	}
	table(counts, read)
	return nil
}

func table(counts map[string]map[string]int, read []string) {
	codes := make([]string, 0, len(counts))
	for code := range counts {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	fmt.Printf("| Rule | %s |\n|---|%s\n", strings.Join(read, " | "), strings.Repeat("---|", len(read)))
	for _, code := range codes {
		row := make([]string, len(read))
		for i, module := range read {
			row[i] = fmt.Sprint(counts[code][module])
		}
		fmt.Printf("| `%s` | %s |\n", code, strings.Join(row, " | "))
	}
}

func download(module string) (string, error) {
	scratch, err := os.MkdirTemp("", "kindsmith-lint")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	if err := os.WriteFile(filepath.Join(scratch, "go.mod"), []byte("module scratch\n"), 0o644); err != nil {
		return "", err
	}
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = scratch
	output, _ := command.Output()
	var about struct{ Dir, Error string }
	if err := json.Unmarshal(output, &about); err != nil {
		return "", err
	}
	if about.Dir == "" {
		return "", fmt.Errorf("%s", about.Error)
	}
	return about.Dir, nil
}
