import { unknownFormats } from '../schema/index.ts';
import type { Crd } from './crd.ts';

/** Warns of formats that mean nothing to the server, unless the definition had them before. */
export function formatWarnings(crd: Crd, old: Crd | undefined): readonly string[] {
  const known = new Set(old && formatsIn(old));
  return formatsIn(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

const formatsIn = ({ spec }: Crd): readonly string[] =>
  (spec?.versions ?? []).flatMap(({ schema }) =>
    schema?.openAPIV3Schema ? unknownFormats(schema.openAPIV3Schema) : [],
  );
