import type { Sink } from '../sink.ts';

/** An event as a client reads it. */
export interface ReadEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly [field: string]: unknown;
  };
}

/** A client that reads events, or leaves them lying when told to. */
export class RecordingSink implements Sink {
  /** Pieces as they came; the same bytes for two clients are the same object. */
  readonly pieces: (string | Uint8Array)[] = [];
  isStarted = false;
  isEnded = false;
  isAbandoned = false;
  /** How many pieces are taken before the next must wait; negative: all. */
  room = -1;
  #drained: (() => void) | undefined;

  get text(): string {
    return this.pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('');
  }

  get events(): readonly ReadEvent[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ReadEvent);
  }

  /** `ADDED name@revision`, one per event. */
  get summary(): readonly string[] {
    return this.events.map(
      ({ type, object: { metadata } }) => `${type} ${metadata.name ?? ''}@${metadata.resourceVersion}`,
    );
  }

  start(): void {
    this.isStarted = true;
  }

  write(piece: string | Uint8Array): boolean {
    if (this.isEnded) throw new Error('written after the end');
    if (this.#drained) throw new Error('written although there was no room');
    this.pieces.push(piece);
    this.room -= 1;
    return this.room !== 0;
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
  }

  /** Makes room for some pieces, or for all. */
  drain(room = -1): void {
    this.room = room;
    const drained = this.#drained;
    this.#drained = undefined;
    drained?.();
  }

  end(): void {
    this.isEnded = true;
  }

  abandon(): void {
    this.isEnded = true;
    this.isAbandoned = true;
  }
}
