{{- define "tidemark.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of a component's objects. Arguments: root, name. */}}
{{- define "tidemark.name" -}}
{{- printf "%s-%s" (include "tidemark.fullname" .root) .name -}}
{{- end -}}

{{/* Name of the service account of a component's pods: an existing one where the values name it. Arguments: root, name. */}}
{{- define "tidemark.serviceAccount" -}}
{{- (get .root.Values .name | default dict).serviceAccountName | default (include "tidemark.name" .) -}}
{{- end -}}

{{/* Labels that select a component's pods. Arguments: root, name. */}}
{{- define "tidemark.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* Labels of a component's objects. Arguments: root, name. */}}
{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/part-of: tidemark
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The `metadata` of an object. Arguments: root, name; optional: object (the object's name), annotations, labels. */}}
{{- define "tidemark.metadata" -}}
name: {{ .object | default (include "tidemark.name" .) }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- merge (include "tidemark.labels" . | fromYaml) (.labels | default dict) | toYaml | nindent 2 }}
{{- with mergeOverwrite (dict) .root.Values.commonAnnotations (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "tidemark.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* URL of a component's RPCs. Arguments: root, name, port. */}}
{{- define "tidemark.rpcUrl" -}}
{{- printf "%s://%s.%s.svc:%v" (ternary "https" "http" .root.Values.rpcTls.enabled) (include "tidemark.name" .) .root.Release.Namespace .port -}}
{{- end -}}

{{/* CALLER_SUBJECTS: the token subjects of the allowed callers. Arguments: root, names (components). */}}
{{- define "tidemark.subjects" -}}
{{- $subjects := list -}}
{{- range $name := .names -}}
{{- $subjects = append $subjects (printf "%s=system:serviceaccount:%s:%s" $name $.root.Release.Namespace (include "tidemark.serviceAccount" (dict "root" $.root "name" $name))) -}}
{{- end -}}
{{- range $name, $subject := .root.Values.callers.subjects -}}
{{- $subjects = append $subjects (printf "%s=%s" $name $subject) -}}
{{- end -}}
{{- join "," $subjects -}}
{{- end -}}

{{/* The components of the release, as a YAML list. */}}
{{- define "tidemark.components" -}}
- gateway
- commitments
{{- if .Values.indexer.enabled }}
- indexer
{{- end }}
{{- if .Values.auth.enabled }}
- auth
{{- end }}
{{- if include "tidemark.hasEntities" . }}
- entities
{{- end }}
{{- end -}}

{{/* Whether the release runs the entities service, which needs accounts and checks of contracts. Empty if not. */}}
{{- define "tidemark.hasEntities" -}}
{{- if and .Values.entities.enabled .Values.auth.enabled .Values.indexer.enabled -}}true{{- end -}}
{{- end -}}

{{/* The components that need a certificate with `rpcTls`, as a YAML list. A gateway needs it for its status only. */}}
{{- define "tidemark.tlsComponents" -}}
{{- $components := include "tidemark.components" . | fromYamlArray -}}
{{- ternary $components (without $components "gateway") (ne .Values.callers.keys.gatewayStatusSecretName "") | toYaml -}}
{{- end -}}

{{/* The components with tables, in the order in which their migrations run, as a YAML list. */}}
{{- define "tidemark.databaseComponents" -}}
{{- without (include "tidemark.components" . | fromYamlArray) "gateway" "indexer" | toYaml -}}
{{- end -}}

{{/* The components that the gateway calls, as a YAML list. The dashboard, which needs auth, calls the indexer. */}}
{{- define "tidemark.gatewayCalls" -}}
- commitments
{{- if .Values.auth.enabled }}
- auth
{{- if .Values.indexer.enabled }}
- indexer
{{- end }}
{{- if include "tidemark.hasEntities" . }}
- entities
{{- end }}
{{- end }}
{{- end -}}

{{/* The components that the commitments service calls, as a YAML list. */}}
{{- define "tidemark.commitmentsCalls" -}}
{{- $calls := list -}}
{{- if .Values.auth.enabled }}{{- $calls = append $calls "auth" -}}{{- end -}}
{{- if .Values.indexer.enabled }}{{- $calls = append $calls "indexer" -}}{{- end -}}
{{- if include "tidemark.hasEntities" . }}{{- $calls = append $calls "entities" -}}{{- end -}}
{{- $calls | toYaml -}}
{{- end -}}

{{/* The components that auth calls, as a YAML list. */}}
{{- define "tidemark.authCalls" -}}
- commitments
{{- if include "tidemark.hasEntities" . }}
- entities
{{- end }}
{{- end -}}

{{/* The components that the entities service calls, as a YAML list. */}}
{{- define "tidemark.entitiesCalls" -}}
- commitments
- auth
- indexer
{{- end -}}

{{/* The components that may call the commitments service, as a YAML list. */}}
{{- define "tidemark.commitmentsCallers" -}}
- gateway
- indexer
- auth
- operator
{{- if include "tidemark.hasEntities" . }}
- entities
{{- end }}
{{- end -}}

{{/* The components that may call the indexer, as a YAML list. */}}
{{- define "tidemark.indexerCallers" -}}
- commitments
{{- if has "indexer" (include "tidemark.gatewayCalls" . | fromYamlArray) }}
- gateway
{{- end }}
- operator
{{- if include "tidemark.hasEntities" . }}
- entities
{{- end }}
{{- end -}}

{{/* The components that may call auth, as a YAML list. */}}
{{- define "tidemark.authCallers" -}}
- gateway
- commitments
- operator
{{- if include "tidemark.hasEntities" . }}
- entities
{{- end }}
{{- end -}}

{{/* The components that may call the entities service, as a YAML list. */}}
{{- define "tidemark.entitiesCallers" -}}
- gateway
- commitments
- auth
- operator
{{- end -}}

{{/* Name of the Service for public traffic. */}}
{{- define "tidemark.gatewayService" -}}
{{- include "tidemark.name" (dict "root" . "name" (ternary "evaluation" "gateway" .Values.evaluation.enabled)) -}}
{{- end -}}
