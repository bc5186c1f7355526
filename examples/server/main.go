// Command server serves the predictions of a saved model over HTTP: raw records as JSON go in,
// labels and their margins come out.
//
//	go run ./examples/server -model shop.json
//	curl -d '{"income": 31, "member": "yes", "city": "Oslo"}' localhost:8080/predict
//	curl localhost:8080/model
//
// A record has the columns of the file that the model was trained on, by name; an array of
// records gives an array of predictions. What cannot be predicted is answered with status 400
// and an error that names the record and the column. Without -model it trains on Emotions, in
// a second, to have something to show.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends. It says on out where it listens.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(out)
	path := flags.String("model", "", "the model `file`; without one, a model of Emotions is trained")
	address := flags.String("listen", "localhost:8080", "the `address` to listen at")
	var limits limits
	flags.Int64Var(&limits.bytes, "bytes", 1<<20, "how many bytes a request may have")
	flags.IntVar(&limits.records, "records", 1000, "how many records a request may have")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	m, err := modelOf(ctx, *path)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s with %d labels at http://%s\n", m.Method, m.NumLabels(), listener.Addr())
	return serve(ctx, listener, newHandler(m, limits))
}

// modelOf loads a model, or trains one where path is "".
func modelOf(ctx context.Context, path string) (*crankpkg.Model, error) {
	if path != "" {
		return crankpkg.LoadModel(path)
	}
	train, _, err := crankpkg.LoadSplit("emotions")
	if err != nil {
		return nil, err
	}
	m, _, err := crankpkg.CRANK{Lambda: 0.1, Settings: crankpkg.Settings{Seed: 1, Scaling: crankpkg.ZScore}}.Train(ctx, train)
	return m, err
}

// serve answers requests until ctx ends, and then waits a while for those under way.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	const patience = 10 * time.Second
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: patience, ReadTimeout: 2 * patience, WriteTimeout: 2 * patience, IdleTimeout: time.Minute,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	return server.Shutdown(wait)
}
