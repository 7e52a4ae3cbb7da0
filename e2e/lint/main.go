// Lints what others published: kube-api-linter's own test data (`agree DIR`) and public modules (`modules`).
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// A finding as `kindsmith lint -o json` prints it.
type finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "agree":
		return agree(args[1])
	case len(args) >= 1 && args[0] == "modules":
		return modules(args[1:])
	}
	return fmt.Errorf("usage: lint agree DIR | lint modules [MODULE@VERSION/PATTERN]...")
}

func kindsmith(args ...string) ([]byte, error) {
	program := os.Getenv("KINDSMITH")
	if program == "" {
		program = "kindsmith"
	}
	command := exec.Command(program, args...)
	var errors bytes.Buffer
	command.Stderr = &errors
	output, err := command.Output()
	// 1 means that there are findings.
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w: %s", program, args, err, errors.String())
	}
	return output, nil
}

// lint runs `kindsmith lint` with the text of a kindsmith.toml.
func lint(settings string, args []string) ([]finding, error) {
	file, err := os.CreateTemp("", "kindsmith-*.toml")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	if _, err := file.WriteString(settings); err != nil {
		return nil, err
	}
	file.Close()
	output, err := kindsmith(append([]string{"lint", "--config", file.Name(), "-o", "json"}, args...)...)
	if err != nil {
		return nil, err
	}
	var document struct {
		Diagnostics []finding `json:"diagnostics"`
	}
	err = json.Unmarshal(output, &document)
	return document.Diagnostics, err
}

// aliases maps kube-api-linter's names to codes.
func aliases() map[string]string {
	output, err := kindsmith("rules", "-o", "json")
	if err != nil {
		return nil
	}
	var document struct {
		Rules []struct {
			Code  string  `json:"code"`
			Alias *string `json:"alias"`
		} `json:"rules"`
	}
	if json.Unmarshal(output, &document) != nil {
		return nil
	}
	codes := map[string]string{}
	for _, rule := range document.Rules {
		if rule.Alias != nil {
			codes[*rule.Alias] = rule.Code
		}
	}
	return codes
}
