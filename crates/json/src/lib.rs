//! JSON values with exact numbers and key order. Knows no schema and no Kubernetes type.
