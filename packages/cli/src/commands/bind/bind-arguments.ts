import { KlutchError } from '@klutch/api';
import type { BindRequest } from '@klutch/api/contract';
import type { BindFlags } from '../bind.ts';
import type { LoginFlags } from '../login-flags.ts';

/** The one address that was given. Throws `KLUTCH_USAGE`. */
export function providerUrl(urls: readonly string[]): string {
  const [url = '', ...others] = urls;
  if (others.length > 0) throw usage('Bind one provider at a time: give one address.');
  if (/^https?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw usage(`"${url}" is not the address of a provider; it begins with https:// and usually ends in /export.`);
}

/** An API by its parts. */
export type WantedApi = BindRequest['apis'][number];

/** An API from its name, `<resource>.<group>`. Throws `KLUTCH_USAGE`. */
export function wantedApi(name: string): WantedApi {
  const match = /^([a-z0-9-]+)(?:\.([a-z0-9.-]+))?$/.exec(name);
  if (match === null) throw usage(`--api ${name} is not the name of an API, such as postgresqlinstances.anynines.com.`);
  return { resource: match[1] ?? '', group: match[2] ?? '' };
}

/** Throws `KLUTCH_USAGE` when flags contradict each other or lack one another. */
export function refuseContradictions(flags: BindFlags, apis: readonly WantedApi[]): void {
  refuseLoginContradictions(flags);
  const withoutPage = flags.nonInteractive ? '--non-interactive' : flags.deviceCode ? '--device-code' : undefined;
  if (withoutPage && apis.length === 0) throw usage(`${withoutPage} needs --api: name the APIs to bind.`);
  if (flags.tenant && !withoutPage)
    throw usage('--tenant belongs to --non-interactive and --device-code; in the browser you choose it there.');
  if (flags.clusterId !== undefined && !/^[A-Za-z0-9._-]{1,64}$/.test(flags.clusterId)) {
    throw usage('--cluster-id must be 1 to 64 letters, digits, dots, dashes and underscores.');
  }
}

/** Throws `KLUTCH_USAGE` when flags say that one should log in in two ways. */
export function refuseLoginContradictions(flags: LoginFlags): void {
  if (flags.nonInteractive && flags.deviceCode)
    throw usage('--non-interactive contradicts --device-code; give one of them.');
  if (flags.credentialsFile && !flags.nonInteractive) throw usage('--credentials-file belongs to --non-interactive.');
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
