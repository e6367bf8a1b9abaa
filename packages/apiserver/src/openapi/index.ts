export { openApiDocument } from './document.ts';
export { openApiAnswer } from './open-api-answer.ts';
