import { parse } from 'yaml';
import { type Address, type Answer, type Client, createClient, type Credentials } from './client.ts';
import type { CertificateUser, RunningTarget } from './targets.ts';

/** A server under test, and everybody who talks to it. */
export interface Server extends Address {
  /** Member of `system:masters`: may do everything. */
  readonly admin: Client;
  /** Without any credentials. */
  readonly anonymous: Client;
  /** A user with a client certificate. The same user gets the same client again. */
  as(user: CertificateUser): Promise<Client>;
  /** Whoever the bearer token belongs to. */
  withToken(token: string): Client;
  /** A kubeconfig of the administrator or of another user, as text. */
  kubeconfig(user?: CertificateUser): Promise<string>;
  /** Creates a namespace of this exact name. The name must belong to one test file. */
  createNamespace(name: string): Promise<void>;
  close(): Promise<void>;
}

const administrator: CertificateUser = { name: 'admin', groups: ['system:masters'] };

/** @param onAnswer sees every answer that any client gets */
export async function connectTo(target: RunningTarget, onAnswer: (answer: Answer) => void): Promise<Server> {
  const { url, caCertificate } = target;
  const clients = new Map<string, Promise<Client>>();
  const client = (credentials: Credentials) => createClient({ url, caCertificate }, credentials, onAnswer);
  const known = (key: string, make: () => Promise<Client>): Promise<Client> => {
    const made = clients.get(key) ?? make();
    clients.set(key, made);
    return made;
  };
  const as = (user: CertificateUser) =>
    known(JSON.stringify(user), async () => client(certificateIn(await target.kubeconfig(user))));
  const admin = await as(administrator);
  const anonymous = client({});

  return {
    url,
    caCertificate,
    admin,
    anonymous,
    as,
    withToken: (token) => {
      const made = client({ token });
      clients.set(`token ${clients.size}`, Promise.resolve(made));
      return made;
    },
    kubeconfig: (user = administrator) => target.kubeconfig(user),
    createNamespace: async (name) => {
      await admin.create('/api/v1/namespaces', { metadata: { name } });
    },
    close: async () => {
      for (const made of await Promise.all(clients.values())) made.close();
      anonymous.close();
      await target.stop();
    },
  };
}

interface Kubeconfig {
  readonly users: readonly [
    { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } },
  ];
}

/** The client certificate of a kubeconfig. */
export function certificateIn(kubeconfig: string): Credentials {
  const { user } = (parse(kubeconfig) as Kubeconfig).users[0];
  const decoded = (text: string) => Buffer.from(text, 'base64').toString();
  return { certificate: decoded(user['client-certificate-data']), key: decoded(user['client-key-data']) };
}
