import { isDeepStrictEqual } from 'node:util';
import { labels } from '@klutch/api';
import type { KubeList, UnknownObject } from '@klutch/kube';
import { type Author, shownIn } from './author.ts';
import { isAmong } from './outcomes.ts';
import type { Reporter } from './reporter.ts';
import type { Story } from './story.ts';
import { claimView, copiedClaimView, reportView, secretView, type View } from './view.ts';
import { SecretType, type World } from './world.ts';

/** The objects of a story, by name, as the two clusters show them. */
export interface Observed {
  readonly claims: Objects;
  readonly copies: Objects;
  /** The provider's Secrets. */
  readonly secrets: Objects;
  /** The copies of these in the app cluster. */
  readonly received: Objects;
}

type Objects = ReadonlyMap<string, UnknownObject>;

/** How the two sides of a story differ from what user and provider wrote last; nothing when all is well. */
export async function differences(world: World, story: Story): Promise<readonly string[]> {
  const observed = await observe(world, story);
  return compare(observed, story).map((difference) => `${story.appNamespace}/${difference}`);
}

/** Pure: how both sides differ from what was written. */
export function compare(
  { claims, copies, secrets, received }: Observed,
  { user, provider, giver }: Pick<Story, 'user' | 'provider' | 'giver'>,
): readonly string[] {
  const names = (...sides: readonly Objects[]) => [...new Set(sides.flatMap((side) => [...side.keys()]))].sort();
  return [
    ...[...new Set([...names(claims, copies), ...user.names()])].flatMap((name) => [
      ...asWritten(`claim ${name}`, user.outcomes(name), claims.get(name), claimView),
      ...compareCopy(name, claims.get(name), copies.get(name), provider),
    ]),
    ...[...new Set([...names(secrets, received), ...giver.names()])].flatMap((name) => [
      ...asWritten(`Secret ${name}`, giver.outcomes(name), secrets.get(name), secretView),
      ...compareSecret(name, secrets.get(name), received.get(name)),
    ]),
  ];
}

function asWritten(
  what: string,
  outcomes: ReturnType<Author['outcomes']>,
  object: UnknownObject | undefined,
  view: View,
): readonly string[] {
  const shown = object && shownIn(object, view);
  if (isAmong(outcomes, shown)) return [];
  return [`${what} is ${JSON.stringify(shown ?? 'absent')}, but was last written as ${JSON.stringify(outcomes)}`];
}

function compareCopy(
  name: string,
  claim: UnknownObject | undefined,
  copy: UnknownObject | undefined,
  provider: Reporter,
): readonly string[] {
  if (claim === undefined) return copy ? [`copy ${name}: has no claim`] : [];
  if (copy === undefined) return [`claim ${name}: has no copy`];
  return [
    ...(copy.metadata.deletionTimestamp === undefined ? [] : [`copy ${name}: is being deleted`]),
    ...unequal(`copy ${name} against its claim`, copiedClaimView(copy), claimView(claim)),
    ...unequal(`status of claim ${name} against its copy`, claim['status'], copy['status']),
    ...asWritten(`report on ${name}`, provider.outcomes(name, copy.metadata.uid), copyOf(copy), reportView),
  ];
}

/** The copy without its end, which is told apart. */
function copyOf(copy: UnknownObject): UnknownObject {
  return { ...copy, metadata: { ...copy.metadata, deletionTimestamp: undefined } };
}

function compareSecret(
  name: string,
  secret: UnknownObject | undefined,
  received: UnknownObject | undefined,
): readonly string[] {
  if (secret === undefined) return received ? [`Secret ${name}: only in the app cluster`] : [];
  if (received === undefined) return [`Secret ${name}: has no copy`];
  return unequal(`copy of Secret ${name}`, received['data'], secret['data']);
}

function unequal(what: string, one: unknown, other: unknown): readonly string[] {
  if (isDeepStrictEqual(one, other)) return [];
  return [`${what}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`];
}

async function observe({ app, controlPlane, api }: World, story: Story): Promise<Observed> {
  const { appNamespace, serviceNamespace } = story;
  const labelSelector = `${labels.claimedFrom}=Provider`;
  const [claims, copies, secrets, received] = await Promise.all([
    byName(app.admin.resource(api.type).list({ namespace: appNamespace })),
    byName(controlPlane.admin.resource(api.type).list({ namespace: serviceNamespace })),
    byName(controlPlane.admin.resource(SecretType).list({ namespace: serviceNamespace })),
    byName(app.admin.resource(SecretType).list({ namespace: appNamespace, labelSelector })),
  ]);
  return { claims, copies, secrets, received };
}

async function byName(list: Promise<Pick<KubeList<UnknownObject>, 'items'>>): Promise<Objects> {
  const { items } = await list;
  return new Map(items.map((item) => [item.metadata.name ?? '', item]));
}
