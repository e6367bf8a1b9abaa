import type { Authority, CertificateRequest } from '../pki/authority.ts';
import type { Component } from '../process/component.ts';
import type { PlaneUser } from './user.ts';

/** A certificate user to create: like a certificate request, in the words of Kubernetes. */
export interface CertificateUserRequest extends Pick<CertificateRequest, 'notBefore' | 'notAfter'> {
  readonly name: string;
  readonly groups?: readonly string[];
  /** Signs the certificate. Default: the plane's own authority; another one gives a user whom the plane refuses. */
  readonly authority?: Authority;
}

/** A service account to speak as. */
export interface ServiceAccountRequest {
  readonly namespace: string;
  readonly name: string;
  /** Lifetime of the token in seconds; Kubernetes grants no less than 600. Default 3 600. */
  readonly expirationSeconds?: number;
}

/** A running plane as every process of a test run may use it, whoever started it. */
export interface PlaneAccess {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** The plane's folder: certificates, kubeconfigs, logs. Readable by this user only. */
  readonly dir: string;
  /** Signs the serving certificate and the client certificates the plane accepts. */
  readonly pki: Authority;
  /** Member of `system:masters`: may do everything. */
  readonly admin: PlaneUser;
  /** Creates a user with a client certificate; possible at any time. It has no rights until RBAC grants some. */
  certificateUser(request: CertificateUserRequest): Promise<PlaneUser>;
  /** A user with a static bearer token, declared in `startPlane({ tokenUsers })`; the API server reads them only at start. */
  tokenUser(name: string): PlaneUser;
  /** A user with a fresh token of an existing service account (TokenRequest); possible at any time. */
  serviceAccountUser(request: ServiceAccountRequest): Promise<PlaneUser>;
}

/** A plane this process has started and must stop. */
export interface Plane extends PlaneAccess {
  /** Process ids by program, for fault tests. */
  pids(): { readonly etcd?: number; readonly kubeApiserver?: number; readonly kubeControllerManager?: number };
  /** The audit log, when `startPlane({ audit })` asked for one. */
  readonly auditLog: string | undefined;
  /** Freezes the API server: connections stay open, nothing is answered. */
  pauseApiServer(): void;
  /** Lets a frozen API server go on. */
  resumeApiServer(): void;
  /** Kills the API server as a crash would; etcd keeps the objects. */
  stopApiServer(): Promise<void>;
  /** Starts a stopped API server on the same port and waits until it is ready. */
  startApiServer(): Promise<void>;
  /** {@link stopApiServer}, then {@link startApiServer}. */
  restartApiServer(): Promise<void>;
  /** Copies the storage as it is now, while everything runs; answers with the folder of the copy, which goes with the plane. */
  backup(): Promise<string>;
  /**
   * Kills everything, puts a {@link backup} in the place of the storage, and starts again on the same port. A backup of
   * another plane makes this one its twin, identity included.
   */
  restore(backup: string): Promise<void>;
  /** Lets a program that works on the plane end with it: it stops before the plane, and is killed with it. */
  addCompanion(companion: Pick<Component, 'stop' | 'kill'>): void;
  /** Kills all programs at once, as a power cut would; the folder stays until {@link stop}. */
  kill(): Promise<void>;
  /** Ends all programs and removes the folder. May be called more than once. */
  stop(): Promise<void>;
}
