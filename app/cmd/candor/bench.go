package main

import (
	"context"
	"errors"
	"io"
)

func bench(_ context.Context, _ Config, _ []string, _ io.Writer) error {
	return errors.New("unfinished")
}
