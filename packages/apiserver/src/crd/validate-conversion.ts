import { dns1035LabelProblems } from '../metadata/name-rules.ts';
import { forbidden, invalid, notSupported, required } from '../schema/fields/field-error.ts';
import type { FieldCause } from '../status/status-error.ts';
import type { Crd } from './crd.ts';

type Conversion = NonNullable<Crd['spec']['conversion']>;

/**
 * Pure: what is wrong with how objects change from one version to another. Webhooks would have to be called by this
 * server; a client whose definition needs one is told instead of being served wrong objects.
 */
export function conversionProblems(conversion: Conversion | undefined, field: string): readonly FieldCause[] {
  if (conversion === undefined) return [];
  const { strategy } = conversion;
  if (!strategy) return [required(`${field}.strategy`)];
  if (strategy === 'None') return noneProblems(conversion, field);
  if (strategy !== 'Webhook') return [notSupported(`${field}.strategy`, strategy, ['None', 'Webhook'])];
  const problems = webhookProblems(conversion, field);
  if (problems.length > 0) return problems;
  const message = 'conversion webhooks are not supported by the embedded API server; use strategy None';
  return [forbidden(`${field}.strategy`, message)];
}

interface Webhook {
  readonly clientConfig?: { readonly url?: string; readonly service?: object };
  readonly conversionReviewVersions?: readonly string[] | null;
}

function noneProblems({ webhook }: Conversion, field: string): readonly FieldCause[] {
  const { clientConfig, conversionReviewVersions } = (webhook ?? {}) as Webhook;
  const words = 'should not be set when strategy is not set to Webhook';
  return [
    ...(clientConfig ? [forbidden(`${field}.webhookClientConfig`, words)] : []),
    ...(conversionReviewVersions?.length ? [forbidden(`${field}.conversionReviewVersions`, words)] : []),
  ];
}

function webhookProblems({ webhook }: Conversion, field: string): readonly FieldCause[] {
  const { clientConfig, conversionReviewVersions } = (webhook ?? {}) as Webhook;
  const config = `${field}.webhookClientConfig`;
  const isUnclear = clientConfig && (clientConfig.url === undefined) === (clientConfig.service === undefined);
  return [
    ...(clientConfig ? [] : [required(config, 'required when strategy is set to Webhook')]),
    ...(isUnclear ? [required(config, 'exactly one of url or service is required')] : []),
    ...reviewVersionProblems(conversionReviewVersions ?? [], `${field}.conversionReviewVersions`),
  ];
}

function reviewVersionProblems(versions: readonly string[], field: string): readonly FieldCause[] {
  if (versions.length === 0) return [required(field)];
  const causes = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalid(`${field}[${index}]`, version, 'duplicate version')]
      : dns1035LabelProblems(version).map((problem) => invalid(`${field}[${index}]`, version, problem)),
  );
  const isUnderstood = versions.includes('v1') || versions.includes('v1beta1');
  return isUnderstood ? causes : [...causes, invalid(field, versions, 'must include at least one of v1, v1beta1')];
}
