import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { addBackendOperations } from './backend-operations.ts';
import { addBackendOverview } from './backend-overview.ts';
import { ComponentCommand } from './component-command.ts';

/** `klutch backend` */
export function addBackend(program: Command, terminal: Terminal): void {
  const command = new ComponentCommand(
    'backend',
    'control-plane-mode|allow-all-users|insecure-http|log-(?:text|json)-split-stream',
  )
    .copyInheritedSettings(program)
    .showHelpAfterError('Try `klutch backend --help`.')
    .description(
      'Run the backend of a control plane: login, tenants, credentials and exports, over HTTP and in controllers.',
    )
    .addHelpText('after', environment);
  for (const [heading, flags] of Object.entries(flagGroups)) {
    for (const [flag, text] of flags) command.addOption(new Option(flag, text).helpGroup(heading));
  }
  for (const flag of hidden) command.addOption(new Option(flag).hideHelp());
  command.action(async () => {
    const { runBackend } = await import('./backend/run.ts');
    await runBackend(command.given, process.env, terminal);
  });
  addBackendOperations(command, terminal);
  addBackendOverview(command, terminal);
  program.addCommand(command);
}

type Flag = readonly [flag: string, text: string];

const flagGroups: Readonly<Record<string, readonly Flag[]>> = {
  'Control plane:': [
    ['--kubeconfig <file>', "the control plane (default: KUBECONFIG, ~/.kube/config, the pod's service account)"],
    [
      '--namespace <name>',
      'namespace of the backend itself, for its lease (default: POD_NAMESPACE, that of the kubeconfig, else bind)',
    ],
    [
      '--tenant-role <name>',
      'ClusterRole that the backend binds to itself in namespaces it makes (default: klutch-backend-tenant)',
    ],
    ['--pretty-name <text>', 'what the provider is called on pages and in bindings (default: Klutch)'],
    ['--namespace-prefix <text>', 'prefix of the names of cluster namespaces (default: cluster)'],
    ['--consumer-scope <scope>', 'what app clusters may reach: Namespaced or Cluster (default: Namespaced)'],
    ['--cluster-scoped-isolation <kind>', 'for cluster-scoped APIs: Prefixed, Namespaced or None (default: Prefixed)'],
  ],
  'What app clusters get:': [
    [
      '--external-address <url>',
      'the API server of the control plane as app clusters reach it (default: as this process does; required in a pod)',
    ],
    ['--external-ca-file <file>', 'its certificates (default: those that this process uses)'],
    ['--external-server-name <name>', 'name that its certificate must have (default: the host of the address)'],
    ['--token-lifetime <time>', 'how long credentials are good for; they are renewed half-way (default: 7d)'],
    ['--token-grace <time>', 'how long a replaced credential remains valid (default: 1h)'],
    [
      '--app-cluster-expiry <time>',
      'how long an app cluster may be silent before its access ends, after a warning; its data stays; 0: never (default: 90d)',
    ],
    ['--max-clusters-per-tenant <number>', 'app clusters that a tenant may bind (default: 50)'],
    ['--max-namespaces-per-cluster <number>', 'namespaces that an app cluster may use (default: 200)'],
    [
      '--max-objects-per-namespace <number>',
      'objects of each type that an app cluster may create in each of its namespaces (default: 1000)',
    ],
  ],
  'Web server:': [
    ['--external-url <url>', 'where browsers and CLIs reach this backend (default: next to --oidc-callback-url)'],
    ['--listen-address <address>', 'address and port to listen on (default: 127.0.0.1:8080)'],
    [
      '--operations-address <address>',
      'address and port for health and metrics, which are not on --listen-address (default: 127.0.0.1:8081)',
    ],
    ['--tls-cert-file <file>', 'certificate to serve https with; read again when it changes (default: serve http)'],
    ['--tls-key-file <file>', 'its key (default: serve http)'],
    ['--insecure-http', 'allow http:// for addresses that are not of this machine (default: refuse)'],
    ['--trusted-proxies <networks>', 'proxies that are trusted to tell the address of a client (default: none)'],
    ['--requests-per-minute <number>', 'binds, logins and the like of one person or machine (default: 60)'],
    ['--requests-per-minute-per-address <number>', 'requests from one address (default: 600)'],
    [
      '--cookie-signing-key-file <file>',
      'base64 of 32 random bytes or more, the same in all replicas; of several lines the first seals and all open; read again when it changes (default: COOKIE_SIGNING_KEY)',
    ],
    [
      '--cookie-encryption-key-file <file>',
      'base64 of 16, 24 or 32 more bytes (default: COOKIE_ENCRYPTION_KEY, or none)',
    ],
  ],
  'Login:': [
    ['--oidc-issuer-url <url>', 'the OpenID Connect issuer (required, except in control-plane mode)'],
    ['--oidc-issuer-client-id <id>', 'client id of this backend (required with an issuer)'],
    [
      '--oidc-client-secret-file <file>',
      'file with the secret of the client; of several lines the issuer is offered one after the other; read again when it changes (default: OIDC_CLIENT_SECRET)',
    ],
    ['--oidc-callback-url <url>', 'where the issuer sends browsers back to (default: <external-url>/callback)'],
    ['--oidc-authorize-url <url>', 'where browsers begin (default: <external-url>/authorize)'],
    ['--oidc-ca-file <file>', 'certificates of the issuer (default: those that the system trusts)'],
    ['--oidc-scopes <scopes>', 'scopes to ask for, separated by commas (default: openid,profile,email)'],
    ['--oidc-additional-client-ids <ids>', 'other clients whose ID tokens are accepted (default: none)'],
  ],
  'Who may bind:': [
    ['--allowed-users <users>', 'by subject or e-mail address, separated by commas; repeatable (default: nobody)'],
    ['--allowed-groups <groups>', 'by group, separated by commas; repeatable (default: nobody)'],
    ['--allow-all-users', 'let every account of the issuer bind (default: only those who are named)'],
    ['--groups-claim <claim>', 'claim of the ID token with the groups (default: groups)'],
    [
      '--tenant-groups <pattern>',
      'groups that are tenants, such as team-(.+), where the brackets hold the name (default: everybody is one)',
    ],
    [
      '--machine-clients <clients>',
      'client ids of machines, each with =<tenant> if need be; repeatable (default: none)',
    ],
    ['--machine-scope <scope>', 'scope that tokens of machines must have (default: klutch/bind)'],
    [
      '--machine-audience <audiences>',
      'audiences of which tokens of machines must name one; none accepts tokens that name no audience (default: the client id and the external URL)',
    ],
  ],
  'Control-plane mode:': [
    ['--control-plane-mode', 'serve AppClusterBindings, too; no login is needed then (default: no)'],
    ['--konnector-image <image>', 'image of konnectors on the control plane (default: the one of this version)'],
    ['--konnector-images <prefixes>', 'other images that AppClusterBindings may name; repeatable (default: none)'],
  ],
  'Replicas:': [
    [
      '--lease-name <name>',
      'name of the lease; of all replicas with the same lease, one runs the controllers (default: klutch-backend)',
    ],
  ],
  'Logs:': [
    ['--log-level <level>', 'debug, info, warn or error (default: LOG_LEVEL, else info)'],
    ['--log-format <format>', 'json or pretty (default: pretty in a terminal, else json)'],
    ['-v, --v <number>', 'as in Go components: 4 and more is --log-level debug'],
    ['--logging-format <format>', 'as in Go components: json, or text for pretty'],
  ],
};

