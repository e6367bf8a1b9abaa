import { localApiServices } from '../../discovery/api-services.ts';
import { ifPossible, ifThere } from '../caller/expected-failure.ts';
import { API_SERVER, createSystemCaller } from '../caller/system-caller.ts';
import { type ControllerContext, controllerLoop, onStop, type RunningController } from '../context.ts';
import { decideApiServices } from './decide.ts';

/** Keeps an APIService for every group and version that is served, as clients expect. Nothing depends on them. */
export function startApiServiceController(context: ControllerContext): RunningController {
  const { world } = context;
  const { store, registry } = world;
  const caller = createSystemCaller(world, API_SERVER);
  const type = registry.require('apiregistration.k8s.io', 'v1', 'apiservices');
  const loop = controllerLoop(context, 'apiservices', handle);

  async function handle(): Promise<void> {
    const stored = store.scan(type.bucket).map((entry) => entry.object());
    const { create, replace, remove } = decideApiServices(localApiServices(registry), stored);
    await Promise.all([
      ...create.map((service) => ifPossible(caller.create(type, service))),
      ...replace.map((service) => ifThere(caller.replace(type, service))),
      ...remove.map((name) => ifThere(caller.remove(type, { name }))),
    ]);
  }

  const look = () => loop.add('all');
  onStop(context, context.typeChanges.subscribe(look));
  onStop(context, store.watch(type.bucket, store.revision, look));
  look();
  return { loop };
}
