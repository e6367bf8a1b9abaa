export { type ApiServer, type ApiServerOptions, type ApiServerUser, startApiServer } from './start-api-server.ts';
