/** Who plays the parts of a recording: live names and values for recorded ones. */
export interface Cast {
  /** Gives a part to somebody; again to give it to somebody else. */
  assign(part: Part, actor: string): void;
  /** The live form of a recorded text. */
  textOf(recorded: string): string;
  /** The live form of a recorded value, all the way down. */
  valueOf<T>(recorded: T): T;
  /** A cast in which some parts are played by others. */
  with(others: Partial<Record<Part, string>>): Cast;
}

/** Placeholders, and the names that tests on shared clusters cannot all use. */
export type Part =
  | '<tenant-namespace>'
  | '<service-namespace>'
  | '<port>'
  | '<ca>'
  | '<jwt>'
  | 'widgets.example.org'
  | 'example.org'
  /** Namespace of bindings in the app cluster. */
  | 'klutch-bind'
  /** Namespace of the user's objects. */
  | 'team-a'
  /** Kubeconfig Secret in the app cluster. */
  | 'kubeconfig-4pn9f';

export function createCast(parts: Partial<Record<Part, string>> = {}): Cast {
  const actors = new Map<string, string>(Object.entries(parts));

  function substitute(text: string): string {
    const names = [...actors.keys()].sort((a, b) => b.length - a.length);
    if (names.length === 0) return text;
    const pattern = new RegExp(names.map(patternOf).join('|'), 'g');
    return text.replace(pattern, (name) => actors.get(name) ?? name);
  }

  function textOf(recorded: string): string {
    if (!recorded.startsWith(encodedMark)) return substitute(recorded);
    // The recorder lost the line break after the certificate.
    const text = recorded.slice(encodedMark.length, -1).replace(/<ca>(?=\s*server:)/, '<ca>\n');
    return Buffer.from(substitute(text)).toString('base64');
  }

  function valueOf(recorded: unknown): unknown {
    if (typeof recorded === 'string') return textOf(recorded);
    if (Array.isArray(recorded)) return recorded.map(valueOf);
    if (typeof recorded !== 'object' || recorded === null) return recorded;
    return Object.fromEntries(Object.entries(recorded).map(([key, value]) => [key, valueOf(value)]));
  }

  return {
    assign: (part, actor) => void actors.set(part, actor),
    textOf,
    valueOf: <T>(recorded: T) => valueOf(recorded) as T,
    with: (others) => createCast({ ...Object.fromEntries(actors), ...others }),
  };
}

/** How recordings show what was base64 on the wire. */
const encodedMark = '<base64 of:\n';

/** Names count only as whole words: `klutch-bind` is not in `klutch-binder`, nor `example.org` in `widgets.example.org`. */
function patternOf(part: string): string {
  const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return part.startsWith('<') ? literal : `(?<=^|[^\\w.-]|%3D)${literal}(?![\\w-]|\\.\\w)`;
}
