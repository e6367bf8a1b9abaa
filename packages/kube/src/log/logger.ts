/** Where this runtime writes its log lines: fields first, then a constant message. A pino logger fits as it is. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/** A logger that adds the given fields to every line; a line's own fields win. */
export function withFields(log: Logger, fields: object): Logger {
  return {
    debug: (own, message) => log.debug({ ...fields, ...own }, message),
    info: (own, message) => log.info({ ...fields, ...own }, message),
    warn: (own, message) => log.warn({ ...fields, ...own }, message),
    error: (own, message) => log.error({ ...fields, ...own }, message),
  };
}
