import { describe, expect, it } from 'vitest';

import { renderCoverage } from './report.ts';

describe('coverage report', () => {
  const none = { embedded: [], real: [] };

  it('shows counts by component and tier, and the ids behind them', () => {
    const passing = { embedded: ['KON-01', 'KON-02'], real: ['KON-01'] };
    const text = renderCoverage(
      {
        components: [
          { component: 'konnector', scenarios: 68, passing, failing: { ...none, real: ['KON-03'] } },
          { component: 'backend', scenarios: 62, passing: none, failing: none },
        ],
        unknown: [],
      },
      [],
    );
    expect(text.split('\n')).toEqual([
      'component  scenarios  embedded  real',
      'konnector         68         2     1',
      'backend           62         0     0',
      'total            130         2     1',
      '',
      'passing, konnector on embedded: KON-01 KON-02',
      'passing, konnector on real: KON-01',
      '',
      'failing, konnector on real: KON-03',
    ]);
  });

  it('ends with what is not covered, and the ids that no scenario has', () => {
    const unknown = [{ id: 'KON-99', title: 'KON-99 works', file: 'a.test.ts' }];
    const text = renderCoverage({ components: [], unknown }, [{ id: 'KON-02', problem: 'has no passing test' }]);
    expect(text).toContain(
      '\n\nnot covered: KON-02 has no passing test\n\nunknown id KON-99: "KON-99 works" in a.test.ts',
    );
  });
});
