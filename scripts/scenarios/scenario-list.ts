/** One acceptance scenario. */
export interface Scenario {
  readonly id: string;
  /** The part of Klutch it is about, named after its specification: `konnector`. */
  readonly component: string;
  readonly text: string;
}

/** Reads the tab-separated list (id, tag, specification, text) with its heading. */
export function parseScenarios(tsv: string): Scenario[] {
  const [, ...rows] = tsv.trimEnd().split('\n');
  return rows.map((row) => {
    const [id = '', , specification = '', text = ''] = row.split('\t');
    return { id, component: specification.replace(/\.md$/, ''), text };
  });
}
