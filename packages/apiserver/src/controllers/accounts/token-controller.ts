import type { ApiObject } from '../../objects/api-object.ts';
import { keyOf } from '../../registry/served-resource.ts';
import type { Entry } from '../../storage/types.ts';
import { ifThere } from '../caller/expected-failure.ts';
import { controllerActor, createSystemCaller, placeOf, placeOfKey } from '../caller/system-caller.ts';
import { type ControllerContext, controllerLoop, onStop, type RunningController } from '../context.ts';
import { ACCOUNT_NAME, decideToken, filledSecret, TOKEN_SECRET_TYPE } from './decide-token.ts';

/** Signs the token that a Secret of type `kubernetes.io/service-account-token` is to hold. */
export type IssueSecretToken = (serviceAccount: ApiObject, secretName: string) => Promise<string>;

export interface TokenControllerOptions {
  readonly caCertificate: string;
  readonly issueToken: IssueSecretToken;
}

/** Fills Secrets for tokens of service accounts, and deletes them with their account. */
export function startTokenController(
  context: ControllerContext,
  { caCertificate, issueToken }: TokenControllerOptions,
): RunningController {
  const { world } = context;
  const { store, registry } = world;
  const caller = createSystemCaller(world, controllerActor('tokens-controller'));
  const secretType = () => registry.require('', 'v1', 'secrets');
  const accountType = () => registry.require('', 'v1', 'serviceaccounts');
  const loop = controllerLoop(context, 'serviceaccount-token', handle);

  async function handle(key: string): Promise<void> {
    const secret = store.get(secretType().bucket, key)?.object();
    if (!secret) return;
    const account = accountOf(secret);
    const step = decideToken(secret, account, caCertificate);
    if (step.do === 'delete') return remove(secret);
    if (step.do === 'fill' && account) await fill(key, secret, account, step.needsToken);
  }

  function accountOf({ metadata: { namespace, annotations } }: ApiObject): ApiObject | undefined {
    return store.get(accountType().bucket, keyOf(namespace, annotations?.[ACCOUNT_NAME] ?? ''))?.object();
  }

  async function remove(secret: ApiObject): Promise<void> {
    await ifThere(caller.remove(secretType(), placeOf(secret), { uid: secret.metadata.uid }));
  }

  async function fill(key: string, secret: ApiObject, account: ApiObject, needsToken: boolean): Promise<void> {
    const token = needsToken ? await issueToken(account, secret.metadata.name ?? '') : undefined;
    const isUnchanged = String(store.get(secretType().bucket, key)?.revision) === secret.metadata.resourceVersion;
    // What changed while the token was being signed has been announced and will be looked at anew.
    if (isUnchanged) await caller.replace(secretType(), filledSecret(secret, account, caCertificate, token));
  }

  const look = (entry: Entry) => {
    if (entry.json.includes(TOKEN_SECRET_TYPE)) loop.add(entry.key);
  };
  const onAccount = ({ key }: Entry) => {
    const { namespace } = placeOfKey(key);
    for (const secret of store.scan(secretType().bucket, { namespace })) look(secret);
  };

  onStop(
    context,
    store.watch(secretType().bucket, store.revision, ({ entry }) => look(entry)),
  );
  onStop(
    context,
    store.watch(accountType().bucket, store.revision, ({ type, entry }) => {
      if (type === 'DELETED') onAccount(entry);
    }),
  );
  for (const secret of store.scan(secretType().bucket)) look(secret);
  return { loop };
}
