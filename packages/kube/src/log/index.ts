export { type Logger, silentLogger, withFields } from './logger.ts';
