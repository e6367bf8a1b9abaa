export { type BookmarkMetadata, type Shape, storedShape } from './shape.ts';
export { responseSink, type Sink } from './sink.ts';
export type { WatchRequest } from './watch.ts';
export { createWatchHub, type WatchHub, type WatchHubOptions } from './watch-hub.ts';
