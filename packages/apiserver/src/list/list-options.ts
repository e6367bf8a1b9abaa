import { goQuote } from '@klutch/cel';
import {
  type FieldSelector,
  fieldSelector,
  type LabelSelector,
  parseFieldTerms,
  parseLabelSelector,
  type SelectableType,
} from '../select/index.ts';
import { badRequest, type FieldCause, invalid } from '../status/status-error.ts';

/** What a list, a watch or a deletion of many is asked to do, from the query of the request. */
export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** As sent; empty when absent. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  readonly timeoutSeconds: number | undefined;
  /** Without a limit when not positive. */
  readonly limit: number;
  /** As sent; empty when absent. */
  readonly continueToken: string;
  /** Whether a watch starts with the state there is. */
  readonly sendInitialEvents: boolean | undefined;
}

/** Reads and checks the options for a type. Throws the 400 or 422 of Kubernetes, in its order. */
export function parseListOptions(query: URLSearchParams, type: SelectableType): ListOptions {
  const timeoutSeconds = integer(query.get('timeoutSeconds'));
  const limit = integer(query.get('limit')) ?? 0;
  const labelSelector = parseLabelSelector(query.get('labelSelector') ?? '');
  const terms = parseFieldTerms(query.get('fieldSelector') ?? '');
  const sent = withDefaults({
    watch: flag(query.get('watch')) ?? false,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: flag(query.get('sendInitialEvents')),
  });
  const causes = sent.watch ? watchCauses(sent) : listCauses(sent);
  if (causes.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', causes);
  return {
    ...sent,
    resourceVersionMatch: sent.resourceVersionMatch as ListOptions['resourceVersionMatch'],
    labelSelector,
    fieldSelector: fieldSelector(terms, type),
    allowWatchBookmarks: flag(query.get('allowWatchBookmarks')) ?? false,
    timeoutSeconds,
    limit,
  };
}

/** The options that are checked against each other. */
interface Sent {
  readonly watch: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

/** A watch from no particular version has always started with the state there is. */
function withDefaults(sent: Sent): Sent {
  const fromAnywhere = sent.resourceVersion === '' || sent.resourceVersion === '0';
  const isOpen = sent.sendInitialEvents === undefined && sent.resourceVersionMatch === '';
  if (!sent.watch || !fromAnywhere || !isOpen) return sent;
  return { ...sent, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

function listCauses(sent: Sent): readonly FieldCause[] {
  const { resourceVersion, resourceVersionMatch: match, continueToken, sendInitialEvents } = sent;
  const causes: FieldCause[] = [];
  if (match !== '') {
    if (resourceVersion === '')
      causes.push(forbiddenMatch('resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (continueToken !== '')
      causes.push(forbiddenMatch('resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      causes.push(unsupportedMatch(match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0') {
      causes.push(forbiddenMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return causes;
}

function watchCauses({ resourceVersionMatch: match, continueToken, sendInitialEvents }: Sent): readonly FieldCause[] {
  const causes: FieldCause[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    causes.push(forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match === '') return causes;
  if (sendInitialEvents === undefined) {
    causes.push(forbiddenMatch('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (match !== 'NotOlderThan') causes.push(unsupportedMatch(match, ['NotOlderThan']));
  if (continueToken !== '') causes.push(forbiddenMatch('resourceVersionMatch is forbidden when continue is provided'));
  return causes;
}

function forbidden(field: string, problem: string): FieldCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${problem}`, field };
}

function forbiddenMatch(problem: string): FieldCause {
  return forbidden('resourceVersionMatch', problem);
}

function unsupportedMatch(match: string, supported: readonly string[]): FieldCause {
  const message = `Unsupported value: ${goQuote(match)}: supported values: ${supported.map(goQuote).join(', ')}`;
  return { reason: 'FieldValueNotSupported', message, field: 'resourceVersionMatch' };
}

/** Anything but `false` and `0` is true, as Kubernetes reads it; absent is undefined. */
export function flag(text: string | null): boolean | undefined {
  return text === null ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}

function integer(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ''));
  if (value === BigInt.asIntN(64, value)) return Number(value);
  throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
}
