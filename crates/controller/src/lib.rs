//! Direct controllers: resources of a service are kept as Kubernetes objects say.
