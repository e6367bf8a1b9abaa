import type { ApiObject } from '../../objects/api-object.ts';
import type { CompiledSchema } from '../../schema/types.ts';
import { StatusError } from '../../status/status-error.ts';
import { DecodeError, decodeAs } from './decode.ts';
import type { Struct } from './go-type.ts';
import { schemaOf } from './json-schema.ts';
import { writeBack } from './write-back.ts';

/**
 * A body that is JSON but no object of its kind. A request that patches such a state into being is refused differently,
 * hence the bare problem.
 */
export class UnreadableObject extends StatusError {
  /** In the words of Go, without the kind. */
  readonly problem: string;

  constructor(kind: string, problem: string) {
    super(400, 'BadRequest', `${kind} in version "v1" cannot be handled as a ${kind}: ${problem}`);
    this.problem = problem;
  }
}

/**
 * A built-in kind as a schema. Its values have the right types once they are pruned, which throws
 * {@link UnreadableObject} otherwise; everything else about them is for the strategy to say.
 *
 * @param fillIn defaults beyond the zero values of the type
 */
export function builtInSchema(root: Struct, fillIn: (object: ApiObject) => void = () => {}): CompiledSchema {
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
        throw error instanceof DecodeError ? new UnreadableObject(root.name, error.message) : error;
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
