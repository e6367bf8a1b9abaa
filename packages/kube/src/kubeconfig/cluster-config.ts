/** PEM text, given directly or in a file that is read again when it changes on disk. */
export type PemSource =
  | { readonly from: 'data'; readonly pem: string }
  | { readonly from: 'file'; readonly path: string };

/** An exec credential plugin of `client.authentication.k8s.io/v1` (or `v1beta1`). */
export interface ExecPlugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  /** Whether the cluster (server, CA) is passed to the plugin in `KUBERNETES_EXEC_INFO`. */
  readonly provideClusterInfo: boolean;
  /** The cluster's extension `client.authentication.k8s.io/exec`, passed on with the cluster. */
  readonly clusterConfig?: unknown;
  /** Whether the plugin wants standard input. Default `Never`. */
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
  /** Shown when the command is not found. */
  readonly installHint?: string;
}

/** Proof of identity that travels in the `Authorization` header. */
export type HeaderAuth =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'tokenFile'; readonly path: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string };

/** How a client proves who it is. */
export type Auth =
  | { readonly kind: 'none' }
  | HeaderAuth
  | {
      readonly kind: 'certificate';
      readonly certificate: PemSource;
      readonly key: PemSource;
      /** Sent along with the certificate when a user has both; the server decides which one counts. */
      readonly header?: HeaderAuth;
    }
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin };

/** Act as somebody else; the API server checks that the real user may. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Everything needed to talk to one API server as one user: a kubeconfig context, resolved and checked. */
export interface ClusterConfig {
  /** Base URL, without a trailing slash. */
  readonly server: string;
  /** Where this came from, for messages: context and file, `in-cluster`, or what the caller said. */
  readonly source: string;
  /** Namespace of the context, when it names one. */
  readonly namespace?: string;
  readonly ca?: PemSource;
  /** `tls-server-name`: the name the server's certificate must carry instead of the host of `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly proxyUrl?: string;
  readonly auth: Auth;
  readonly impersonate?: Impersonation;
}
