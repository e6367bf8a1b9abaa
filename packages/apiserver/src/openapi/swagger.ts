import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../http/answer.ts';
import type { Registry } from '../registry/registry.ts';
import { componentsOf } from './document.ts';

const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/**
 * `/openapi/v2`, which kubectl asks for in protobuf, and only when it does not find what it needs in version 3: for the
 * patch of a custom resource, or a kind that there is not. It gets a document with nothing in it, and then does what it
 * would do for a custom resource, or says that there is no such kind.
 */
export function swaggerAnswer(headers: IncomingHttpHeaders, registry: Registry): Answer {
  const accept = headers.accept ?? '*/*';
  for (const range of accept.split(',').map((part) => part.split(';')[0]?.trim() ?? '')) {
    if (/^application\/com\.github\.proto-openapi\.spec\.v2[.@]v1\.0\+protobuf$/.test(range)) {
      return { code: 200, text: emptyProtobuf, headers: { 'content-type': PROTOBUF, vary: 'Accept' } };
    }
    if (['application/json', 'application/*', '*/*'].includes(range)) {
      return { code: 200, text: swaggerText(registry), headers: { vary: 'Accept' } };
    }
  }
  return { code: 406, text: '', headers: { vary: 'Accept' } };
}

const info = { title: 'Kubernetes', version: 'unversioned' };

/** A text field in protobuf: its number and type, its length, the text. */
const field = (number: number, text: string) => String.fromCharCode((number << 3) | 2, text.length) + text;

const emptyProtobuf = field(1, '2.0') + field(2, field(1, info.title) + field(2, info.version));

const remembered = new WeakMap<Registry, { readonly generation: number; readonly text: string }>();

function swaggerText(registry: Registry): string {
  const known = remembered.get(registry);
  if (known?.generation === registry.generation) return known.text;
  const definitions = Object.fromEntries(componentsOf(registry.all()));
  const document = { swagger: '2.0', info, paths: {}, definitions };
  const text = JSON.stringify(document).replaceAll('"#/components/schemas/', '"#/definitions/');
  remembered.set(registry, { generation: registry.generation, text });
  return text;
}
