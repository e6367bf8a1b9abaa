import { badRequest, StatusError, type Status } from '../status/status-error.ts';

/** Where a paged list goes on. */
export interface ContinueToken {
  /** State to go on with; -1: the latest, at the price of an inconsistent list. */
  readonly revision: number;
  /** First key that may be next, relative to what is listed, without a leading slash. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

/** The token as clients get it. */
export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start: `/${start}` })).toString('base64url');
}

/** Reads a token that a client sends back. Throws the 400 of Kubernetes for anything else. */
export function decodeContinue(text: string): ContinueToken {
  const { v, rv, start } = fieldsOf(decodeBase64(text));
  if (v !== VERSION) throw invalidToken(`: server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalidToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  if (start === '') throw invalidToken(`: encoded start key empty (version ${VERSION})`);
  const path = start.startsWith('/') ? start.slice(1) : start;
  const isClean = path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isClean && path !== '') throw invalidToken(`: ${start}`);
  return { revision: rv, start: path };
}

/** A token whose state is gone; tells the client how it can go on all the same. */
export class ExpiredContinueError extends StatusError {
  readonly #next: string;

  constructor(token: ContinueToken) {
    super(
      410,
      'Expired',
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
        'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
        'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
        'deleted between the time the first chunk was returned and now may show up in the list.',
    );
    this.#next = encodeContinue({ ...token, revision: -1 });
  }

  override toStatus(): Status {
    return { ...super.toStatus(), metadata: { continue: this.#next } };
  }
}

function decodeBase64(text: string): string {
  const bytes = Buffer.from(text.replaceAll(/[\r\n]/g, ''));
  const illegal = bytes.findIndex((byte) => !/[-\w]/.test(String.fromCharCode(byte)));
  const isCut = bytes.length % 4 === 1;
  if (illegal === -1 && !isCut) return Buffer.from(text, 'base64url').toString();
  throw invalidToken(`: illegal base64 data at input byte ${illegal === -1 ? bytes.length - 1 : illegal}`);
}

interface Fields {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

function fieldsOf(json: string): Fields {
  const value = parseJson(json) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidToken(`: json: cannot unmarshal ${goKind(value)} into Go value of type storage.continueToken`);
  }
  const { v, rv, start } = value as Record<string, unknown>;
  return { v: textField('v', v), rv: numberField('rv', rv), start: textField('start', start) };
}

function textField(name: string, value: unknown = ''): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  throw invalidToken(
    `: json: cannot unmarshal ${goKind(value)} into Go struct field continueToken.${name} of type string`,
  );
}

function numberField(name: string, value: unknown = 0): number {
  if (value === null) return 0;
  if (Number.isInteger(value)) return Number(value);
  const kind = typeof value === 'number' ? `number ${value}` : goKind(value);
  throw invalidToken(`: json: cannot unmarshal ${kind} into Go struct field continueToken.${name} of type int64`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const first = text.trimStart().charAt(0);
    const startsValue = first === '' || /[-{["\dtfn]/.test(first);
    throw invalidToken(
      startsValue ? ': unexpected end of JSON input' : `: invalid character '${first}' looking for beginning of value`,
    );
  }
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function invalidToken(problem: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid${problem}`);
}
