import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { certificateSource } from './certificate-source.ts';
import type { CredentialSource } from './credentials.ts';
import { type CredentialDeps, withDefaults } from './deps.ts';
import { execSource } from './exec-source.ts';
import { fixedSource } from './fixed-source.ts';
import { headerSource } from './header-source.ts';

/**
 * The credentials a configuration describes. Token and certificate files are followed as they change on disk; an exec
 * plugin runs when its credentials are needed, and again before they expire. Nothing runs in the background, so there is
 * nothing to close.
 */
export function createCredentialSource(config: ClusterConfig, deps: CredentialDeps = {}): CredentialSource {
  const { auth } = config;
  const resolved = withDefaults(deps);
  switch (auth.kind) {
    case 'none':
      return fixedSource({});
    case 'token':
    case 'tokenFile':
    case 'basic':
      return headerSource(auth, resolved.now);
    case 'certificate':
      return auth.header
        ? both(certificateSource(auth, resolved), headerSource(auth.header, resolved.now))
        : certificateSource(auth, resolved);
    case 'exec':
      return execSource(config, auth.plugin, resolved);
  }
}

function both(certificate: CredentialSource, header: CredentialSource): CredentialSource {
  return {
    current: async (signal) => {
      const [pair, authorization] = await Promise.all([certificate.current(signal), header.current(signal)]);
      return { ...pair, ...authorization };
    },
    invalidate: () => {
      certificate.invalidate();
      header.invalidate();
    },
  };
}
