import { isService, offersOf } from '../../render/offers.ts';
import { backendsOf } from '../../rules/backend-is.ts';
import { type Check, finding } from './finding.ts';

/** A field that claims must set is taken by every backend: one that refuses it could have no claims. */
export const requiredFields: Check = (catalogue) =>
  offersOf(catalogue).flatMap((offer) => {
    const refused = (targets: object) =>
      backendsOf(offer, catalogue).filter((backend) => !Object.hasOwn(targets, backend));
    const all = [
      ...offer.fields.map((field) => ({ ...field, key: 'fields' })),
      ...(isService(offer) ? offer.parameters : []).map((field) => ({ ...field, key: 'parameters' })),
    ];
    return all
      .filter(({ required, targets }) => required && refused(targets).length > 0)
      .map(({ key, name, targets }) =>
        finding(
          offer,
          [key, name],
          `"${name}" is required, but ${refused(targets).join(' and ')} would refuse it; say where it goes there, or "ignored".`,
        ),
      );
  });
