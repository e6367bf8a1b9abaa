import type { Catalogue, JsonObject } from '../model/catalogue.ts';
import { compositionsOf } from './compositions.ts';
import { definitionOf } from './definitions.ts';
import { examplesOf } from './examples.ts';
import { manifest } from './manifest.ts';
import { offersOf } from './offers.ts';
import { pagesOf } from './pages/pages.ts';
import { templatesOf } from './templates.ts';

export interface RenderedFile {
  /** From the folder that everything is written to. */
  readonly path: string;
  readonly text: string;
}

/** Everything that is generated from a catalogue; the same catalogue gives the same files. */
export function render(catalogue: Catalogue): readonly RenderedFile[] {
  const definitions = offersOf(catalogue).map((offer) => definitionOf(offer, catalogue));
  const examples = examplesOf(catalogue);
  return [
    ...manifests('definitions', definitions),
    ...manifests('compositions', compositionsOf(catalogue)),
    ...manifests('templates', templatesOf(catalogue)),
    ...manifests('provider-configs', providerConfigsOf(catalogue)),
    ...examples.map(({ backend, claim }) => file(`examples/${claim.kind.toLowerCase()}-${backend}.yaml`, claim)),
    ...pagesOf(catalogue, examples).map(({ path, text }) => ({ path: `pages/${path}`, text })),
  ];
}

/** Objects by which providers find the backends. Addresses and Secrets are placeholders, which an operator fills in. */
export function providerConfigsOf({ backends }: Catalogue): readonly JsonObject[] {
  return backends.flatMap(({ providerConfigs }) => providerConfigs);
}

function manifests(folder: string, objects: readonly object[]): readonly RenderedFile[] {
  return objects.map((object) => file(`${folder}/${nameOf(object)}.yaml`, object));
}

function file(path: string, object: object): RenderedFile {
  return { path, text: `# Generated from the catalogue; do not edit.\n${manifest(object)}` };
}

function nameOf(object: { readonly metadata?: { readonly name?: string } }): string {
  return object.metadata?.name ?? '';
}
