export { openApiAnswer } from './open-api-answer.ts';
