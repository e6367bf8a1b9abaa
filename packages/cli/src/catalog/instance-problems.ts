import type { Catalogue, Place, Problem, SourceFile } from '@klutch/catalog';
import { isMap, isScalar, LineCounter, parseDocument, type Node } from 'yaml';
import { writtenIn } from './read-folders.ts';
import type { InstanceReport } from './report.ts';

/** Pure: what a catalogue takes from instances, as problems of the file that takes it. */
export function instanceProblems(
  instances: readonly InstanceReport[],
  catalogue: Catalogue,
  files: readonly SourceFile[],
): readonly Problem[] {
  return instances.flatMap((instance) =>
    instance.findings
      .filter(({ is }) => is === 'breaks')
      .map(({ sentence }) => {
        const { kind, namespace, name, tenant } = instance;
        const whose = tenant === undefined ? '' : ` of tenant ${tenant}`;
        const field = /^It loses spec\.(\S+),/.exec(sentence)?.[1]?.split('.') ?? [];
        return {
          ...placeOf(fileOf(kind, catalogue, files), field),
          message: `${kind} ${namespace}/${name}${whose}: ${sentence}`,
        };
      }),
  );
}

function fileOf(kind: string, { services, operations }: Catalogue, files: readonly SourceFile[]): SourceFile {
  const service = services.find((other) => other.kind === kind);
  const operation = operations.find((other) => other.kind === kind);
  const path = service ? `services/${service.name}.yaml` : `operations/${operation?.name ?? kind}.yaml`;
  return writtenIn(path, files) ?? { path, text: '' };
}

/** Where a field is written, or what is above it. */
function placeOf({ path, text }: SourceFile, field: readonly string[]): Place {
  const lines = new LineCounter();
  let node: unknown = parseDocument(text, { lineCounter: lines }).contents;
  let at = 0;
  for (const name of field) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
    if (!pair) break;
    at = (pair.key as Node).range?.[0] ?? at;
    node = pair.value;
  }
  const { line, col } = lines.linePos(at);
  return { file: path, line: Math.max(line, 1), column: Math.max(col, 1) };
}
