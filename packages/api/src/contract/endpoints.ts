import { Array as List, Number as Quantity, Object as Fields, Optional, type Static, String as Text } from 'typebox';
import { parseBindingProvider } from '../payloads/binding-provider.ts';
import { parseBindingResponse } from '../payloads/binding-response.ts';
import { endpoint } from './endpoint.ts';
import { apis, clusterId, clusterNamespace, enrolmentSeconds, objectUid, text, word } from './fields.ts';
import { bindingProvider, bindingResponse, enrolmentGrant, permissionClaims } from './payloads.ts';

/** Where a command learns what a provider is and how to log in. Go CLIs call it, too. */
export const describeProvider = endpoint({
  method: 'GET',
  path: 'export',
  caller: 'anyone',
  answer: bindingProvider,
  read: parseBindingProvider,
  isEntry: true,
});

const redemption = Fields({
  code: text('The code from the address that the browser was sent to.'),
  verifier: text('The text whose S256 challenge the login began with.'),
});

/** Exchanges the code that a browser brought for what the login yields. Only who began the login knows the verifier. */
export const redeemCode = endpoint({
  method: 'POST',
  path: 'redeem',
  caller: 'anyone',
  request: redemption,
  answer: bindingResponse,
  read: parseBindingResponse,
  attempts: 3,
});

const bindRequest = Fields(
  {
    clusterID: clusterId,
    clusterUID: Optional(objectUid),
    apis,
    tenant: Optional(text('Tenant to bind for; the only one of the caller when absent.')),
    session: Optional(text('Given back in the answer.')),
    enrolmentSeconds: Optional(enrolmentSeconds),
    evict: Optional(clusterNamespace),
  },
  { description: 'APIs that an app cluster asks for without the catalogue page.' },
);

/** What an app cluster asks for without the catalogue page. */
export type BindRequest = Static<typeof bindRequest>;

/** Binds for a machine. The a9s CLI calls it, too. */
export const bindMachine = endpoint({
  method: 'POST',
  path: 'bind-noninteractive',
  caller: 'accessToken',
  request: bindRequest,
  answer: bindingResponse,
  read: parseBindingResponse,
  attempts: 5,
});

const deviceLogin = Fields(
  {
    device_code: text('A secret, by which the command asks for the outcome.'),
    user_code: text('What the user compares, or types in.'),
    verification_uri: text('Where the user types it in.'),
    verification_uri_complete: Optional(text('The same, with the code in it.')),
    expires_in: Quantity({ description: 'Seconds in which the login has to be finished.' }),
    interval: Optional(Quantity({ description: 'Seconds between two questions for the outcome; 5 when absent.' })),
  },
  { description: 'A login that goes on in a browser elsewhere, as RFC 8628 describes it.' },
);

/** A login that goes on in a browser elsewhere. */
export type DeviceLogin = Static<typeof deviceLogin>;

/** Begins a login that goes on in a browser elsewhere. */
export const beginDeviceLogin = endpoint({
  method: 'POST',
  path: 'device',
  caller: 'anyone',
  request: bindRequest,
  answer: deviceLogin,
  attempts: 3,
});

const deviceQuestion = Fields({ device_code: text('As the login began with.') });

const deviceWaiting = Fields({
  error: word('Whether to ask again as before, or five seconds further apart.', ['authorization_pending', 'slow_down']),
});

/** Asks for the outcome of that login. */
export const finishDeviceLogin = endpoint({
  method: 'POST',
  path: 'device/token',
  caller: 'anyone',
  request: deviceQuestion,
  answer: bindingResponse,
  read: parseBindingResponse,
  waiting: deviceWaiting,
  attempts: 5,
});

/** Issues a new credential; the one that was shown goes on working for a while. */
export const rotateCredential = endpoint({
  method: 'POST',
  path: 'rotate',
  caller: 'tenantCredential',
  answer: Fields({
    namespace: text('Namespace of the app cluster on the control plane.'),
    kubeconfig: Text({ description: 'Kubeconfig for the control plane, in base 64.', minLength: 1 }),
  }),
});

/** Ends all credentials but the one that is shown. */
export const finishRotation = endpoint({
  method: 'POST',
  path: 'rotate/finish',
  caller: 'tenantCredential',
  attempts: 3,
});