/** Flags that are accepted, so that old Deployments keep working: some show secrets to others, some are old, some do nothing. */
const hidden = [
  '--oidc-issuer-client-secret <secret>',
  '--cookie-signing-key <key>',
  '--cookie-encryption-key <key>',
  '--listen-ip <address>',
  '--listen-port <port>',
  '--testing-auto-select <api>',
  '--vmodule <patterns>',
  '--log-flush-frequency <time>',
  '--log-text-split-stream',
  '--log-text-info-buffer-size <size>',
  '--log-json-split-stream',
  '--log-json-info-buffer-size <size>',
];

const environment = `
Environment:
  COOKIE_ENCRYPTION_KEY, COOKIE_SIGNING_KEY, OIDC_CLIENT_SECRET
                 see the flags whose names end in -file
  KUBECONFIG     kubeconfig files, as kubectl reads them
  LOG_LEVEL      see --log-level
  POD_NAME       names this replica in its lease and Events (default: the host name)
  POD_NAMESPACE  see --namespace

Health is at /healthz, /livez and /readyz of --operations-address, metrics are at /metrics there; --listen-address has
/healthz only. Ctrl-C ends it in good order, a second one at once.
All flags of the Go backend are accepted; --oidc-issuer-client-secret, --cookie-signing-key and --cookie-encryption-key
show secrets to whoever sees the processes of the machine.`;
