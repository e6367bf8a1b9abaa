/** Somebody who can log in. */
export interface IssuerUser {
  /** What the user types, and the subject of their tokens. */
  readonly name: string;
  readonly password: string;
  /** Default `<name>@klutch.example`. */
  readonly email?: string;
  /** Handed out to clients that ask for the scope `groups`. */
  readonly groups?: readonly string[];
}

/** A program that asks for tokens. */
export type IssuerClient = WebClient | MachineClient;

/** Sends people here to log in, by redirect or by device code, and has a secret of its own. */
export interface WebClient {
  readonly kind: 'web';
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  /** What the login page calls it. Default: its id. */
  readonly name?: string;
}

/** Acts for nobody but itself (client credentials), and gets access tokens that are JWTs. */
export interface MachineClient {
  readonly kind: 'machine';
  readonly id: string;
  readonly secret: string;
  /** What it may ask for. Default: `klutch/bind`. */
  readonly scopes?: readonly string[];
}

export interface IssuerOptions {
  readonly users: readonly IssuerUser[];
  readonly clients: readonly IssuerClient[];
  /** Port on 127.0.0.1. Default 0: any that is free. */
  readonly port?: number;
  /** Folder that keeps the keys over restarts. Default: new keys with every start. */
  readonly dir?: string;
  /** Logs this user in without asking; for tests that are not about the login page. */
  readonly autoLogin?: string;
  /** Audience of the access tokens of machines. Default `klutch`. */
  readonly audience?: string;
  /** Told of problems that no client hears of. Default: nobody. */
  readonly onProblem?: (problem: unknown) => void;
}

/** The scope with which machines may bind, unless told otherwise. */
export const machineScope = 'klutch/bind';
