import type { Rule } from '../roles/app-cluster-rules.ts';
import { guardTypes } from './guard-types.ts';

/**
 * What a konnector needs to let the guard of this name go: RBAC has no right for the finalizer alone, so it could change
 * that one policy and its binding, and no other.
 */
export function guardRules(guard: string): readonly Rule[] {
  const resources = guardTypes.map(({ plural }) => plural);
  const apiGroups = [...new Set(guardTypes.map(({ group }) => group))];
  return [
    { apiGroups, resources, verbs: ['list', 'watch'] },
    { apiGroups, resources, verbs: ['patch'], resourceNames: [guard] },
  ];
}
