import { jsonKind } from '../types/json-kind.ts';

/** Why a text is no JSON object, in the words of Go; undefined when it is one. */
export function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return 'unexpected end of JSON input';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return syntaxProblem(text, (error as Error).message);
  }
  if (typeof value === 'object' && !Array.isArray(value)) return undefined;
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
}

function syntaxProblem(text: string, said: string): string {
  const position = /position (\d+)/.exec(said)?.[1];
  const character = position === undefined ? text.trim().charAt(0) : text.charAt(Number(position));
  if (said.includes('end of JSON') || character === '') return 'unexpected end of JSON input';
  return `invalid character '${character}' looking for beginning of value`;
}
