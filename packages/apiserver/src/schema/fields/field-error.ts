/** Field errors, which the API server and the validation of objects word alike. */
export {
  duplicate,
  errorText,
  forbidden,
  internalError,
  invalid,
  notSupported,
  required,
  ShownAs,
  tooLong,
  tooMany,
} from '@klutch/cel';
