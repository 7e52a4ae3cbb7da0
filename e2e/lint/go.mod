module kindsmith.dev/e2e/lint

go 1.26
