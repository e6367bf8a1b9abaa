import { type CompiledPolicy, compilePolicy } from '@klutch/cel';
import { keyOf } from '../registry/served-resource.ts';
import type { Entry, Store } from '../storage/types.ts';
import { BINDING_BUCKET, type Policy, POLICY_BUCKET, type PolicyBinding } from './policy-objects.ts';

/** A policy that is in force somewhere. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly PolicyBinding[];
  /** Compiles the policy when it is first needed. */
  compiled(): CompiledPolicy;
}

/** The policies in force: as stored at the moment of the call, so that a policy counts as soon as it is written. */
export function createPolicySource(store: Store): () => readonly BoundPolicy[] {
  const policies = new WeakMap<Entry, { readonly policy: Policy; readonly compiled: () => CompiledPolicy }>();
  const bindings = new WeakMap<Entry, PolicyBinding>();

  const bindingOf = (entry: Entry): PolicyBinding => {
    const known = bindings.get(entry) ?? (entry.object() as PolicyBinding);
    bindings.set(entry, known);
    return known;
  };
  const policyOf = (entry: Entry) => {
    const known = policies.get(entry) ?? readPolicy(entry);
    policies.set(entry, known);
    return known;
  };

  return () => {
    if (store.count(BINDING_BUCKET) === 0) return [];
    const byPolicy = new Map<string, PolicyBinding[]>();
    for (const binding of store.scan(BINDING_BUCKET).map(bindingOf)) {
      const { policyName = '' } = binding.spec;
      byPolicy.set(policyName, [...(byPolicy.get(policyName) ?? []), binding]);
    }
    return Array.from(byPolicy).flatMap(([name, bound]) => {
      const entry = store.get(POLICY_BUCKET, keyOf(undefined, name));
      return entry ? [{ ...policyOf(entry), bindings: bound }] : [];
    });
  };
}

function readPolicy(entry: Entry) {
  const policy = entry.object() as Policy;
  let compiled: CompiledPolicy | undefined;
  return { policy, compiled: () => (compiled ??= compilePolicy(policy.spec)) };
}
