/** Somebody who can log in at an issuer of the kit. */
export interface KitUser {
  /** What is typed where a name is asked for; Dex asks for `<name>@klutch.example`. */
  readonly name: string;
  readonly groups?: readonly string[];
}

/** The password of every user of every issuer of the kit. */
export const KIT_PASSWORD = 'password';

/** Its bcrypt hash, which is what Dex is told. */
export const KIT_PASSWORD_HASH = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W';

/** The address of a user. */
export function emailOf({ name }: Pick<KitUser, 'name'>): string {
  return `${name}@klutch.example`;
}

/** A program that sends people to an issuer, and has a secret. */
export interface KitClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
}

/** A running issuer of the kit. */
export interface KitIssuer {
  /** The `iss` of its tokens; `/.well-known/openid-configuration` is below it. */
  readonly url: string;
  readonly pid: number;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}
