//! CRD and OpenAPI documents as Kubernetes publishes them: read into schemas, and written from them.
//!
//! Knows documents and their forms; judges none of them (`custom` does), and reads no files.
