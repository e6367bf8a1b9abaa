import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { pageHeaders } from './page.ts';
import { deviceCodePage, deviceConfirmPage, type DeviceForm, messagePage } from './pages.ts';

/** Logging in on another device than the one that asks, with pages of our own. */
export const deviceFlow: NonNullable<NonNullable<Configuration['features']>['deviceFlow']> = {
  enabled: true,
  userCodeInputSource: (ctx, _form, out, problem) => {
    const userCode = problem && 'userCode' in problem ? String(problem.userCode) : undefined;
    const message =
      problem === undefined ? undefined : (problems[problem.name] ?? out?.error_description ?? out?.error);
    const isOver = problem?.name === 'AbortedError';
    show(ctx, isOver ? cancelled : deviceCodePage({ ...formOf(ctx), userCode }, message));
  },
  userCodeConfirmSource: (ctx, _form, client, _device, userCode) =>
    show(ctx, deviceConfirmPage({ ...formOf(ctx), userCode }, client.clientName ?? client.clientId)),
  successSource: (ctx) => show(ctx, messagePage('The device is connected', 'You can close this page and go on there.')),
};

const cancelled = messagePage('The device is not connected', 'You can close this page.');

/** Errors of oidc-provider, which exports none of them, by name. */
const problems: Readonly<Record<string, string>> = {
  NotFoundError: 'No device shows this code. Check it, and type it again.',
  ExpiredError: 'This code has expired. Start again on the device.',
  AlreadyUsedError: 'This code was used already. Start again on the device.',
  NoCodeError: 'Type the code that the device shows.',
};

function formOf(ctx: KoaContextWithOIDC): Pick<DeviceForm, 'action' | 'xsrf'> {
  const { secret = '' } = (ctx.oidc.session?.['state'] ?? {}) as { readonly secret?: string };
  return { action: '/device', xsrf: secret };
}

function show(ctx: KoaContextWithOIDC, page: string): void {
  ctx.set({ ...pageHeaders });
  ctx.body = page;
}
