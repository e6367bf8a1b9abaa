export { type AccessGrounds, type Applicable, backendAccess } from './process/backend-access.ts';
export { appClusterBindingsRole, type RuleGrounds } from './process/backend-rules.ts';
export { endCredentials } from './credentials/end-credentials.ts';
export type {
  BackendOptions,
  CredentialOptions,
  ExternalAddress,
  IssuerOptions,
  ListenOptions,
  PolicyOptions,
  Quotas,
  WebOptions,
} from './process/options.ts';
export { type GivenOptions, optionsFrom, ruleSettingsFrom } from './process/options-from.ts';
export { type Backend, type BackendDeps, startBackend } from './process/start-backend.ts';
