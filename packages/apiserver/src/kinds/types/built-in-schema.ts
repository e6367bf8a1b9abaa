import type { ApiObject } from '../../objects/api-object.ts';
import type { CompiledSchema } from '../../schema/types.ts';
import { UnreadableObject } from '../../status/unreadable-object.ts';
import { DecodeError, decodeAs } from './decode.ts';
import type { Struct } from './go-type.ts';
import { schemaOf } from './json-schema.ts';
import { writeBack } from './write-back.ts';

/**
 * A built-in kind as a schema. Its values have the right types once they are pruned, which throws
 * {@link UnreadableObject} otherwise; everything else about them is for the strategy to say.
 *
 * @param version of its API
 * @param fillIn defaults beyond the zero values of the type
 */
export function builtInSchema(
  root: Struct,
  version: string,
  fillIn: (object: ApiObject) => void = () => {},
): CompiledSchema {
  let source: CompiledSchema['source'] | undefined;
  return {
    get source() {
      source ??= schemaOf(root);
      return source;
    },
    prune: (object) => {
      try {
        return decodeAs(root, object);
      } catch (error) {
        throw error instanceof DecodeError ? new UnreadableObject({ kind: root.name, version }, error.message) : error;
      }
    },
    applyDefaults: (object) => {
      writeBack(root, object);
      fillIn(object as ApiObject);
    },
    validate: () => [],
    validateStatus: () => [],
  };
}
