import { KubeError, type KubeErrorDetails } from '../errors/kube-error.ts';
import type { Path, YamlText } from './yaml-text.ts';

/** A spot in a kubeconfig: which text, which field. Reads as `source, line 12, users[0].user.token`. */
export class Place {
  readonly text: YamlText;
  readonly path: Path;

  constructor(text: YamlText, path: Path = []) {
    this.text = text;
    this.path = path;
  }

  /** The spot one key or list position further down. */
  at(step: string | number): Place {
    return new Place(this.text, [...this.path, step]);
  }

  toString(): string {
    const field = this.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const where = `${this.text.source}, line ${this.text.lineOf(this.path)}`;
    return field === '' ? where : `${where}, ${field.slice(1)}`;
  }
}

/** The error for a field whose content is wrong. `problem` says what is wrong and what to do, never the value itself. */
export function invalidField(place: Place, problem: string, details?: KubeErrorDetails): KubeError {
  return new KubeError('KUBE_CONFIG_INVALID', `${String(place)}: ${problem}`, details);
}
