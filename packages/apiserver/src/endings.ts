/** How to end what has been started: last one first, each once, whatever the others do. */
export class Endings {
  readonly #endings: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;

  add(end: () => Promise<void> | void): void {
    this.#endings.push(end);
  }

  /** Ends everything; a second call waits for the first. Rejects with the first failure, after all have been tried. */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.#endings.pop(); end; end = this.#endings.pop()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
