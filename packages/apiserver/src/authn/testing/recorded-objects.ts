import { readFileSync } from 'node:fs';

import type { ApiObject, Metadata } from '../../objects/api-object.ts';
import type { TokenObjects } from '../token-objects.ts';

/** Issuer and audience of the server the recordings were made with. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

interface RecordedFacts {
  /** Seconds since 1970 at which tokens were judged. */
  readonly now: number;
  readonly uids: { readonly account: string; readonly secret: string; readonly pod: string; readonly node: string };
  readonly deletingUid: string;
}

/** When and of what the recordings about tokens speak. */
export const RECORDED: RecordedFacts = JSON.parse(
  readFileSync(new URL('../recorded/token-objects.json', import.meta.url), 'utf8'),
);

/** The objects that server had. @param secrets tokens of Secrets by name */
export function recordedObjects(secrets: Readonly<Record<string, string>> = {}): TokenObjects {
  const { uids, deletingUid, now } = RECORDED;
  const objects: Readonly<Record<string, ApiObject>> = {
    'serviceaccount a/robot': object({ name: 'robot', namespace: 'a', uid: uids.account }),
    'serviceaccount a/deleting': object({
      name: 'deleting',
      namespace: 'a',
      uid: deletingUid,
      deletionTimestamp: new Date((now - 1) * 1_000).toISOString(),
    }),
    'secret a/anchor': object({ name: 'anchor', namespace: 'a', uid: uids.secret }),
    'secret a/legacy': object({ name: 'legacy', namespace: 'a' }, { data: tokenData(secrets.legacy) }),
    'secret a/marked': object(
      { name: 'marked', namespace: 'a', labels: { 'kubernetes.io/legacy-token-invalid-since': '2024-01-01' } },
      { data: tokenData(secrets.marked) },
    ),
    'pod a/p1': object(
      { name: 'p1', namespace: 'a', uid: uids.pod },
      { spec: { serviceAccountName: 'robot', nodeName: 'n1' } },
    ),
    'pod a/p2': object({ name: 'p2', namespace: 'a', uid: 'p2' }, { spec: { serviceAccountName: 'default' } }),
    'node n1': object({ name: 'n1', uid: uids.node }),
  };
  return {
    serviceAccount: (namespace, name) => objects[`serviceaccount ${namespace}/${name}`],
    secret: (namespace, name) => objects[`secret ${namespace}/${name}`],
    pod: (namespace, name) => objects[`pod ${namespace}/${name}`],
    node: (name) => objects[`node ${name}`],
  };
}

function object(metadata: Metadata, fields: object = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'Any', metadata, ...fields };
}

function tokenData(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { token: Buffer.from(token).toString('base64') };
}
