export { goJson } from '../schema/text/go-json.ts';
