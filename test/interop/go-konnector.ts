import { CustomResourceDefinitions } from '@klutch/api';
import { eventually } from '@klutch/kube/testing';
import { act } from './actions.ts';
import { expectAsRecorded } from './as-recorded.ts';
import { isWrite, type RecordedRequest, requestsOf } from './recording.ts';
import { type Played, type Player, replay } from './replay.ts';
import type { Stage } from './stage.ts';

/** What was done while the Go konnector was recorded, in order. */
export const steps = [
  'CLI binds',
  'user creates widget w1 (first in namespace team-a)',
  'user edits spec.size',
  'user removes spec.tags',
  'provider sets status',
  'someone edits the copy',
  'provider creates a secret',
  'provider changes the secret',
  'user deletes the secret in the app cluster',
  'provider deletes the secret',
  'provider creates widget w2 (adoption)',
  'user deletes w1',
  'schema gains a field',
] as const;

export type Step = (typeof steps)[number];

/** Does what was done in a step, then plays what the Go konnector did about it; every answer must be as recorded. */
export async function playStep(step: Step, stage: Stage): Promise<void> {
  await act(step, stage);
  await playKonnector(step, stage);
}

async function playKonnector(step: Step, stage: Stage): Promise<void> {
  const { konnector, cast } = stage;
  for (const request of requestsOf('go-konnector.control-plane', step)) {
    expectAsRecorded(await answered(request, konnector.controlPlane), cast);
    await afterwards(request, stage);
  }
  for (const request of requestsOf('go-konnector.app-cluster', step)) {
    expectAsRecorded(await answered(request, konnector.app), cast);
    await afterwards(request, stage);
  }
}

/** Reads are repeated, as the konnector repeats them: rights and new kinds take a moment. */
async function answered(request: RecordedRequest, player: Player): Promise<Played> {
  if (isWrite(request)) return await replay(request, player);
  let last: Played | undefined;
  try {
    return await eventually(
      async () => {
        last = await replay(request, player);
        return last.status === request.status ? last : undefined;
      },
      { withinMs: 15_000, everyMs: 50 },
    );
  } catch (error) {
    if (last) return last;
    throw error;
  }
}

/** The Go konnector waits for some answers before it goes on. */
async function afterwards({ verb, uri, status }: RecordedRequest, stage: Stage): Promise<void> {
  if (verb !== 'create' || status !== 201) return;
  if (uri.endsWith('/apiservicenamespaces')) {
    stage.cast.assign('<service-namespace>', await stage.side.serviceNamespace(stage.appNamespace));
  }
  if (uri.endsWith('/customresourcedefinitions')) await established(stage);
}

async function established({ clusters, api }: Stage): Promise<void> {
  const crds = clusters.app.admin.resource(CustomResourceDefinitions);
  await eventually(
    async () =>
      (await crds.get({ name: api.name })).status?.conditions?.some(
        ({ type, status }) => type === 'Established' && status === 'True',
      ),
    { withinMs: 30_000, everyMs: 20 },
  );
}
