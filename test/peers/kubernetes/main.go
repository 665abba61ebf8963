// Reads Kubernetes manifests from standard input into the API's own types, as strictly as the API server does when asked to
// (field validation: Strict), and prints "KIND/NAME" for each document. The first field that is unknown, given twice or of the
// wrong type ends it with status 1 and a sentence.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	decoding "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// What a manifest of ours may be; anything else is refused, so that a new kind is added here first.
var kinds = map[meta.TypeMeta]func() any{
	{APIVersion: "v1", Kind: "ConfigMap"}:                           func() any { return &core.ConfigMap{} },
	{APIVersion: "v1", Kind: "Secret"}:                              func() any { return &core.Secret{} },
	{APIVersion: "v1", Kind: "Service"}:                             func() any { return &core.Service{} },
	{APIVersion: "v1", Kind: "ServiceAccount"}:                      func() any { return &core.ServiceAccount{} },
	{APIVersion: "apps/v1", Kind: "Deployment"}:                     func() any { return &apps.Deployment{} },
	{APIVersion: "batch/v1", Kind: "CronJob"}:                       func() any { return &batch.CronJob{} },
	{APIVersion: "v1", Kind: "PersistentVolumeClaim"}:               func() any { return &core.PersistentVolumeClaim{} },
	{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}:          func() any { return &policy.PodDisruptionBudget{} },
	{APIVersion: "networking.k8s.io/v1", Kind: "NetworkPolicy"}:     func() any { return &networking.NetworkPolicy{} },
	{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}:           func() any { return &networking.Ingress{} },
	{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"}: func() any { return &autoscaling.HorizontalPodAutoscaler{} },
}

func main() {
	documents := decoding.NewYAMLReader(bufio.NewReader(os.Stdin))
	for number := 1; ; number++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = read(document)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "document %d: %v\n", number, err)
			os.Exit(1)
		}
	}
}

func read(document []byte) error {
	var named meta.PartialObjectMetadata
	if err := yaml.Unmarshal(document, &named); err != nil {
		return err
	}
	if named.Kind == "" {
		return nil // Comments only.
	}
	empty, known := kinds[named.TypeMeta]
	if !known {
		return fmt.Errorf("%s %s is none of the kinds that are checked", named.APIVersion, named.Kind)
	}
	if err := yaml.UnmarshalStrict(document, empty()); err != nil {
		return fmt.Errorf("%s/%s: %w", named.Kind, named.Name, err)
	}
	fmt.Printf("%s/%s\n", named.Kind, named.Name)
	return nil
}
