/** A CEL rule of a CRD (`x-kubernetes-validations`). */
export type ValidationRule = {
  readonly rule: string;
  readonly message: string;
};

/** The part of OpenAPI v3 which Kubernetes calls a structural schema, as far as the kinds of Klutch use it. */
export type JsonSchema = {
  readonly description?: string;
  /** What a text that misses its pattern should have been, in words; a pattern is no reading for users. */
  readonly title?: string;
  readonly type?: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number';
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
};
