export { ExpiredContinueError } from './continue-token.ts';
export { type ListOptions, parseListOptions } from './list-options.ts';
export { type Listed, listPage, type ListPage, selection } from './list-page.ts';
export { requireVersionOfGet } from './resource-version.ts';
