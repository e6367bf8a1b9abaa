import { createHash } from 'node:crypto';

/** The one stylesheet of all pages, put into them as it is. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f4f6f9; --card: #ffffff; --text: #1b2330; --soft: #4d5a6e; --line: #cfd6e0;
  --accent: #0b5fb0; --on-accent: #ffffff; --tint: #e6f0fa; --alert: #a3221c; --alert-tint: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161d; --card: #1b212b; --text: #e7ecf3; --soft: #aab5c5; --line: #384253;
    --accent: #8cc2ff; --on-accent: #0d1b2b; --tint: #1d2f45; --alert: #ffb4ab; --alert-tint: #3b1d1b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 46rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.25rem; color: var(--soft); font-weight: 600; }
main { padding-bottom: 2rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 .75rem; }
h2, legend { font-size: 1.1rem; font-weight: 600; margin: 0; padding: 0; }
h2 { margin-bottom: .6rem; }
h3 { font-size: .95rem; margin: .75rem 0 .25rem; }
p { margin: .25rem 0 .75rem; }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; }
.lead { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.1rem; margin: 0 0 1rem; min-inline-size: 0; }
.card > :last-child, .card > :last-child > :last-child { margin-bottom: 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; min-inline-size: 0; }
legend { margin-bottom: .6rem; }
fieldset > .card > .choice + .choice { margin-top: .75rem; }
ul { list-style: none; margin: 0; padding: 0; }
.choice { display: flex; gap: .75rem; align-items: flex-start; cursor: pointer; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; accent-color: var(--accent); }
.choice strong { display: block; font-size: 1.05rem; }
.choice .soft { display: block; margin-bottom: .35rem; }
.soft { color: var(--soft); font-size: .9rem; }
.api:has(input:checked) { border-color: var(--accent); background: var(--tint); }
.api > p, .api > div { margin-left: 2rem; }
.browse > p, .browse > div { margin-left: 0; }
.claims li { padding: .5rem 0 0; margin-top: .5rem; border-top: 1px solid var(--line); }
.claims li:first-child { border-top: 0; margin-top: 0; padding-top: .15rem; }
details { margin: 0 0 .75rem; }
summary { cursor: pointer; color: var(--accent); font-weight: 600; }
table { width: 100%; margin-top: .35rem; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
.badge.needed { color: var(--accent); }
.alert { border-color: var(--alert); background: var(--alert-tint); color: var(--alert); font-weight: 600; }
button { font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .5rem; padding: .75rem 1.5rem; cursor: pointer; }
button.quiet { color: var(--text); background: transparent; border: 1px solid var(--line); }
.choices { display: flex; flex-wrap: wrap; gap: .75rem; }
input[type=text] { display: block; width: 100%; max-width: 16rem; margin-top: .4rem; padding: .6rem .75rem; font: 1.25rem ui-monospace, "DejaVu Sans Mono", monospace; text-transform: uppercase; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: .5rem; }
a { color: var(--accent); }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice input:focus-visible { outline-offset: 3px; }
@media (max-width: 34rem) {
  .card > :last-child, .card > :last-child > :last-child { margin-bottom: 0; }
.facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: .6rem; }
  .api > p, .api > div { margin-left: 0; }
  button { width: 100%; }
}
`;

/** By which a page's policy allows the stylesheet and no other. */
export const stylesheetHash = `sha256-${createHash('sha256').update(stylesheet).digest('base64')}`;
