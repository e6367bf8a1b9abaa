/** Which objects of a resource type are meant. */
export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Only metadata is fetched and kept. */
  readonly metadataOnly?: boolean;
}

/** Just the selection, from options that hold more. */
export function selectionOf(options: Selection): Selection {
  const { namespace, labelSelector, fieldSelector, metadataOnly } = options;
  return { namespace, labelSelector, fieldSelector, metadataOnly };
}
