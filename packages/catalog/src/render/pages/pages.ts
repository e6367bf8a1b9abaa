import type { Catalogue } from '../../model/catalogue.ts';
import type { Example } from '../examples.ts';
import { isService, offersOf } from '../offers.ts';
import { page, section, table } from './markdown.ts';
import { offerPage } from './offer-page.ts';

/** The reference pages of a catalogue: an overview, and a page for each kind of claim. */
export function pagesOf(
  catalogue: Catalogue,
  examples: readonly Example[],
): readonly { readonly path: string; readonly text: string }[] {
  return [
    { path: 'README.md', text: overview(catalogue) },
    ...offersOf(catalogue).map((offer) => ({ path: `${offer.name}.md`, text: offerPage(offer, catalogue, examples) })),
  ];
}

function overview(catalogue: Catalogue): string {
  const row = (offer: ReturnType<typeof offersOf>[number]) => [
    `[${offer.displayName}](${offer.name}.md)`,
    `\`${offer.kind}\``,
    isService(offer) ? String(offer.plans.filter(({ retired }) => !retired).length) : '',
    offer.description,
  ];
  return page([
    '# Catalogue',
    'What can be claimed, and what each claim can say.',
    section('Services', table(['Service', 'Kind', 'Plans', 'What it is'], catalogue.services.map(row))),
    section('Operations', table(['Operation', 'Kind', 'Plans', 'What it is'], catalogue.operations.map(row))),
  ]);
}
