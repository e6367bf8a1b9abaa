import { type ClusterRole, RBAC_BUCKETS, RBAC_GROUP, RBAC_VERSION, staleAggregations } from '../../authz/index.ts';
import type { Entry } from '../../storage/types.ts';
import { controllerActor, createSystemCaller } from '../caller/system-caller.ts';
import { type ControllerContext, controllerLoop, onStop, type RunningController } from '../context.ts';

const FIELD_MANAGER = 'clusterrole-aggregation-controller';

/** Keeps the rules of cluster roles that collect those of others. */
export function startAggregationController(context: ControllerContext): RunningController {
  const { world } = context;
  const { store } = world;
  const caller = createSystemCaller(world, controllerActor('clusterrole-aggregation-controller'));
  const parsed = new WeakMap<Entry, ClusterRole>();
  const loop = controllerLoop(context, 'clusterrole-aggregation', handle);

  /** One round; when it writes, the next one follows, as roles collect from roles that collect. */
  async function handle(): Promise<void> {
    const type = world.registry.require(RBAC_GROUP, 'v1', 'clusterroles');
    const stale = staleAggregations(store.scan(RBAC_BUCKETS.clusterRoles).map(parse));
    await Promise.all(
      stale.map(({ role, rules }) => {
        const metadata = { name: role.metadata.name };
        const applied = {
          apiVersion: RBAC_VERSION,
          kind: 'ClusterRole',
          metadata,
          ...(rules.length === 0 ? {} : { rules }),
        };
        return caller.apply(type, applied, FIELD_MANAGER);
      }),
    );
  }

  function parse(entry: Entry): ClusterRole {
    const role: ClusterRole = parsed.get(entry) ?? entry.object();
    parsed.set(entry, role);
    return role;
  }

  const start = () => loop.add('all');
  onStop(context, store.watch(RBAC_BUCKETS.clusterRoles, store.revision, start));
  start();
  return { loop };
}
