// Serves the mocks of Config Connector's own tests over HTTP, all on one port, which it prints. There, the host of a request names the service; here,
// its path does. Writes are recorded in the file that REQUESTS names. e2e/controller/service-mock builds it inside a checkout of Config Connector.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/common"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/common/operations"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/common/workflows"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockartifactregistry"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockbigquery"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockdns"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockgcpregistry"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockmonitoring"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockpubsub"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockredis"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mockresourcemanager"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mocksecretmanager"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/mocksql"
	"github.com/GoogleCloudPlatform/k8s-config-connector/mockgcp/pkg/storage"
)

func main() {
	ctx := context.Background()
	store := storage.NewInMemoryStorage()
	engine, err := workflows.NewEngine(http.DefaultClient)
	check(err)
	env := &common.MockEnvironment{Projects: mockresourcemanager.NewProjectStore(store), Workflows: engine}
	services := map[string]mockgcpregistry.MockService{
		"resourcemanager":  mockresourcemanager.New(env, store),
		"sql":              mocksql.New(env, store),
		"pubsub":           mockpubsub.New(env, store),
		"secretmanager":    mocksecretmanager.New(env, store),
		"artifactregistry": mockartifactregistry.New(env, store),
		"redis":            mockredis.New(env, store),
		"dns":              mockdns.New(env, store),
		"monitoring":       mockmonitoring.New(env, store),
		"bigquery":         mockbigquery.New(env, store),
	}
	server := grpc.NewServer()
	operations.NewOperationsService(store).RegisterGRPCServices(server)
	for _, service := range services {
		service.Register(server)
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go func() { check(server.Serve(inner)) }()
	connection, err := grpc.NewClient(inner.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	check(err)
	muxes := make(map[string]http.Handler)
	for name, service := range services {
		muxes[name], err = service.NewHTTPMux(ctx, connection)
		check(err)
	}
	outer, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Printf("http://%s\n", outer.Addr())
	seen, err := os.Create(os.Getenv("REQUESTS"))
	check(err)
	var turn sync.Mutex
	check(http.Serve(outer, http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		log.Printf("%s %s", request.Method, request.URL)
		if request.Method != http.MethodGet {
			turn.Lock()
			record(seen, request)
			turn.Unlock()
		}
		mux := muxes[service(request.URL.Path)]
		if request.Method == http.MethodPatch {
			request = merged(mux, request)
		}
		mux.ServeHTTP(writer, request)
	})))
}

// record writes a request down as a line of JSON.
func record(seen io.Writer, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	check(err)
	request.Body = io.NopCloser(bytes.NewReader(body))
	if len(body) == 0 {
		body = []byte("null")
	}
	line, err := json.Marshal(map[string]any{
		"method": request.Method, "path": request.URL.Path, "query": request.URL.RawQuery, "body": json.RawMessage(body),
	})
	check(err)
	fmt.Fprintf(seen, "%s\n", line)
}

// merged makes a PATCH what the service takes it for. The mock of Cloud SQL ignores most fields of a PATCH and that of BigQuery replaces the resource, so they
// get an update of the whole resource; the mock of DNS needs the name in the body.
func merged(mux http.Handler, patch *http.Request) *http.Request {
	path, method := patch.URL.Path, http.MethodPut
	switch {
	case strings.Contains(path, "/dns/"):
		method = http.MethodPatch
	case !strings.Contains(path, "/sql/") && !strings.Contains(path, "/bigquery/"):
		return patch
	}
	sent, err := io.ReadAll(patch.Body)
	check(err)
	patch.Body = io.NopCloser(bytes.NewReader(sent))
	var resource, change any
	check(json.Unmarshal(sent, &change))
	if fields, isObject := change.(map[string]any); isObject && strings.Contains(path, "/sql/") && isOwn(fields) {
		return patch
	}
	read := httptest.NewRecorder()
	mux.ServeHTTP(read, httptest.NewRequest(http.MethodGet, patch.URL.String(), nil))
	check(json.Unmarshal(read.Body.Bytes(), &resource))
	body, err := json.Marshal(merge(resource, change))
	check(err)
	update := httptest.NewRequest(method, patch.URL.String(), bytes.NewReader(body))
	update.Header = patch.Header
	return update
}

// isOwn tells whether the mock of Cloud SQL knows all fields of a PATCH.
func isOwn(fields map[string]any) bool {
	for name, value := range fields {
		settings, isObject := value.(map[string]any)
		if name == "settings" && isObject && isOwn(settings) {
			continue
		}
		switch name {
		case "databaseVersion", "maintenanceVersion", "edition", "tier", "settingsVersion":
		default:
			return false
		}
	}
	return true
}

// merge applies a JSON merge patch (RFC 7386).
func merge(value, patch any) any {
	change, isObject := patch.(map[string]any)
	if !isObject {
		return patch
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		object = map[string]any{}
	}
	for key, member := range change {
		if member == nil {
			delete(object, key)
		} else {
			object[key] = merge(object[key], member)
		}
	}
	return object
}

// parts name the services by a part of their paths.
var parts = [][2]string{
	{"/sql/", "sql"},
	{"/dns/", "dns"},
	{"/bigquery/", "bigquery"},
	{"/notificationChannels", "monitoring"},
	{"/topics", "pubsub"},
	{"/subscriptions", "pubsub"},
	{"/secrets", "secretmanager"},
	{"/repositories", "artifactregistry"},
	{"/instances", "redis"},
	// All services share a store of operations.
	{"/operations", "artifactregistry"},
}

func service(path string) string {
	for _, part := range parts {
		if strings.Contains(path, part[0]) {
			return part[1]
		}
	}
	return "resourcemanager"
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
