{{/* Labels of everything that belongs to a workload: (list root name component). */}}
{{- define "tessera.labels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Release.Name }}-{{ index . 1 }}
app.kubernetes.io/component: {{ index . 2 }}
app.kubernetes.io/part-of: {{ $root.Release.Name }}
{{- end -}}

{{/* The only label that selectors go by: (list root name). */}}
{{- define "tessera.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Release.Name }}-{{ index . 1 }}
{{- end -}}

{{/* The workloads of this mode by name, each with its component, arguments and settings, as YAML. */}}
{{- define "tessera.workloads" -}}
{{- $settings := deepCopy .Values.gateway.settings -}}
{{- if eq .Values.mode "split" -}}
{{- range $name, $subgraph := .Values.subgraphs -}}
{{- $scheme := include "tessera.scheme" (list $ $subgraph) | lower | default "http" -}}
{{- $url := printf "%s://%s-%s:%v/graphql" $scheme $.Release.Name $name $subgraph.port -}}
{{- $setting := printf "TESSERA_%s_SUBGRAPH_URL" (upper $name) -}}
{{- $_ := set $settings $setting (get $settings $setting | default $url) -}}
{{- $_ := set $settings "TESSERA_SUBGRAPH_SCOPES" true -}}
{{- end -}}
{{- else if eq .Values.mode "together" -}}
{{- $settings = merge $settings .Values.gateway.together -}}
{{- else -}}
{{- fail (printf "mode: expected split or together, not %v" .Values.mode) -}}
{{- end -}}
{{- if .Values.tls.secret -}}
{{- $_ := set $settings "TESSERA_TLS_CERT" "/run/secrets/tls/tls.crt" -}}
{{- $_ := set $settings "TESSERA_TLS_KEY" "/run/secrets/tls/tls.key" -}}
{{- end -}}
{{- $workloads := dict "gateway" (merge (dict "component" "gateway" "args" (list "serve") "settings" $settings) .Values.gateway) -}}
{{- if eq .Values.mode "split" -}}
{{- range $name, $subgraph := .Values.subgraphs -}}
{{- $args := list "subgraph" $name "--port" (toString $subgraph.port) -}}
{{- $_ := set $workloads $name (merge (dict "component" "subgraph" "args" $args) $subgraph) -}}
{{- end -}}
{{- end -}}
{{- toYaml $workloads -}}
{{- end -}}

{{/* Settings as a ConfigMap holds them: text. Whole numbers of values.yaml are not to become 1e+06. */}}
{{- define "tessera.settings" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ (and (kindIs "float64" $value) (eq (floor $value) $value) | ternary (int64 $value) $value) | toString | quote }}
{{- end }}
{{- end -}}

{{/* The scheme of a workload's probes where it speaks HTTPS, nothing where it speaks HTTP: (list root workload). */}}
{{- define "tessera.scheme" -}}
{{- if or (hasKey (index . 1).settings "TESSERA_TLS_CERT") (hasKey (index . 0).Values.settings "TESSERA_TLS_CERT") -}}
HTTPS
{{- end -}}
{{- end -}}
