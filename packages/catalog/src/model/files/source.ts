/** A file of a catalogue, such as `services/postgresql.yaml`, with or without the folder it is in. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Where something is written; lines and columns count from one. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something that an operator must change before the catalogue can be used: one sentence that says what is wrong and what is allowed. */
export interface Problem extends Place {
  readonly message: string;
}

export const problemAt = ({ file, line, column }: Place, message: string): Problem => ({ file, line, column, message });
