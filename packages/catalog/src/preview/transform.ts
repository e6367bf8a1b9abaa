import type { Json, JsonObject } from '../model/catalogue.ts';
import { isMap } from './field-path.ts';
import { fails, type Outcome, unknown, valueOf } from './outcome.ts';

/** Pure: what a transform of `function-patch-and-transform` makes of a value. One that is not known here is not guessed at. */
export function transformed(value: Json, transform: JsonObject): Outcome<Json> {
  const { type } = transform;
  const settings = typeof type === 'string' ? transform[type] : undefined;
  if (!isMap(settings)) return unknown(`transform ${JSON.stringify(type)} is not known here`);
  if (type === 'map') return mapped(value, settings);
  if (type === 'match') return matched(value, settings);
  if (type === 'string') return asText(value, settings);
  if (type === 'convert') return converted(value, settings);
  return unknown(`transform ${JSON.stringify(type)} is not known here`);
}

function mapped(value: Json, table: JsonObject): Outcome<Json> {
  if (typeof value !== 'string') return fails(`only texts can be mapped, not ${JSON.stringify(value)}`);
  const result = Object.hasOwn(table, value) ? table[value] : undefined;
  return result === undefined ? fails(`nothing is known for ${JSON.stringify(value)}`) : valueOf(result);
}

function matched(value: Json, { patterns, fallbackTo = 'Value', fallbackValue = null }: JsonObject): Outcome<Json> {
  for (const pattern of Array.isArray(patterns) ? (patterns as readonly Json[]) : []) {
    if (!isMap(pattern)) return unknown('a pattern has an unknown form');
    const { type, literal, regexp, result = null } = pattern;
    const expression = typeof regexp === 'string' ? expressionOf(regexp) : undefined;
    if (type === 'literal' && typeof literal === 'string') {
      if (value === literal) return valueOf(result);
    } else if (type === 'regexp' && expression) {
      if (typeof value === 'string' && expression.test(value)) return valueOf(result);
    } else return unknown(`pattern ${JSON.stringify(type)} is not known here`);
  }
  return valueOf(fallbackTo === 'Input' ? value : fallbackValue);
}

function asText(value: Json, { type, fmt, convert, trim, regexp }: JsonObject): Outcome<Json> {
  if (typeof value !== 'string') return unknown(`it is not known how ${JSON.stringify(value)} becomes a text`);
  if (type === 'Format' && typeof fmt === 'string' && /^[^%]*%s[^%]*$/.test(fmt))
    return valueOf(fmt.replace('%s', () => value));
  if (type === 'Convert' && convert === 'ToLower') return valueOf(value.toLowerCase());
  if (type === 'Convert' && convert === 'ToUpper') return valueOf(value.toUpperCase());
  if (type === 'TrimPrefix' && typeof trim === 'string')
    return valueOf(value.startsWith(trim) ? value.slice(trim.length) : value);
  if (type === 'Regexp' && isMap(regexp)) return cut(value, regexp);
  return unknown(`text transform ${JSON.stringify(type)} is not known here`);
}

function cut(value: string, { match, group = 0 }: JsonObject): Outcome<Json> {
  const expression = typeof match === 'string' ? expressionOf(match) : undefined;
  if (!expression || typeof group !== 'number')
    return unknown(`the expression ${JSON.stringify(match)} is not known here`);
  const found = expression.exec(value)?.[group];
  return found === undefined
    ? fails(`${JSON.stringify(value)} does not match ${JSON.stringify(match)}`)
    : valueOf(found);
}

/** Undefined: JavaScript does not read it as Go does. */
function expressionOf(text: string): RegExp | undefined {
  // What both read alike: no flags, look-arounds, named groups, and none of the classes that only one of them has.
  if (/\(\?(?!:)|\\[AzZQECpP]|\[\[:/.test(text)) return undefined;
  try {
    return new RegExp(text, 'u');
  } catch {
    return undefined;
  }
}

function converted(value: Json, { toType, format = 'none' }: JsonObject): Outcome<Json> {
  if (format !== 'none') return unknown(`conversion by ${JSON.stringify(format)} is not known here`);
  if (toType === 'string' && typeof value === 'string') return valueOf(value);
  if (toType !== 'int' && toType !== 'int64')
    return unknown(`conversion to ${JSON.stringify(toType)} is not known here`);
  if (typeof value === 'number' && Number.isInteger(value)) return valueOf(value);
  if (typeof value !== 'string') return unknown(`it is not known how ${JSON.stringify(value)} becomes an integer`);
  return /^[+-]?\d{1,15}$/.test(value) ? valueOf(Number(value)) : fails(`${JSON.stringify(value)} is not an integer`);
}
