{{- define "osce.name" -}}
{{- if contains "agent-osce" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-agent-osce" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "osce.secret" -}}
{{- .Values.secret.name | default (include "osce.name" .) -}}
{{- end -}}

{{/* What pods are selected by: never changes for a release. */}}
{{- define "osce.selector" -}}
app.kubernetes.io/name: agent-osce
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "osce.labels" -}}
{{ include "osce.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* "true" when more than one process may run for long. */}}
{{- define "osce.several" -}}
{{- if .Values.autoscaling.enabled -}}
{{- if gt (int .Values.autoscaling.maxReplicas) 1 }}true{{ end -}}
{{- else if gt (int .Values.replicas) 1 }}true{{ end -}}
{{- end -}}

{{/* Kubernetes adds 11 characters to the name of a CronJob for that of a job, and allows 63. */}}
{{- define "osce.backup.name" -}}
{{ include "osce.name" . | trunc 45 | trimSuffix "-" }}-backup
{{- end -}}

{{/* The pods of backups: none of the service's, so that its Service, its budget and its network policy leave them alone. */}}
{{- define "osce.backup.selector" -}}
app.kubernetes.io/name: agent-osce-backup
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "osce.backup.labels" -}}
{{ include "osce.backup.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "osce.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end -}}
