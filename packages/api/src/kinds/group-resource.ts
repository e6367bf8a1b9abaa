import { type InferFields, required, string } from '../schema/schema.ts';

/** Names a resource type without its version. */
export const groupResourceFields = {
  group: string('API group; empty for the core group.', {
    default: '',
    maxLength: 253,
    pattern: String.raw`^(|[a-z0-9]([-a-z0-9]*[a-z0-9](\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?)$`,
  }),
  resource: required(
    string('Plural name, such as `secrets`.', { maxLength: 63, pattern: '^[a-z][-a-z0-9]*[a-z0-9]$' }),
  ),
};

export type GroupResource = InferFields<typeof groupResourceFields>;
