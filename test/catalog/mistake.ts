import type { ClaimJudge } from './judges.ts';
import type { Row } from './matrix/index.ts';

/** What a judge says of a row, when it is not what the row demands. */
export async function mistake(row: Row, judge: ClaimJudge): Promise<object | undefined> {
  const { accepted, said } = await judge.ask(row);
  const isRight = row.refused === undefined ? accepted : !accepted && said.includes(row.refused);
  return isRight ? undefined : { row, accepted, said };
}
