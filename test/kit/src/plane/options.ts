import type { Binaries } from '../binaries/binaries.ts';

/** A user with a static bearer token. */
export interface TokenUserRequest {
  readonly name: string;
  readonly groups?: readonly string[];
  /** Default: a random one. */
  readonly token?: string;
}

/** How a plane is to be. All fields are optional; the defaults give a cluster without nodes. */
export interface StartPlaneOptions {
  /** The programs to run. Default: found or built by `resolveBinaries()`. */
  readonly binaries?: Binaries;
  /** Whether to run kube-controller-manager. Default: when its program is there; `true` makes its absence an error. */
  readonly controllerManager?: boolean;
  /** Controllers to run, by the names kube-controller-manager knows. Default: `DEFAULT_CONTROLLERS`. */
  readonly controllers?: readonly string[];
  /** Users with static tokens; see `Plane.tokenUser`. */
  readonly tokenUsers?: readonly TokenUserRequest[];
  /** Writes an audit log by this policy, an object of kind `Policy` in `audit.k8s.io/v1`. */
  readonly audit?: { readonly policy: object };
  /** Feature gates for kube-apiserver and kube-controller-manager. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Further flags of kube-apiserver, for example `--event-ttl=1m`; they win over the kit's own. */
  readonly apiServerFlags?: readonly string[];
  /** Further flags of kube-controller-manager; they win over the kit's own. */
  readonly controllerManagerFlags?: readonly string[];
  /** How long each program may take to be ready, in milliseconds. Default 40 000. */
  readonly startTimeoutMs?: number;
}
