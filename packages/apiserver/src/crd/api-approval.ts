import { invalid, required } from '../schema/fields/field-error.ts';
import type { FieldCause } from '../status/status-error.ts';
import type { Crd } from './crd.ts';

const annotation = 'api-approved.kubernetes.io';

/** Pure: groups of the Kubernetes community need its approval, or the confession that there is none. */
export function approvalProblems(crd: Crd, old: Crd | undefined): readonly FieldCause[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(crd.spec.group ?? '')) return [];
  const text = crd.metadata.annotations?.[annotation] ?? '';
  const state = stateOf(text);
  if (old && stateOf(old.metadata.annotations?.[annotation] ?? '') === state) return [];
  const field = `metadata.annotations[${annotation}]`;
  const must = `protected groups must have approval annotation "${annotation}"`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (state === 'missing') return [required(field, `${must}, ${see}`)];
  if (state === 'given') return [];
  return [invalid(field, text, `${must} with either a URL or a reason starting with "unapproved", ${see}`)];
}

function stateOf(text: string): 'missing' | 'given' | 'invalid' {
  if (text === '') return 'missing';
  return text.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text) ? 'given' : 'invalid';
}
