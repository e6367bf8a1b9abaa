import { readFileSync } from 'node:fs';

/** A request that a Go component sent, and what it was answered. */
export interface RecordedRequest {
  /** What was being done at the time. */
  readonly step: string;
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  readonly uri: string;
  /** User name. */
  readonly as: string;
  /** User agent; its first word is the field manager of writes that name none. */
  readonly agent: string;
  readonly body?: RecordedObject;
  readonly status: number;
  readonly answer?: RecordedObject;
}

export interface RecordedObject {
  readonly kind?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** `<component>.<cluster>`. */
export type RecordingName =
  | 'go-backend.control-plane'
  | 'go-cli.app-cluster'
  | 'go-cli.control-plane'
  | 'go-konnector.app-cluster'
  | 'go-konnector.control-plane';

/** Everything that a Go component sent to one cluster, in order of completion. */
export function recording(name: RecordingName): readonly RecordedRequest[] {
  const text = readFileSync(new URL(`recorded/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedRequest);
}

/** The requests of one step. */
export function requestsOf(name: RecordingName, step: string): readonly RecordedRequest[] {
  return recording(name).filter((request) => request.step === step);
}

/** The one request that fits; fails when there is none, so that a changed recording is noticed. */
export function theRequest(name: RecordingName, wanted: Partial<RecordedRequest>, nth = 0): RecordedRequest {
  const entries = Object.entries(wanted) as [keyof RecordedRequest, unknown][];
  const found = recording(name).filter((request) => entries.every(([key, value]) => request[key] === value))[nth];
  if (!found) throw new Error(`The recording ${name} has no request ${JSON.stringify(wanted)}.`);
  return found;
}

export function isWrite({ verb }: RecordedRequest): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'watch';
}
