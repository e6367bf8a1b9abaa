import type { Check } from './finding.ts';
import { routesOf } from './routes.ts';

/** A text that is put around a value names it once. */
export const formats: Check = (catalogue) =>
  routesOf(catalogue).flatMap(({ transforms, part, name, path }) =>
    transforms
      .filter((transform) => transform.is === 'format' && !/^[^%]*%s[^%]*$/.test(transform.format))
      .map(() => ({ part, name, path, message: 'A format needs %s once, and no other %.' })),
  );
