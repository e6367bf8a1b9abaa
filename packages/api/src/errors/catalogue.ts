import type { ErrorEntry } from './error-entry.ts';
import { localErrors } from './local-errors.ts';
import { offerErrors } from './offer-errors.ts';

export type { ErrorEntry, ExitClass } from './error-entry.ts';

/** Every code a `KlutchError` can carry. Codes are stable: programs may match on them, documentation lists them. */
export const errorCatalogue = {
  KLUTCH_USAGE: {
    meaning: 'Arguments are missing, unknown, or contradict each other.',
    remedy: 'Correct the command line; `--help` lists what is possible.',
    exit: 'usage',
  },
  KLUTCH_REQUEST_INVALID: {
    meaning: 'A parameter or the body of an HTTP request is missing or malformed.',
    remedy: 'Correct the parameter the message names.',
    httpStatus: 400,
    exit: 'usage',
  },

  KLUTCH_INTERRUPTED: {
    meaning: 'The user ended a command before it was done.',
    remedy: 'Run the command again; it continues where it stopped.',
    exit: 'declined',
  },

  KLUTCH_FILE_FOREIGN: {
    meaning: 'A file that a command would write exists and was not written by it.',
    remedy: 'Choose another file, or remove it.',
    exit: 'conflict',
  },
  KLUTCH_FILE_UNWRITABLE: {
    meaning: 'A file that a command has to write cannot be read or written.',
    remedy: 'Choose a file in a folder that exists and that this user may write to.',
    exit: 'usage',
  },

  KLUTCH_PROVIDER_UNREACHABLE: {
    meaning: 'The address of the provider does not answer, or not with success.',
    remedy: 'Check the address, the network and the state of the backend.',
    exit: 'remote',
  },
  KLUTCH_PROVIDER_TIMEOUT: {
    meaning: 'The provider did not answer in time.',
    remedy: 'Try again later, or wait longer with `--timeout`.',
    exit: 'timeout',
  },
  KLUTCH_PROVIDER_UNTRUSTED: {
    meaning: 'The certificate of the provider is not signed by an authority that is trusted, or not for its address.',
    remedy: 'Name the certificates of its authority with `--backend-ca-file`.',
    exit: 'remote',
  },
  KLUTCH_PROVIDER_INSECURE: {
    meaning: 'Codes, tokens or secrets would be sent to another machine over plain http.',
    remedy: 'Use an https address; `--insecure-http` allows plain http for trials.',
    exit: 'usage',
  },
  KLUTCH_PROVIDER_INVALID: {
    meaning: 'The address answers, but not with the description of a provider that this version understands.',
    remedy: 'Use the address the operator published; it usually ends in `/export`.',
    exit: 'remote',
  },
  KLUTCH_PROVIDER_VERSION_UNSUPPORTED: {
    meaning: 'The provider names no version, or one that is too old.',
    remedy: 'Ask the operator to upgrade the backend to 0.3.0 or later.',
    exit: 'remote',
  },
  KLUTCH_PROVIDER_NO_LOGIN_METHOD: {
    meaning: 'The provider offers no way of logging in that this version knows.',
    remedy: 'Upgrade the command, or ask the operator to offer OAuth2CodeGrant.',
    exit: 'remote',
  },

  KLUTCH_LOGIN_TIMEOUT: {
    meaning: 'The login in the browser was not finished in time.',
    remedy: 'Run the command again and open the printed address.',
    exit: 'timeout',
  },
  KLUTCH_LOGIN_DENIED: {
    meaning: 'The identity provider refused the login.',
    remedy: 'Log in with an account that may use this provider.',
    httpStatus: 403,
    exit: 'authentication',
  },
  KLUTCH_LOGIN_STATE_INVALID: {
    meaning: 'A login came back altered, too late, twice, or in another browser.',
    remedy: 'Start the login again.',
    httpStatus: 400,
    exit: 'authentication',
  },
  KLUTCH_LOGIN_SESSION_MISMATCH: {
    meaning: 'An answer belongs to another login.',
    remedy: 'Start the login again; close other windows of the same login.',
    httpStatus: 400,
    exit: 'authentication',
  },
  KLUTCH_LOGIN_REDIRECT_REFUSED: {
    meaning: 'A login asks to be sent somewhere other than the machine of the user.',
    remedy: 'Use the command of Klutch to log in; do not follow links from elsewhere.',
    httpStatus: 400,
    exit: 'authentication',
  },
  KLUTCH_TOKEN_INVALID: {
    meaning: 'A token is expired, not signed by the issuer, or meant for somebody else.',
    remedy: 'Log in again; for machines, check issuer, client and scope.',
    httpStatus: 401,
    exit: 'authentication',
  },
  KLUTCH_ENROLMENT_INVALID: {
    meaning: 'An enrolment token has ended, was altered, or is of another backend.',
    remedy: 'Make the bundle again with `klutch bind <provider-url> --bundle`, and apply it.',
    httpStatus: 401,
    exit: 'authentication',
  },
  KLUTCH_BINDING_RESPONSE_INVALID: {
    meaning: 'The answer to a login is not a BindingResponse.',
    remedy: 'Run the command again; if it persists, compare the versions of command and backend.',
    httpStatus: 400,
    exit: 'remote',
  },

  KLUTCH_NOT_ENTITLED: {
    meaning: 'The user or tenant may not bind this API.',
    remedy: 'Ask the operator for access.',
    httpStatus: 403,
    exit: 'authorisation',
  },
  KLUTCH_PERMISSION_MISSING: {
    meaning: 'The credentials lack a right that the operation needs.',
    remedy: 'Have somebody with that right run the command, or grant it.',
    httpStatus: 403,
    exit: 'authorisation',
  },
  KLUTCH_RATE_LIMITED: {
    meaning: 'There were too many requests in a short time.',
    remedy: 'Wait as long as the answer says and try again.',
    httpStatus: 429,
    exit: 'remote',
  },
  KLUTCH_CLUSTER_IDENTITY_TAKEN: {
    meaning: 'Another tenant or cluster already uses this cluster identity.',
    remedy: 'Bind from the cluster that owns the identity, or ask the operator to release it.',
    httpStatus: 409,
    exit: 'conflict',
  },

  KLUTCH_ACCESS_REVOKED: {
    meaning: 'The operator has taken all access from an app cluster.',
    remedy: 'Ask the operator; the data of the app cluster is kept until it is purged.',
    httpStatus: 403,
    exit: 'authorisation',
  },
  KLUTCH_QUOTA_EXCEEDED: {
    meaning: 'A tenant has as many app clusters as it may have.',
    remedy: 'Have the operator remove those that are gone, or raise the limit.',
    httpStatus: 403,
    exit: 'authorisation',
  },
  KLUTCH_TENANT_UNDECIDED: {
    meaning: 'The user belongs to several tenants, or to none.',
    remedy: 'Name one of the tenants the message lists, or ask the operator to be made a member of one.',
    httpStatus: 403,
    exit: 'authorisation',
  },
  KLUTCH_SESSION_EXPIRED: {
    meaning: 'A login has expired, or was used already.',
    remedy: 'Start the login again.',
    httpStatus: 401,
    exit: 'authentication',
  },
  KLUTCH_FORM_FORGED: {
    meaning: 'A form did not come from the page that this backend showed.',
    remedy: 'Open the catalogue again from the command of Klutch.',
    httpStatus: 403,
    exit: 'authentication',
  },
  KLUTCH_ISSUER_UNREACHABLE: {
    meaning: 'The identity provider does not answer, so logins are not possible.',
    remedy: 'Try again later; the operator should check the address of the issuer.',
    httpStatus: 503,
    exit: 'remote',
  },
  KLUTCH_BACKEND_UNAVAILABLE: {
    meaning: 'The backend could not reach its control plane, or has not read it yet.',
    remedy: 'Try again in a moment; if it persists, ask the operator.',
    httpStatus: 503,
    exit: 'remote',
  },
  KLUTCH_INTERNAL: {
    meaning: 'The backend failed because of an internal error.',
    remedy: 'Try again; if it persists, have the operator read the log of the backend at that time.',
    httpStatus: 500,
    exit: 'remote',
  },
  KLUTCH_BACKEND_TOO_OLD: {
    meaning: 'The backend of the provider does not know what is asked of it.',
    remedy: 'Ask the operator to do it, or to upgrade the backend.',
    exit: 'remote',
  },
  KLUTCH_BACKEND_PORT_IN_USE: {
    meaning: 'Another process listens on the port of the backend.',
    remedy: 'Choose another address with `--listen-address` or `--operations-address`.',
    exit: 'conflict',
  },

  KLUTCH_API_NOT_OFFERED: {
    meaning: 'No template of the catalogue offers this API.',
    remedy: 'Choose an API of the catalogue, or ask the operator to add it.',
    httpStatus: 404,
    exit: 'remote',
  },
  KLUTCH_API_SCOPE_REFUSED: {
    meaning:
      'The provider cannot export the API in its consumer scope: it is cluster-scoped where only namespaced APIs are exported, or it has permission claims where app clusters see all namespaces.',
    remedy: 'Choose another API, or ask the operator for a provider with another consumer scope.',
    httpStatus: 403,
    exit: 'authorisation',
  },
  KLUTCH_ISOLATION_UNSUPPORTED: {
    meaning: 'The export asks for a way of isolating cluster-scoped objects that is not available.',
    remedy: 'Ask the provider to export the API with isolation Prefixed.',
    exit: 'remote',
  },

  KLUTCH_CRD_NOT_FOUND: {
    meaning: 'The control plane has no CustomResourceDefinition for the API.',
    remedy: 'Install the definition on the control plane, or remove the template that offers it.',
    httpStatus: 404,
    exit: 'remote',
  },
  KLUTCH_CRD_NOT_EXPORTABLE: {
    meaning: 'A CustomResourceDefinition of the control plane serves no version or lacks a schema.',
    remedy: 'Correct the definition as the message says.',
    exit: 'remote',
  },
  KLUTCH_CRD_STORAGE_NOT_SERVED: {
    meaning: 'The storage version of a CustomResourceDefinition is not served, so no app cluster could store objects.',
    remedy: 'Serve the storage version, or make a served version the storage version.',
    exit: 'remote',
  },
  KLUTCH_CRD_FOREIGN: {
    meaning: 'The app cluster has a CustomResourceDefinition of that name which this binding did not create.',
    remedy: 'Remove that definition after moving its objects, or do not bind this API here.',
    exit: 'conflict',
  },
  KLUTCH_CRD_REJECTED: {
    meaning: 'The app cluster refuses the CustomResourceDefinition of a bound API.',
    remedy: 'Read the reason in the message; the provider has to correct the definition.',
    exit: 'remote',
  },

  KLUTCH_EXPORT_NOT_FOUND: {
    meaning: 'The control plane has no export for a binding.',
    remedy: 'Bind the API again, or ask the provider whether it was withdrawn.',
    exit: 'remote',
  },
  KLUTCH_EXPORT_INVALID: {
    meaning: 'An export cannot be turned into a CustomResourceDefinition.',
    remedy: 'Ask the provider to correct the export.',
    exit: 'remote',
  },
  KLUTCH_EXPORT_REQUEST_INVALID: {
    meaning: 'A manifest is not an APIServiceExportRequest, or lacks a field.',
    remedy: 'Correct the field the message names.',
    httpStatus: 400,
    exit: 'usage',
  },
  KLUTCH_EXPORT_REQUEST_FAILED: {
    meaning: 'The provider could not fulfil an export request, or the request was deleted.',
    remedy: 'Read the reason in the message and try again.',
    exit: 'remote',
  },
  KLUTCH_EXPORT_REQUEST_TIMEOUT: {
    meaning: 'The provider did not answer an export request in time.',
    remedy: 'Try again later; if it persists, the backend does not work.',
    exit: 'timeout',
  },

  KLUTCH_KUBECONFIG_SECRET_NOT_FOUND: {
    meaning: 'The Secret with a kubeconfig does not exist.',
    remedy: 'Create the Secret, or bind again.',
    exit: 'remote',
  },
  KLUTCH_KUBECONFIG_SECRET_INVALID: {
    meaning:
      'A Secret holds no kubeconfig that can be used: key, current context, namespace or credentials are missing.',
    remedy: 'Replace its content by a complete kubeconfig without exec plugins and file references.',
    exit: 'remote',
  },
  KLUTCH_KONNECTOR_RUNNING: {
    meaning: 'A konnector runs although it has to be scaled to zero.',
    remedy: 'Stop the konnector that holds the lease the message names, then try again.',
    exit: 'conflict',
  },
  KLUTCH_KONNECTOR_DEPLOYMENT_FAILED: {
    meaning: 'The Deployment of a konnector could not be written.',
    remedy: 'Read the reason in the message; often an override or a missing right.',
    exit: 'remote',
  },

  KLUTCH_BINDING_EXISTS: {
    meaning: 'The API is already bound here through another connection.',
    remedy: 'Unbind it first; one app cluster binds an API once.',
    exit: 'conflict',
  },
  KLUTCH_BINDING_IN_USE: {
    meaning: 'An API cannot be unbound, nor an app cluster released, while objects exist.',
    remedy: 'Delete the objects the message lists, or force it and lose them.',
    httpStatus: 409,
    exit: 'conflict',
  },
  KLUTCH_BINDING_NOT_READY: {
    meaning: 'A binding did not become ready in time.',
    remedy: 'Look at its conditions; the message names the one that fails.',
    exit: 'timeout',
  },
  KLUTCH_DECLINED: {
    meaning: 'The user did not confirm the command.',
    remedy: 'Run the command again when you are sure.',
    exit: 'declined',
  },
  KLUTCH_CLAIM_REJECTED: {
    meaning: 'A permission claim without which the API does not work was rejected.',
    remedy: 'Accept the permission claim, or do not bind the API.',
    exit: 'declined',
  },
  KLUTCH_CLAIM_UNDECIDED: {
    meaning: 'There are permission claims to decide, and no terminal to ask on.',
    remedy: 'Decide on the command line with `--accept-claims`.',
    exit: 'usage',
  },

  KLUTCH_NAMESPACE_FOREIGN: {
    meaning: 'A namespace of that name exists and does not belong to this app cluster.',
    remedy: 'Ask the operator to resolve the collision; nothing was changed.',
    httpStatus: 409,
    exit: 'conflict',
  },
  KLUTCH_NAMESPACE_UNMAPPABLE: {
    meaning: 'A namespace of the app cluster cannot have a counterpart on the control plane.',
    remedy: 'Use a namespace with another, shorter name.',
    exit: 'remote',
  },
  KLUTCH_DELETION_HELD: {
    meaning: 'So many objects were deleted at once that their copies are kept until somebody confirms.',
    remedy: 'Check that the app cluster is the right one and complete, then confirm the deletion.',
    exit: 'conflict',
  },

  ...localErrors,
  ...offerErrors,
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type KlutchErrorCode = keyof typeof errorCatalogue;

/** The entry of a code. */
export function errorEntry(code: KlutchErrorCode): ErrorEntry {
  return errorCatalogue[code];
}
