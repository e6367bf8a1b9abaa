import { KubeError, isKubeError } from '../errors/kube-error.ts';
import type { KubeErrorCode } from '../errors/codes.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { timedOut } from './deadline.ts';
import type { KubeRequest } from './types.ts';

interface Target extends Pick<ClusterConfig, 'server' | 'source'> {
  /** The proxy on the way, without credentials. */
  readonly proxyName?: string;
}

/** Turns whatever a connection failed with into a {@link KubeError} that says what to do. */
export function connectionError(error: unknown, request: KubeRequest, target: Target, limitMs?: number): KubeError {
  if (isKubeError(error)) return error;
  const { object } = request.about;
  if (error === timedOut) {
    const within = limitMs === undefined ? 'in time' : `within ${limitMs} ms`;
    const message = `${target.server} did not answer ${within} (${request.about.verb} ${object}). The request may still have been carried out; check, then try again.`;
    return new KubeError('KUBE_TIMEOUT', message, { object });
  }
  const code = codeOf(error);
  if (request.signal?.aborted || code === 'ABORT_ERR' || code === 'UND_ERR_DESTROYED') {
    return new KubeError('KUBE_ABORTED', `Cancelled: ${request.about.verb} ${object}.`, { object, cause: error });
  }
  const { kubeCode, hint } = diagnose(code);
  const way = target.proxyName === undefined ? '' : ` through the proxy ${target.proxyName}`;
  const message = `Cannot talk to ${target.server}${way} (${target.source}): ${reasonOf(error, code)}. ${hint}`;
  return new KubeError(kubeCode, message, { object, reason: code, cause: error });
}

interface Diagnosis {
  readonly kubeCode: KubeErrorCode;
  readonly hint: string;
}

const untrusted: Diagnosis = {
  kubeCode: 'KUBE_TLS_UNTRUSTED',
  hint: "The server's certificate is not signed by the configured certificate authority: check certificate-authority-data of the kubeconfig.",
};

const diagnoses: Readonly<Record<string, Diagnosis>> = {
  ECONNREFUSED: {
    kubeCode: 'KUBE_UNREACHABLE',
    hint: 'Nothing listens there: check the address and that the API server runs.',
  },
  ENOTFOUND: {
    kubeCode: 'KUBE_UNREACHABLE',
    hint: 'The host name does not resolve: check the server field of the kubeconfig and your DNS.',
  },
  EAI_AGAIN: { kubeCode: 'KUBE_UNREACHABLE', hint: 'The host name could not be resolved right now: check your DNS.' },
  EHOSTUNREACH: {
    kubeCode: 'KUBE_UNREACHABLE',
    hint: 'There is no route to the host: check network, VPN and firewall.',
  },
  ENETUNREACH: {
    kubeCode: 'KUBE_UNREACHABLE',
    hint: 'There is no route to the network: check network, VPN and firewall.',
  },
  UND_ERR_CONNECT_TIMEOUT: {
    kubeCode: 'KUBE_UNREACHABLE',
    hint: 'No connection within 10 s: check network, VPN and firewall.',
  },
  UND_ERR_HEADERS_TIMEOUT: {
    kubeCode: 'KUBE_TIMEOUT',
    hint: 'The server accepted the request but did not answer in time.',
  },
  // The caller did not abort, so the proxy did.
  UND_ERR_ABORTED: {
    kubeCode: 'KUBE_UNREACHABLE',
    hint: 'The proxy refuses to connect: check proxy-url of the kubeconfig, with user and password.',
  },
  UND_ERR_INVALID_ARG: {
    kubeCode: 'KUBE_INVALID',
    hint: 'The request cannot be put on the wire: look for line breaks in user agent, token, impersonation.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_REJECTED: untrusted,
  CERT_REVOKED: untrusted,
  CERT_CHAIN_TOO_LONG: untrusted,
  PATH_LENGTH_EXCEEDED: untrusted,
  INVALID_PURPOSE: untrusted,
  INVALID_CA: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    kubeCode: 'KUBE_TLS_UNTRUSTED',
    hint: 'The certificate is for another host name: use a name it carries, or set tls-server-name in the kubeconfig.',
  },
  UND_ERR_PRX_TLS: {
    kubeCode: 'KUBE_TLS_UNTRUSTED',
    hint: 'The certificate of the proxy is for another host name: check proxy-url of the kubeconfig.',
  },
  CERT_HAS_EXPIRED: {
    kubeCode: 'KUBE_TLS_EXPIRED',
    hint: "The server's certificate has expired: renew it, or check the clock of this machine.",
  },
  CERT_NOT_YET_VALID: {
    kubeCode: 'KUBE_TLS_EXPIRED',
    hint: "The server's certificate is not valid yet: check the clocks of both machines.",
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    kubeCode: 'KUBE_NOT_KUBERNETES',
    hint: 'The server does not speak TLS on this port: check scheme and port of the address.',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    kubeCode: 'KUBE_NOT_KUBERNETES',
    hint: 'The server does not speak TLS on this port: check scheme and port of the address.',
  },
  HPE_INVALID_CONSTANT: {
    kubeCode: 'KUBE_NOT_KUBERNETES',
    hint: 'The server does not speak HTTP: check scheme and port of the address.',
  },
};

function diagnose(code: string): Diagnosis {
  const known = diagnoses[code];
  if (known) return known;
  if (code.startsWith('HPE_'))
    return {
      kubeCode: 'KUBE_NOT_KUBERNETES',
      hint: 'The server does not speak HTTP: check scheme and port of the address.',
    };
  if (code.includes('ALERT_CERTIFICATE_EXPIRED')) {
    return {
      kubeCode: 'KUBE_TLS_EXPIRED',
      hint: 'The server says that the client certificate has expired: get a new kubeconfig.',
    };
  }
  if (code.includes('_ALERT_')) {
    return {
      kubeCode: 'KUBE_TLS_CLIENT_REJECTED',
      hint: 'The server refused the TLS handshake: check the client certificate of the kubeconfig.',
    };
  }
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_OSSL')) {
    return {
      kubeCode: 'KUBE_TLS_CLIENT_REJECTED',
      hint: 'TLS could not be set up: check certificates and keys of the kubeconfig.',
    };
  }
  return { kubeCode: 'KUBE_UNREACHABLE', hint: 'The connection broke; try again.' };
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('name' in error && error.name === 'AbortError') return 'ABORT_ERR';
  // Happy-eyeballs connects fail with one error per address.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : 'UNKNOWN';
}

function reasonOf(error: unknown, code: string): string {
  if (error instanceof Error && error.message !== '') return error.message.replace(/\s+/g, ' ').replace(/[.: ]+$/, '');
  return code;
}
