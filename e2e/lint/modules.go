package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Public modules with APIs, and the directories of their types.
var published = []string{
	"k8s.io/api@v0.37.2 ./...",
	"sigs.k8s.io/gateway-api@v1.6.0 ./apis/...",
	"github.com/cert-manager/cert-manager@v1.21.2 ./pkg/apis/...",
	"sigs.k8s.io/cluster-api@v1.10.0 ./api/...",
	"github.com/kyverno/kyverno@v1.19.1 ./api/...",
	"github.com/fluxcd/source-controller/api@v1.9.5 ./...",
	"github.com/fluxcd/kustomize-controller/api@v1.9.5 ./...",
	"github.com/fluxcd/helm-controller/api@v1.6.4 ./...",
	"github.com/openshift/api@v0.0.0-20260420151639-34e60874783e ./...",
	"github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring@v0.94.1 ./...",
	"github.com/argoproj/argo-rollouts@v1.10.1 ./pkg/apis/...",
	"github.com/cilium/cilium@v1.20.2 ./pkg/k8s/apis/cilium.io/...",
	"github.com/kedacore/keda/v2@v2.21.0 ./apis/...",
	"knative.dev/serving@v0.42.2 ./pkg/apis/...",
	"istio.io/client-go@v1.31.1 ./pkg/apis/...",
	"sigs.k8s.io/karpenter@v1.14.0 ./pkg/apis/...",
	"kubevirt.io/api@v1.6.0 ./...",
	"github.com/argoproj/argo-cd/v3@v3.5.6 ./pkg/apis/...",
	"github.com/vmware-tanzu/velero@v1.18.3 ./pkg/apis/...",
	"github.com/envoyproxy/gateway@v1.9.1 ./api/...",
	"sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0 ./api/...",
	"github.com/kubeflow/training-operator@v1.8.1 ./pkg/apis/...",
	"k8s.io/autoscaler/vertical-pod-autoscaler@v1.8.1 ./pkg/apis/...",
	"github.com/fluxcd/notification-controller/api@v1.9.4 ./...",
	"sigs.k8s.io/network-policy-api@v0.1.1 ./apis/...",
	"sigs.k8s.io/mcs-api@v0.5.2 ./pkg/apis/...",
	"k8s.io/apiextensions-apiserver@v0.37.2 ./pkg/apis/...",
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
		packages := filepath.Join(directory, pattern)
		if strings.HasSuffix(pattern, "...") {
			packages = filepath.Join(directory, strings.TrimSuffix(pattern, "...")) + "/..."
		}
		findings, err := lintWhole(directory, append(extra, packages))
		if err != nil {
			fmt.Fprintf(os.Stderr, "left out: %s: %v\n", module, err)
			continue
		}
		short := shorten(module)
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

var missing = regexp.MustCompile("^package `([^`]+)` was not found")

// lintWhole lints a module, and downloads the modules of packages that were not found until there are no more of them.
func lintWhole(directory string, args []string) ([]finding, error) {
	tried := map[string]bool{}
	for {
		findings, err := lint("", args)
		if err != nil {
			return nil, err
		}
		required, err := requirements(directory)
		if err != nil {
			return nil, err
		}
		again := false
		for _, f := range findings {
			match := missing.FindStringSubmatch(f.Message)
			if match == nil {
				continue
			}
			module := providing(required, match[1])
			if module == "" || tried[module] {
				continue
			}
			tried[module] = true
			if _, err := download(module); err != nil {
				fmt.Fprintf(os.Stderr, "not downloaded: %s: %v\n", module, err)
				continue
			}
			again = true
		}
		if !again {
			return findings, nil
		}
	}
}

// requirements are the modules that a module requires, with their versions and replaced as it says.
func requirements(directory string) (map[string]string, error) {
	output, err := exec.Command("go", "mod", "edit", "-json", filepath.Join(directory, "go.mod")).Output()
	if err != nil {
		return nil, fmt.Errorf("go.mod of %s: %w", directory, err)
	}
	type version struct{ Path, Version string }
	var document struct {
		Require []version
		Replace []struct{ Old, New version }
	}
	if err := json.Unmarshal(output, &document); err != nil {
		return nil, err
	}
	required := map[string]string{}
	for _, module := range document.Require {
		required[module.Path] = module.Path + "@" + module.Version
	}
	for _, replaced := range document.Replace {
		if replaced.New.Version != "" {
			required[replaced.Old.Path] = replaced.New.Path + "@" + replaced.New.Version
		}
	}
	return required, nil
}

// providing is the required module with the longest path that a package is below.
func providing(required map[string]string, name string) string {
	for ; name != "."; name = path.Dir(name) {
		if module := required[name]; module != "" {
			return module
		}
	}
	return ""
}

// shorten leaves out the version, the host and what most modules have in common.
func shorten(module string) string {
	name, _, _ := strings.Cut(module, "@")
	var parts []string
	for _, part := range strings.Split(name, "/")[1:] {
		if part != "api" && part != "apis" && part != "pkg" && !(len(part) == 2 && part[0] == 'v') {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return name
	}
	return parts[len(parts)-1]
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
