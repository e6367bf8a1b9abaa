export {
  type IssuerClient,
  type IssuerOptions,
  type IssuerUser,
  machineScope,
  type MachineClient,
  type WebClient,
} from './issuer/options.ts';
export { type Issuer, startIssuer } from './issuer/start-issuer.ts';
export { findRunning, type RunningSandbox } from './control/running.ts';
export type { Form } from './login/form.ts';
export { confirmDevice } from './login/confirm-device.ts';
export { logIn, type LogInOptions } from './login/log-in.ts';
export { createPlainBrowser, type Page, type PlainBrowser, type PlainBrowserOptions } from './login/plain-browser.ts';
export { greetingApi, Greetings, type Greeting } from './sample/greeting.ts';
export type { Sandbox, SandboxDeps, SandboxInfo, SandboxOptions } from './sandbox/options.ts';
export { startSandbox } from './sandbox/start-sandbox.ts';
export { contexts } from './state/kubeconfig-file.ts';
export { type Ports, usualPorts } from './state/ports.ts';
export { defaultDir, type Layout, layoutOf, removeState } from './state/state.ts';
