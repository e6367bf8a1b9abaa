// Prints what the Go types of Kubernetes say about their fields and OpenAPI does not: for each type the fields in order,
// each as "<protobuf number> <Go type>[ omitempty][ inlined <type>]". The number of a field of an inlined type follows that
// of the inlined one after a dot.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type field [2]string

var types = map[string][]field{}

func main() {
	for _, add := range []func() error{
		func() error { return apiextensions.AddToScheme(scheme.Scheme) },
		func() error { return apiregistration.AddToScheme(scheme.Scheme) },
	} {
		if err := add(); err != nil {
			panic(err)
		}
	}
	for kind, goType := range scheme.Scheme.AllKnownTypes() {
		if kind.Version == "v1" || kind.Version == "v2" {
			visit(goType)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(types); err != nil {
		panic(err)
	}
}

func visit(goType reflect.Type) {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, goType.Kind()) {
		goType = goType.Elem()
	}
	if goType.Kind() != reflect.Struct {
		return
	}
	name := component(goType)
	if _, known := types[name]; known {
		return
	}
	types[name] = []field{}
	types[name] = fieldsOf(goType, "", "")
}

func fieldsOf(goType reflect.Type, inlined string, number string) []field {
	fields := []field{}
	for i := range goType.NumField() {
		member := goType.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		own := number
		if parts := strings.Split(member.Tag.Get("protobuf"), ","); len(parts) > 1 {
			own += parts[1]
		}
		switch {
		case !member.IsExported() || name == "-" || member.Type.Name() == "TypeMeta":
		case name != "":
			visit(member.Type)
			fields = append(fields, field{name, facts(own, member.Type, options, inlined)})
		case member.Type.Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(member.Type, member.Type.Name(), own+".")...)
		}
	}
	return fields
}

func facts(number string, goType reflect.Type, options string, inlined string) string {
	text := number + " " + goType.String()
	if strings.Contains(options, "omitzero") {
		text += " omitzero"
	} else if strings.Contains(options, "omitempty") {
		text += " omitempty"
	}
	if inlined != "" {
		text += " inlined " + inlined
	}
	return text
}

// The name of a type in OpenAPI: io.k8s.api.apps.v1.Deployment.
func component(goType reflect.Type) string {
	host, path, _ := strings.Cut(goType.PkgPath(), "/")
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(append(labels, strings.Split(path, "/")...), ".") + "." + goType.Name()
}
