import { describe, expect, it } from 'vitest';
import { formsOf } from './form.ts';

describe('forms of a page', () => {
  it('hold what a browser would send when nobody changes anything', () => {
    const [form] = formsOf(`<form class=x ACTION="/next?a=1&amp;b=2" method="POST">
      <input type="hidden" name="token" value="a&quot;b&#39;c&#x26;"/>
      <input name=empty><input type=checkbox name="yes" checked><input type="checkbox" name="no" value="1">
      <input type="radio" name="one" value="a"><input type="radio" name="one" value="b" checked>
      <input name="off" value="x" disabled><input type="submit" name="go" value="Go"><input value="nameless">
      <button name="press" value="me">Press</button></form>`);
    expect(form).toEqual({
      action: '/next?a=1&b=2',
      method: 'post',
      fields: [
        ['token', `a"b'c&`],
        ['empty', ''],
        ['yes', 'on'],
        ['one', 'b'],
      ],
      names: ['token', 'empty', 'yes', 'no', 'one', 'one', 'off', 'go', 'press'],
    });
  });

  it('are told apart, and sent with GET unless they say otherwise', () => {
    const forms = formsOf('<form action="/a"></form><p><form method="get"><input name="q" value="1"></form>');
    expect(forms.map(({ action, method }) => [action, method])).toEqual([
      ['/a', 'get'],
      ['', 'get'],
    ]);
  });

  it('are none on a page without', () => {
    expect(formsOf('<p>no form</p>')).toEqual([]);
  });
});
