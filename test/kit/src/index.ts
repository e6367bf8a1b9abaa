export { type Binaries } from './binaries/binaries.ts';
export type { CrossplaneVersion } from './binaries/crossplane-releases.ts';
export { type CrossplaneFiles, resolveCrossplane } from './binaries/resolve-crossplane.ts';
export { resolveDex } from './binaries/resolve-dex.ts';
export { type KeycloakFiles, resolveKeycloak } from './binaries/resolve-keycloak.ts';
export { resolveBinaries } from './binaries/resolve.ts';
export type { ResolveOptions } from './binaries/resolve-built.ts';
export { findChromium } from './browser/find-chromium.ts';
export { launchBrowser, type LaunchBrowserOptions } from './browser/launch-browser.ts';
export { type Crossplane, startCrossplane, type StartCrossplaneOptions } from './crossplane/start-crossplane.ts';
export { eventually, type EventuallyOptions } from './eventually.ts';
export {
  emailOf,
  KIT_PASSWORD,
  type KitClient,
  type KitIssuer,
  type KitUser,
} from './issuers/issuer-users.ts';
export type { KitMachine } from './issuers/keycloak-realm.ts';
export { startDex, type StartDexOptions } from './issuers/start-dex.ts';
export { startKeycloak, type StartKeycloakOptions } from './issuers/start-keycloak.ts';
export { KitError, type KitErrorCode } from './kit-error.ts';
export {
  type Authority,
  type CertificateRequest,
  createAuthority,
  type IssuedCertificate,
} from './pki/authority.ts';
export { attachPlane } from './plane/access.ts';
export type { PlaneCredentials } from './plane/address.ts';
export { DEFAULT_CONTROLLERS } from './plane/flags.ts';
export type { StartPlaneOptions, TokenUserRequest } from './plane/options.ts';
export type { CertificateUserRequest, Plane, PlaneAccess, ServiceAccountRequest } from './plane/plane.ts';
export type { PlaneRequest, PlaneRequestOptions, PlaneResponse } from './plane/request.ts';
export { startPlane } from './plane/start-plane.ts';
export type { PlaneUser } from './plane/user.ts';
export { RESULTS_FILE, type RunResults, tally, tallyLine, type TestResult } from './results/run-results.ts';
export type { Tier } from './tiers/tier.ts';
