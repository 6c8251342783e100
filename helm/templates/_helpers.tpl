{{- define "mini-inference-engine.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "mini-inference-engine.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "mini-inference-engine.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "mini-inference-engine.selectorLabels" -}}
app.kubernetes.io/name: {{ include "mini-inference-engine.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "mini-inference-engine.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "mini-inference-engine.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "mini-inference-engine.serviceAccountName" -}}
{{- $created := ternary (include "mini-inference-engine.fullname" .) "default" .Values.serviceAccount.create -}}
{{- default $created .Values.serviceAccount.name -}}
{{- end -}}

{{/* By its digest if there is one, else by its tag. */}}
{{- define "mini-inference-engine.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Seconds for the delay, two phases of shutdown (requests, then models and device), and the JVM's own end. */}}
{{- define "mini-inference-engine.gracePeriod" -}}
{{- add .Values.shutdown.delaySeconds (mul 2 .Values.shutdown.phaseSeconds) 10 -}}
{{- end -}}

{{/* What a vendor's device plugin offers, and what its tools write on GPU nodes; nothing without a GPU. */}}
{{- define "mini-inference-engine.gpu" -}}
{{- $vendors := dict
  "nvidia" (dict "resource" "nvidia.com/gpu" "label" "nvidia.com/gpu.present")
  "amd" (dict "resource" "amd.com/gpu" "label" "feature.node.kubernetes.io/amd-gpu")
  "intel" (dict "resource" "gpu.intel.com/i915" "label" "intel.feature.node.kubernetes.io/gpu")
-}}
{{- if ne .Values.gpu.vendor "none" -}}
{{- $vendor := get $vendors .Values.gpu.vendor -}}
taint: {{ $vendor.resource }}
resource: {{ default $vendor.resource .Values.gpu.resource }}
{{- if .Values.gpu.selectNodes }}
label: {{ $vendor.label }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "mini-inference-engine.repository" -}}/models{{- end -}}

{{/* The volume with the models: a claim, or what else Kubernetes knows; nothing for those of the image. */}}
{{- define "mini-inference-engine.modelVolume" -}}
{{- if and .Values.models.existingClaim .Values.models.volume -}}
{{- fail "models.existingClaim and models.volume are both set: unset one of them" -}}
{{- end -}}
{{- if .Values.models.existingClaim -}}
persistentVolumeClaim:
  claimName: {{ .Values.models.existingClaim }}
  readOnly: true
{{- else -}}
{{- with .Values.models.volume }}{{ toYaml . }}{{ end -}}
{{- end -}}
{{- end -}}

{{/*
The service's application.yaml: what is said of Spring, and above it the engine's properties and the ports. On a GPU the device is fixed, so that a pod that does not see its GPU
fails and says so, instead of serving slowly from somewhere else.
*/}}
{{- define "mini-inference-engine.properties" -}}
{{- $engine := deepCopy .Values.engine -}}
{{- if not (get $engine "device") -}}
{{- $_ := set $engine "device" (ternary "auto" "gpu" (eq .Values.gpu.vendor "none")) -}}
{{- end -}}
{{- if include "mini-inference-engine.modelVolume" . -}}
{{- if .Values.engine.models.repository -}}
{{- fail (printf "engine.models.repository and models.%s are both set: a volume is the repository, so unset one of them" (ternary "existingClaim" "volume" (ne .Values.models.existingClaim ""))) -}}
{{- end -}}
{{- $_ := set $engine.models "repository" (include "mini-inference-engine.repository" .) -}}
{{- end -}}
{{- range $name, $_ := .Values.properties -}}
{{- if regexMatch "^engine(\\.|$)" $name -}}
{{- fail (printf "properties.%s is not read: properties of the engine are values of their own, below engine" $name) -}}
{{- end -}}
{{- end -}}
{{- $own := dict
  "server" (dict "port" 8080)
  "management" (dict "server" (dict "port" .Values.management.port))
  "spring" (dict "lifecycle" (dict "timeout-per-shutdown-phase" (printf "%vs" .Values.shutdown.phaseSeconds)))
  "engine" $engine
-}}
{{- toYaml (mergeOverwrite (deepCopy .Values.properties) $own) -}}
{{- end -}}

{{/* How the kubelet speaks to REST: with TLS where the service does. */}}
{{- define "mini-inference-engine.probeScheme" -}}
{{- if or (dig "server" "ssl" "bundle" "" .Values.properties) (get .Values.properties "server.ssl.bundle") -}}
scheme: HTTPS
{{- end -}}
{{- end -}}
