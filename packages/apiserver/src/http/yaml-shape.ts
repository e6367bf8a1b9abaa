import type { CST } from 'yaml';
import { maxDepth } from '../operations/depth.ts';

/**
 * What is wrong with how a YAML document is built, found before anything is made of it: values that are nested too deep,
 * and lists or maps as keys, whose texts would take forever to make. In the words of Go as far as they can be foreseen.
 */
export function yamlShapeProblem(document: CST.Token): string | undefined {
  let level: CST.Token[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return `exceeded max depth of ${maxDepth}`;
    const items = level.flatMap(itemsOf);
    if (items.some(({ key }) => key && itemsOf(key).length > 0)) return 'invalid map key';
    const values = items.map(({ value }) => value).filter((value) => value !== undefined && value !== null);
    level = depth === 0 ? [...values, ...contentOf(document)] : values;
  }
  return undefined;
}

function contentOf(token: CST.Token): CST.Token[] {
  return token.type === 'document' && token.value ? [token.value] : [];
}

function itemsOf(token: CST.Token): { readonly key?: CST.Token | null; readonly value?: CST.Token }[] {
  return 'items' in token ? token.items : [];
}
