import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { immutable } from './immutable.ts';
import { offered } from './offered.ts';
import { onlyWith } from './only-with.ts';
import { planChange } from './plan-change.ts';
import { requirements } from './requirements.ts';
import type { Rule } from './rule.ts';
import { isService } from '../render/offers.ts';

/** What claims of an offer must fulfil, beyond what the schemas of their fields say. */
export function rulesOf(offer: Service | Operation, catalogue: Catalogue): readonly Rule[] {
  return [
    ...offered(offer, catalogue),
    ...immutable(offer),
    ...(isService(offer) ? planChange(offer) : []),
    ...requirements(offer),
    ...onlyWith(offer, catalogue),
  ];
}
