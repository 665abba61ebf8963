// Receives traces as an OpenTelemetry Collector does, with the Collector's own receiver, on two ports of the loopback interface. The first
// line of standard output names them ({"http": …, "grpc": …}); each further line is one span. A span that its receiver would take but
// nobody could make sense of (no ids, no name, over before it began) is refused for good, so that the sender's exporter complains.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
)

// What a reader of the lines is told of a span.
type line struct {
	TraceID      string         `json:"traceId"`
	SpanID       string         `json:"spanId"`
	ParentSpanID string         `json:"parentSpanId"`
	Name         string         `json:"name"`
	Kind         string         `json:"kind"`
	Status       string         `json:"status"`
	Attributes   map[string]any `json:"attributes"`
	Resource     map[string]any `json:"resource"`
}

func main() {
	if err := receive(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func receive() error {
	stopped, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	factory := otlpreceiver.NewFactory()
	config, ok := factory.CreateDefaultConfig().(*otlpreceiver.Config)
	if !ok {
		return errors.New("the receiver's config is of another type than its package says")
	}
	http, grpc := config.Protocols.HTTP.GetOrInsertDefault(), config.Protocols.GRPC.GetOrInsertDefault()
	addresses, err := freeAddresses(2)
	if err != nil {
		return err
	}
	http.ServerConfig.NetAddr.Endpoint, grpc.NetAddr.Endpoint = addresses[0], addresses[1]
	printing, err := consumer.NewTraces((&printer{out: json.NewEncoder(os.Stdout)}).take)
	if err != nil {
		return err
	}
	settings := receiver.Settings{
		ID:                component.NewID(factory.Type()),
		TelemetrySettings: componenttest.NewNopTelemetrySettings(),
	}
	traces, err := factory.CreateTraces(stopped, settings, config, printing)
	if err != nil {
		return err
	}
	if err := traces.Start(stopped, componenttest.NewNopHost()); err != nil {
		return err
	}
	fmt.Printf(`{"http":"http://%s","grpc":"http://%s"}`+"\n", addresses[0], addresses[1])
	<-stopped.Done()
	return traces.Shutdown(context.Background())
}

// Free when it was asked: the receiver takes no listener, and does not say which port a 0 became.
func freeAddresses(count int) ([]string, error) {
	addresses := make([]string, 0, count)
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		// All at once, so that they differ.
		defer listener.Close()
		addresses = append(addresses, listener.Addr().String())
	}
	return addresses, nil
}

// Batches arrive on several goroutines at a time.
type printer struct {
	lock sync.Mutex
	out  *json.Encoder
}

func (p *printer) take(_ context.Context, traces ptrace.Traces) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, sent := range traces.ResourceSpans().All() {
		resource := sent.Resource().Attributes().AsRaw()
		for _, scope := range sent.ScopeSpans().All() {
			for _, span := range scope.Spans().All() {
				if err := check(span); err != nil {
					return consumererror.NewPermanent(err)
				}
				if err := p.out.Encode(lineOf(span, resource)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func check(span ptrace.Span) error {
	switch {
	case span.TraceID().IsEmpty():
		return errors.New("a span without a trace id")
	case span.SpanID().IsEmpty():
		return errors.New("a span without an id")
	case span.Name() == "":
		return errors.New("a span without a name")
	case span.StartTimestamp() == 0 || span.EndTimestamp() < span.StartTimestamp():
		return errors.New("a span that was over before it began")
	}
	return nil
}

func lineOf(span ptrace.Span, resource map[string]any) line {
	return line{
		TraceID:      span.TraceID().String(),
		SpanID:       span.SpanID().String(),
		ParentSpanID: span.ParentSpanID().String(),
		Name:         span.Name(),
		Kind:         span.Kind().String(),
		Status:       span.Status().Code().String(),
		Attributes:   span.Attributes().AsRaw(),
		Resource:     resource,
	}
}
