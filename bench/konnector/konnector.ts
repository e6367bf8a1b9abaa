import { bundleKonnector } from '../../test/konnector/konnector-child.ts';
import type { Figure } from '../harness/report.ts';
import { crowd } from './crowd.ts';
import { latency } from './latency.ts';
import { multitude } from './multitude.ts';
import { openStage, original } from './stage.ts';
import { startChild } from './start-child.ts';

/** The konnector between two real clusters: one object, a thousand at once, ten thousand at rest. */
export async function run(): Promise<readonly Figure[]> {
  const program = await bundleKonnector();
  const stage = await openStage();
  try {
    const child = await startChild(stage, program);
    await stage.side.condition(stage.api, 'Ready', 'True');
    // The first object of a namespace asks for its place on the control plane, which is not what is measured.
    await stage.app.admin.resource(stage.api.type).create(original(stage, 'first'));
    await stage.tenant.serviceNamespace(stage.namespace);
    const single = await latency(stage);
    const many = await crowd(stage);
    return [...single, ...many, ...(await multitude(stage, child, program))];
  } finally {
    await stage.close();
    await program.remove();
  }
}
