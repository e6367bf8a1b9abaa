/** What operations cost, in the units of Kubernetes: about 50 ns each. */

/** Going once through one character of a string. */
export const STRING_TRAVERSAL = 0.1;
/** One character of a regular expression, for each character it is applied to. */
export const REGEX_LENGTH = 0.25;
export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
/** Kubernetes does not know the expressions behind its named formats; it takes this for their length. */
export const FORMAT_REGEX_LENGTH = 128;
export const FORMAT_NAME_LENGTH = 64;
