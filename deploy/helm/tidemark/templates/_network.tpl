{{/* NetworkPolicy peers that select components of this release. Arguments: root, names. */}}
{{- define "tidemark.peers" -}}
{{- range .names }}
- podSelector:
    matchLabels:
      {{- include "tidemark.selector" (dict "root" $.root "name" .) | nindent 6 }}
{{- end }}
{{- end -}}

{{/*
Ports of a comma-separated list of URLs, as a YAML list. Arguments: urls; standard and secure, the default ports of http (and
other schemes) and https.
*/}}
{{- define "tidemark.portsOf" -}}
{{- $ports := list -}}
{{- range splitList "," .urls -}}
{{- $url := urlParse (trim .) -}}
{{- $standard := ternary $.secure $.standard (eq $url.scheme "https") -}}
{{- $ports = append $ports (regexFind ":\\d+$" $url.host | trimPrefix ":" | default $standard | int) -}}
{{- end -}}
{{- $ports | uniq | toYaml -}}
{{- end -}}

{{/* An entry of networkPolicy as YAML; without ports, they come from the URL of the service. Arguments: root, name. */}}
{{- define "tidemark.policyRule" -}}
{{- $rule := get .root.Values.networkPolicy .name -}}
{{- $ports := $rule.ports -}}
{{- if not $ports -}}
{{- $of := dict
  "nats" (dict "urls" .root.Values.nats.url "standard" "4222" "secure" "4222")
  "permitSigner" (dict "urls" .root.Values.entities.permitSigner.url "standard" "80" "secure" "443")
  "tracing" (dict "urls" .root.Values.tracing.endpoint "standard" "80" "secure" "443") -}}
{{- $ports = include "tidemark.portsOf" (get $of .name) | fromYamlArray -}}
{{- end -}}
{{- dict "to" $rule.to "ports" $ports | toYaml -}}
{{- end -}}

{{/* Egress rule from an entry of networkPolicy. Arguments: rule; optional: protocols (default: TCP). */}}
{{- define "tidemark.egressTo" -}}
- ports:
    {{- range $port := .rule.ports }}
    {{- range $.protocols | default (list "TCP") }}
    - { protocol: {{ . }}, port: {{ $port }} }
    {{- end }}
    {{- end }}
  {{- with .rule.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Egress rule to a component. Arguments: root, name, port. */}}
{{- define "tidemark.egressComponent" -}}
- ports: [{ protocol: TCP, port: {{ .port }} }]
  to:
    {{- include "tidemark.peers" (dict "root" .root "names" (list .name)) | nindent 4 }}
{{- end -}}

{{/* The callers of a component, with the pods that check the callers. Arguments: root, callers. */}}
{{- define "tidemark.withChecks" -}}
{{- $components := include "tidemark.components" .root | fromYamlArray -}}
{{- range .callers }}
- {{ . }}
{{- if has . $components }}
- {{ . }}-check
{{- end }}
{{- end }}
{{- end -}}

{{/* Egress rules of a component. Arguments: as for its NetworkPolicy. */}}
{{- define "tidemark.egress" -}}
{{- $ports := dict "commitments" 8081 "indexer" 8082 "auth" 8083 "entities" 8084 "gateway" 8080 -}}
{{ include "tidemark.egressTo" (dict "rule" .root.Values.networkPolicy.dns "protocols" (list "UDP" "TCP")) }}
{{- range .calls }}
{{ include "tidemark.egressComponent" (dict "root" $.root "name" . "port" (get $ports .)) }}
{{- end }}
{{- range .needs }}
{{ include "tidemark.egressTo" (dict "rule" (include "tidemark.policyRule" (dict "root" $.root "name" .) | fromYaml)) }}
{{- end }}
{{- if .asksGateways }}
{{ include "tidemark.egressComponent" (dict "root" .root "name" "gateway" "port" 8085) }}
{{- end }}
{{- if and .root.Values.tracing.endpoint (not (has .name (list "operator" "migrations" "test"))) }}
{{ include "tidemark.egressTo" (dict "rule" (include "tidemark.policyRule" (dict "root" .root "name" "tracing") | fromYaml)) }}
{{- end }}
{{- end -}}

{{/*
NetworkPolicy of a component. Arguments: root, name; callers, the components that may call it; calls, the components that it
calls; needs, the entries of networkPolicy that it needs; asksGateways, whether it asks gateways for their status.
*/}}
{{- define "tidemark.networkPolicy" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- $ports := dict "commitments" 8081 "indexer" 8082 "auth" 8083 "entities" 8084 "gateway" 8080 -}}
{{- if $policy.enabled -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "tidemark.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "tidemark.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if eq .name "gateway" }}
    - ports: [{ protocol: TCP, port: 8080 }]
      {{- with $policy.gatewayFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        {{- include "tidemark.peers" (dict "root" $.root "names" (list "test")) | nindent 8 }}
      {{- end }}
    {{- if .root.Values.callers.keys.gatewayStatusSecretName }}
    - ports: [{ protocol: TCP, port: 8085 }]
      from:
        {{- include "tidemark.peers" (dict "root" .root "names" (list "operator")) | nindent 8 }}
        {{- with $policy.callersFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    {{- end }}
    {{- else if .callers }}
    - ports: [{ protocol: TCP, port: {{ get $ports .name }} }]
      from:
        {{- include "tidemark.peers" (dict "root" .root "names" (include "tidemark.withChecks" . | fromYamlArray)) | nindent 8 }}
        {{- with $policy.callersFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    {{- end }}
    {{- with $policy.monitoringFrom }}
    - ports: [{ protocol: TCP, port: 9090 }]
      from:
        {{- toYaml . | nindent 8 }}
    {{- end }}
  egress:
    {{- include "tidemark.egress" . | nindent 4 }}
{{- if has .name (include "tidemark.components" .root | fromYamlArray) }}
---
{{- $check := dict "root" .root "name" (printf "%s-check" .name) }}
# For the Jobs that `tidemark doctor` makes: out as the component, and nobody in.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "tidemark.metadata" $check | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "tidemark.selector" $check | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress: []
  egress:
    {{- include "tidemark.egress" . | nindent 4 }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* Entries of networkPolicy with which a component that verifies tokens reaches the issuer's JWKS, as a YAML list. */}}
{{- define "tidemark.issuerNeeds" -}}
{{- if and .Values.callers.tokens.enabled (not .Values.callers.tokens.jwks.configMapName) -}}
- kubernetesApi
{{- else -}}
[]
{{- end -}}
{{- end -}}

{{/* Hosts of the public origins, as a YAML list. */}}
{{- define "tidemark.hosts" -}}
{{- $hosts := list -}}
{{- range list .Values.urls.auth .Values.urls.publicBase -}}
{{- with . -}}
{{- $hosts = append $hosts (regexReplaceAll ":\\d+$" (urlParse .).host "") -}}
{{- end -}}
{{- end -}}
{{- $hosts | uniq | toYaml -}}
{{- end -}}
