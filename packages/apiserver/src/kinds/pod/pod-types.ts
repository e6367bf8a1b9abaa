/** The parts of pods that defaults, validation and columns look at. */

export interface PodSpec {
  containers?: Container[] | null;
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: Volume[];
  restartPolicy?: string;
  dnsPolicy?: string;
  schedulerName?: string;
  serviceAccountName?: string;
  serviceAccount?: string;
  nodeName?: string;
  hostNetwork?: boolean;
  securityContext?: object;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  enableServiceLinks?: boolean;
  readinessGates?: { conditionType?: string }[];
  tolerations?: object[];
  schedulingGates?: object[];
  [field: string]: unknown;
}

export interface Container {
  name?: string;
  image?: string;
  imagePullPolicy?: string;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  restartPolicy?: string;
  ports?: { name?: string; containerPort?: number; hostPort?: number; protocol?: string }[];
  env?: { name?: string; valueFrom?: { fieldRef?: { apiVersion?: string } } }[];
  resources?: Resources;
  volumeMounts?: { name?: string; mountPath?: string }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { postStart?: Handler; preStop?: Handler };
}

export interface Resources {
  limits?: Record<string, string>;
  requests?: Record<string, string>;
}

export interface Handler {
  httpGet?: { path?: string; scheme?: string };
  grpc?: { service?: string | null };
}

export interface Probe extends Handler {
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
}

export interface Volume {
  name?: string;
  [source: string]: unknown;
}