/** Takes exports back, and the rights that came with them. */
export const withdrawApis = endpoint({
  method: 'POST',
  path: 'unbind',
  caller: 'tenantCredential',
  request: Fields({ apis }),
  attempts: 3,
});

/**
 * Ends the registration of the app cluster, its credentials and its place in the quota of its tenant. Refused while data of it is
 * left on the control plane.
 */
export const releaseCluster = endpoint({
  method: 'POST',
  path: 'release',
  caller: 'tenantCredential',
  attempts: 3,
});

/** What the tenant of the credential may bind. */
export const listOffers = endpoint({
  method: 'GET',
  path: 'catalogue',
  caller: 'tenantCredential',
  answer: Fields({
    apis: List(
      Fields({
        name: Text({ description: '`<resource>.<group>`.' }),
        group: Text(),
        resource: Text(),
        kind: Text(),
        scope: word('Whether its objects lie in namespaces.', ['Namespaced', 'Cluster']),
        versions: List(Text(), { description: 'Served versions.' }),
        description: Optional(Text()),
        permissionClaims,
      }),
    ),
  }),
  attempts: 3,
});

/** What a login for a bundle yields, in place of a credential. */
export type EnrolmentGrant = Static<typeof enrolmentGrant>;

/** Like {@link redeemCode}, for a login that began for a bundle. */
export const redeemForBundle = endpoint({
  method: 'POST',
  path: 'bundle/redeem',
  caller: 'anyone',
  request: redemption,
  answer: enrolmentGrant,
  attempts: 3,
});

/** Like {@link bindMachine}, for a bundle. */
export const bundleForMachine = endpoint({
  method: 'POST',
  path: 'bundle',
  caller: 'accessToken',
  request: bindRequest,
  answer: enrolmentGrant,
  attempts: 5,
});

/** Like {@link finishDeviceLogin}, for a login that began for a bundle. */
export const finishDeviceLoginForBundle = endpoint({
  method: 'POST',
  path: 'bundle/device/token',
  caller: 'anyone',
  request: deviceQuestion,
  answer: enrolmentGrant,
  waiting: deviceWaiting,
  attempts: 5,
});

/**
 * Registers an app cluster by the enrolment token of a bundle, asks for the exports the bundle was made for, and issues a
 * credential. The same app cluster may repeat it until the token ends; no other can.
 */
export const exchangeEnrolment = endpoint({
  method: 'POST',
  path: 'enrol',
  caller: 'anyone',
  request: Fields({
    token: text('The enrolment token.'),
    clusterUID: objectUid,
    key: Text({
      description: 'What the app cluster made before it first presented the token. A secret.',
      minLength: 32,
      maxLength: 200,
    }),
  }),
  answer: Fields({
    namespace: text('Namespace of the app cluster on the control plane.'),
    kubeconfig: Text({ description: 'Kubeconfig for the control plane, in base 64.', minLength: 1 }),
  }),
});

const freshCredential = Fields(
  {
    session: Text({ description: 'As the login began with; empty without a browser.' }),
    namespace: text('Namespace of the app cluster on the control plane.'),
    kubeconfig: Text({ description: 'Kubeconfig for the control plane, in base 64.', minLength: 1 }),
  },
  { description: 'The only credential of an app cluster that works from now on.' },
);

/** What a login for an eviction yields. */
export type FreshCredential = Static<typeof freshCredential>;

/** Like {@link redeemCode}, for a login that began to end all credentials of an app cluster, which this does. */
export const redeemForEviction = endpoint({
  method: 'POST',
  path: 'evict/redeem',
  caller: 'anyone',
  request: redemption,
  answer: freshCredential,
});

/** Like {@link bindMachine}, to end all credentials of an app cluster that belongs to the tenant of the machine. */
export const evictForMachine = endpoint({
  method: 'POST',
  path: 'evict',
  caller: 'accessToken',
  request: bindRequest,
  answer: freshCredential,
});

/** Like {@link finishDeviceLogin}, for a login that began to end all credentials of an app cluster. */
export const finishDeviceLoginForEviction = endpoint({
  method: 'POST',
  path: 'evict/device/token',
  caller: 'anyone',
  request: deviceQuestion,
  answer: freshCredential,
  waiting: deviceWaiting,
});
