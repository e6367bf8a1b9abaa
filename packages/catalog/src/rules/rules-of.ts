import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { isService } from '../render/offers.ts';
import { celOf } from './cel-of.ts';
import { immutable } from './immutable.ts';
import { offered } from './offered.ts';
import { onlyWith } from './only-with.ts';
import { planChange } from './plan-change.ts';
import { requirements } from './requirements.ts';
import type { Rule } from './rule.ts';

/** What claims of an offer must fulfil, beyond what the schemas of their fields say. */
export function rulesOf(offer: Service | Operation, catalogue: Catalogue): readonly Rule[] {
  return distinct([
    ...offered(offer, catalogue),
    ...immutable(offer),
    ...(isService(offer) ? planChange(offer) : []),
    ...requirements(offer),
    ...onlyWith(offer, catalogue),
  ]);
}

/** Kubernetes tells the rules of a schema apart by their text: what says the same twice is one rule with both messages. */
function distinct(rules: readonly Rule[]): readonly Rule[] {
  const byText = new Map<string, Rule>();
  for (const rule of rules) {
    const { rule: text } = celOf(rule);
    const same = byText.get(text);
    byText.set(text, same ? { ...same, message: `${same.message} ${rule.message}` } : rule);
  }
  return [...byText.values()];
}
