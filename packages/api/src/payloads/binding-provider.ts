import { KlutchError } from '../errors/klutch-error.ts';
import { array, enumeration, type Infer, object, required, string } from '../schema/schema.ts';
import { parseJson } from './parse-json.ts';
import { isSupportedProviderVersion } from './provider-version.ts';

export const bindingProviderSchema = object('How to bind APIs of a provider.', {
  // Without the group, unlike every other payload: the Go CLI compares with exactly this text.
  apiVersion: required(enumeration('Version of this payload.', ['v1alpha1'])),
  kind: required(enumeration('Kind of this payload.', ['BindingProvider'])),
  providerPrettyName: required(string('Display name of the provider.')),
  // Required, too, but a missing version deserves the answer that an old one gets.
  version: string('Version of the backend.'),
  authenticationMethods: required(
    array(
      'Ways of logging in.',
      object('A way of logging in.', {
        method: required(string('Name of the method: `OAuth2CodeGrant`, or `DeviceCode`, which Go CLIs ignore.')),
        oauth2CodeGrant: object('Settings of `OAuth2CodeGrant`.', {
          authenticatedURL: required(string('Where the browser has to go.', { minLength: 1 })),
        }),
        deviceCode: object('Settings of `DeviceCode`.', {
          deviceURL: required(
            string('Where a login is begun; `/token` below it is asked for its outcome.', { minLength: 1 }),
          ),
        }),
      }),
    ),
  ),
});

/** What a backend tells about itself at `GET /export`. */
export type BindingProvider = Infer<typeof bindingProviderSchema> & { readonly version: string };

/**
 * Reads the answer of `GET /export`. Throws `KLUTCH_PROVIDER_INVALID` when it is something else, and
 * `KLUTCH_PROVIDER_VERSION_UNSUPPORTED` when the backend is too old.
 */
export function parseBindingProvider(text: string): BindingProvider {
  const provider = parseJson(bindingProviderSchema, text, 'KLUTCH_PROVIDER_INVALID', 'The answer of the provider');
  const { version = '' } = provider;
  if (!isSupportedProviderVersion(version)) {
    throw new KlutchError(
      'KLUTCH_PROVIDER_VERSION_UNSUPPORTED',
      `The provider is of version ${version || '(none)'}, but 0.3.0 or later is needed. Ask its operator to upgrade it.`,
    );
  }
  return { ...provider, version };
}

/** Where a browser has to go to log in. Throws `KLUTCH_PROVIDER_NO_LOGIN_METHOD` when no known method is offered. */
export function loginUrl(provider: BindingProvider): string {
  const offered = provider.authenticationMethods.find(({ method }) => method === 'OAuth2CodeGrant');
  if (offered?.oauth2CodeGrant) return offered.oauth2CodeGrant.authenticatedURL;
  throw new KlutchError(
    'KLUTCH_PROVIDER_NO_LOGIN_METHOD',
    `${provider.providerPrettyName} does not offer OAuth2CodeGrant, the only way of logging in this version knows.`,
  );
}
