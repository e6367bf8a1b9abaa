import { stringify } from 'yaml';

/** An object as YAML that Kubernetes reads: it knows 1.1, where more words than in 1.2 need quotes. */
export function manifest(object: object): string {
  return stringify(object, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
