import { type CelType, DYN, isSameType, paramsOf, typeNameOf } from './cel-type.ts';

/** What the type parameters of an expression have turned out to be. */
export class Substitution {
  #bound: Map<string, CelType>;

  constructor(bound: ReadonlyMap<string, CelType> = new Map()) {
    this.#bound = new Map(bound);
  }

  /** Whether values of one type may stand where others are wanted, one by one; remembers what that says about parameters. */
  assignAll(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    const before = new Map(this.#bound);
    const fits = given.length === wanted.length && given.every((type, at) => this.#assign(type, wanted[at] ?? DYN));
    if (!fits) this.#bound = before;
    return fits;
  }

  assign(given: CelType, wanted: CelType): boolean {
    return this.assignAll([given], [wanted]);
  }

  /** A type with its parameters replaced; those that are not known stay, or become `dyn`. */
  resolve(type: CelType, unknownIsDyn = false): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound) return this.resolve(bound, unknownIsDyn);
      return unknownIsDyn ? DYN : type;
    }
    const inner = (part: CelType) => this.resolve(part, unknownIsDyn);
    switch (type.kind) {
      case 'list':
        return { kind: 'list', of: inner(type.of) };
      case 'map':
        return { kind: 'map', key: inner(type.key), of: inner(type.of) };
      case 'opaque':
        return type.params.length === 0 ? type : { ...type, params: type.params.map(inner) };
      case 'type':
        return type.of ? { kind: 'type', of: inner(type.of) } : type;
      default:
        return type;
    }
  }

  #assign(given: CelType, wanted: CelType): boolean {
    if (wanted.kind === 'param') {
      const verdict = this.#bind(given, wanted);
      if (verdict !== 'circular') return verdict === 'fits';
    }
    if (given.kind === 'param') return this.#bind(wanted, given) === 'fits';
    if (isAny(given) || isAny(wanted)) return true;
    if (given.kind === 'null') return isNullable(wanted);
    if (wanted.kind === 'null') return isNullable(given);
    if (given.kind !== wanted.kind) return false;
    if (given.kind === 'type') return true;
    if (typeNameOf(given) !== typeNameOf(wanted)) return false;
    const parts = paramsOf(given);
    const others = paramsOf(wanted);
    return parts.length === others.length && parts.every((part, at) => this.#assign(part, others[at] ?? DYN));
  }

  /** Takes a type as what a parameter stands for, if that agrees with what it stands for already. */
  #bind(type: CelType, parameter: CelType & { kind: 'param' }): 'fits' | 'clashes' | 'circular' {
    if (isSameType(type, parameter)) return 'fits';
    const known = this.#bound.get(parameter.name);
    if (!known) {
      if (this.#mentions(type, parameter)) return 'circular';
      this.#bound.set(parameter.name, type);
      return 'fits';
    }
    if (isSameType(type, known)) return 'fits';
    if (!this.#assign(type, known)) return 'clashes';
    const general = mostGeneral(type, known);
    if (!this.#mentions(general, parameter)) this.#bound.set(parameter.name, general);
    return 'fits';
  }

  #mentions(type: CelType, parameter: CelType & { kind: 'param' }): boolean {
    if (isSameType(type, parameter)) return true;
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      return bound !== undefined && this.#mentions(bound, parameter);
    }
    return paramsOf(type).some((part) => this.#mentions(part, parameter));
  }
}

const isAny = ({ kind }: CelType) => kind === 'dyn' || kind === 'error';

/** Types of which null is a value, for comparisons. */
const isNullable = ({ kind }: CelType) =>
  kind === 'null' || kind === 'opaque' || kind === 'object' || kind === 'timestamp' || kind === 'duration';

/** Of two types that agree, the one that says less. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return saysNoMore(a, b) ? a : b;
}

function saysNoMore(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (typeNameOf(a) !== typeNameOf(b)) return false;
  const others = paramsOf(b);
  return paramsOf(a).every((part, at) => saysNoMore(part, others[at] ?? DYN));
}
