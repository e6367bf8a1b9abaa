import { StatusError } from './status-error.ts';

interface ObjectType {
  readonly version: string;
  readonly kind: string;
}

/**
 * The 400 for a body that is JSON but no object of the kind that is wanted. A request that patches such a state into being
 * is refused differently, hence the bare problem.
 */
export class UnreadableObject extends StatusError {
  /** In the words of Go, without the kind. */
  readonly problem: string;

  /** @param said what the body says it is */
  constructor(wanted: ObjectType, problem: string, said: ObjectType = wanted) {
    const type = `${said.kind} in version "${said.version}"`;
    super(400, 'BadRequest', `${type} cannot be handled as a ${wanted.kind}: ${problem}`);
    this.problem = problem;
  }
}
