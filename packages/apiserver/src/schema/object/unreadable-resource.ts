import { StatusError } from '../../status/status-error.ts';

/** The 400 for an object in which another resource is embedded that cannot be read. */
export class UnreadableResource extends StatusError {
  /** Without the kind of the object. */
  readonly problem: string;

  constructor(
    { apiVersion = '', kind = '' }: { readonly apiVersion?: string; readonly kind?: string },
    problem: string,
  ) {
    const version = apiVersion.split('/').at(-1);
    super(400, 'BadRequest', `${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
    this.problem = problem;
  }
}
