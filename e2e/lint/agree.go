package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Agreement of one rule with kube-api-linter's test data.
type agreement struct {
	code                    string
	expected, missing, more int
	differences             []string
}

var (
	want   = regexp.MustCompile("// ?want (.*)$")
	quoted = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
)

// agree lints every case and compares the findings with the `// want` comments, line by line.
func agree(root string) error {
	found := map[string]*agreement{}
	codes := aliases()
	for _, c := range cases {
		code := codes[c.linter]
		if found[c.linter] == nil {
			found[c.linter] = &agreement{code: code}
		}
		directory := filepath.Join(root, "pkg", "analysis", c.linter, "testdata", "src", c.dir)
		if err := compare(found[c.linter], c, code, directory); err != nil {
			return err
		}
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Println("| kube-api-linter | Rule | Findings expected | Same | Missing | Besides |\n|---|---|---|---|---|---|")
	for _, name := range names {
		a := found[name]
		fmt.Printf("| %s | `%s` | %d | %d | %d | %d |\n", name, a.code, a.expected, a.expected-a.missing, a.missing, a.more)
	}
	for _, name := range names {
		for _, difference := range found[name].differences {
			fmt.Fprintln(os.Stderr, difference)
		}
	}
	return nil
}

func compare(a *agreement, c testCase, code, directory string) error {
	settings := "[lint]\npackages = \"crd\"\n[lint.rules." + c.linter + "]\n" + c.settings
	// The test data is a GOPATH: packages import each other by their directory.
	external := filepath.Join(filepath.Dir(directory), "externaltypes")
	args := []string{"--select", c.linter, "--module", "externaltypes=" + external, directory}
	findings, err := lint(settings, args)
	if err != nil {
		return err
	}
	ours := map[string]int{}
	for _, f := range findings {
		if f.Code == code {
			ours[fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)]++
		}
	}
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			key := fmt.Sprintf("%s:%d", filepath.Base(file), i+1)
			expected := 0
			if match := want.FindStringSubmatch(line); match != nil {
				expected = len(quoted.FindAllString(match[1], -1))
			}
			got := ours[key]
			a.expected += expected
			a.missing += max(0, expected-got)
			a.more += max(0, got-expected)
			if expected != got {
				a.differences = append(a.differences, fmt.Sprintf("%s/%s/%s expected %d, found %d: %s", c.linter, c.dir, key, expected, got, strings.TrimSpace(line)))
			}
		}
	}
	return nil
}
