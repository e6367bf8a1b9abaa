import type { Offer, Refusal } from './catalogue.ts';

/** What is known when it is decided whether a tenant keeps its rights to an API. */
export interface WithdrawalEvidence {
  readonly verdict: Offer | Refusal;
  /** Whether all templates of the control plane can be read at the moment. */
  readonly isReadable: boolean;
  /** Milliseconds for which no template has offered the API while all of them could be read. */
  readonly missingForMs: number;
}

/**
 * Milliseconds for which an API may be without a template before rights end: tools that replace a template delete it and
 * create it anew.
 */
export const templateGraceMs = 60_000;

/**
 * Pure: why the rights of a tenant to an API end; undefined when they do not. A template that does not name the tenant, or
 * whose API has another scope or permission claims that its scope forbids, is evidence at once. A missing template is evidence only while templates can be read, and
 * after a grace period. A missing CRD ends the export itself.
 */
export function withdrawalOf({ verdict, isReadable, missingForMs }: WithdrawalEvidence): Refusal | undefined {
  if (typeof verdict !== 'string' || verdict === 'CRDNotFound') return undefined;
  if (verdict !== 'NotExported') return verdict;
  return isReadable && missingForMs >= templateGraceMs ? verdict : undefined;
}
