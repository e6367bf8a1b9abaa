import type { Logger } from '@klutch/kube';
import type { Ports } from '../state/ports.ts';

export interface SandboxOptions {
  /** Folder of everything that is kept. One sandbox runs from it at a time. */
  readonly dir: string;
  readonly version: string;
  /** Ports for the first start, 0 for any that is free; later those of the last one. Default: {@link usualPorts}. */
  readonly ports?: Ports;
}

export interface SandboxDeps {
  /** Ends the sandbox, in good order. */
  readonly signal: AbortSignal;
  readonly log?: Logger;
  /** Told what goes on while it starts, in sentences for people. */
  readonly onProgress?: (text: string) => void;
}

/** How to use a sandbox that runs. */
export interface SandboxInfo {
  readonly dir: string;
  /** File with the contexts `klutch-app` and `klutch-control-plane`. */
  readonly kubeconfig: string;
  readonly appCluster: string;
  readonly controlPlane: string;
  /** What to give to `klutch bind`. */
  readonly provider: string;
  readonly issuer: string;
  /** Who can log in. */
  readonly user: { readonly name: string; readonly password: string };
  /** The sample API, as `<resource>.<group>`. */
  readonly api: string;
}

/** Control plane, app cluster and all that belongs to them, in this process. */
export interface Sandbox {
  /** Resolves when everything works; rejects when it cannot start, and then nothing is left running. */
  readonly ready: Promise<SandboxInfo>;
  /** Resolves when everything has ended; rejects with what made it end. */
  readonly stopped: Promise<void>;
}
