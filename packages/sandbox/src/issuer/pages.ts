import { escapeHtml, page } from './page.ts';

/** What the login page has to know. */
export interface LoginPage {
  /** Where the form is sent. */
  readonly action: string;
  readonly client: string;
  readonly scopes: readonly string[];
  /** Filled in when the first attempt failed. */
  readonly name?: string;
  readonly problem?: string;
}

/** Logging in and agreeing to what the client learns, in one step. */
export function loginPage({ action, client, scopes, name = '', problem }: LoginPage): string {
  const learns = ['your name', ...learned.filter(([scope]) => scopes.includes(scope)).map(([, text]) => text)];
  const alert = problem === undefined ? '' : `<p role="alert" id="problem">${escapeHtml(problem)}</p>`;
  const described = problem === undefined ? '' : ' aria-describedby="problem" aria-invalid="true"';
  return page(
    `Log in to ${client}`,
    `${alert}
<form method="post" action="${escapeHtml(action)}">
<label for="name">Name</label>
<input id="name" name="name" value="${escapeHtml(name)}" autocomplete="username" autocapitalize="none" spellcheck="false" required${name === '' ? ' autofocus' : ''}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${name === '' ? '' : ' autofocus'}${described}>
<p>By logging in you let <strong>${escapeHtml(client)}</strong> know ${listOf(learns)}.</p>
<button name="answer" value="login">Log in</button>
<button name="answer" value="cancel" class="quiet" formnovalidate>Cancel</button>
</form>`,
  );
}

const learned = [
  ['email', 'your e-mail address'],
  ['groups', 'the groups you are in'],
] as const;

/** Asks for, or shows again, the code that a device displays. */
export function deviceCodePage(form: DeviceForm, problem?: string): string {
  const alert = problem === undefined ? '' : `<p role="alert" id="problem">${escapeHtml(problem)}</p>`;
  return page(
    'Connect a device',
    `${alert}
<form method="post" action="${escapeHtml(form.action)}">
<input type="hidden" name="xsrf" value="${escapeHtml(form.xsrf)}">
<label for="user_code">Code that the device shows</label>
<input id="user_code" name="user_code" value="${escapeHtml(form.userCode ?? '')}" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus${problem === undefined ? '' : ' aria-describedby="problem" aria-invalid="true"'}>
<button>Continue</button>
</form>`,
  );
}

/** A form of the device pages. */
export interface DeviceForm {
  readonly action: string;
  readonly xsrf: string;
  readonly userCode?: string;
}

/** Has the user compare the code, so that nobody connects the device of somebody else. */
export function deviceConfirmPage({ action, xsrf, userCode = '' }: DeviceForm, client: string): string {
  return page(
    `Connect ${client}`,
    `<p>Does the device show this code?</p>
<p class="code">${escapeHtml(userCode)}</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">
<input type="hidden" name="user_code" value="${escapeHtml(userCode)}">
<button name="confirm" value="yes">Yes, continue</button>
<button name="abort" value="yes" class="quiet">No, cancel</button>
</form>`,
  );
}

/** Nothing is left to do here. */
export function messagePage(title: string, message: string): string {
  return page(title, `<p>${escapeHtml(message)}</p>`);
}

function listOf(things: readonly string[]): string {
  return new Intl.ListFormat('en').format(things);
}
