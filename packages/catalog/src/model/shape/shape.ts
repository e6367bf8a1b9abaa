/** What of JSON Schema the shapes of files use. */
export interface Shape {
  readonly $schema?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly $ref?: string;
  readonly anyOf?: readonly Shape[];
  readonly type?: string;
  /** What a text that misses its pattern should have been, in words. */
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape | boolean;
}
