import { startApiServer } from '@klutch/apiserver';
import { settledHeapBytes } from '../kube/heap.ts';

/** A process of its own with an embedded API server in it; tells its parent where it is and how much memory it uses. */
const began = performance.now();
const server = await startApiServer();
process.send?.({ kubeconfig: server.kubeconfig(), startMs: performance.now() - began });
process.on('message', () => {
  const used = settledHeapBytes() + process.memoryUsage().external;
  process.send?.({ used });
});
process.on('disconnect', () => {
  void server.stop().then(() => process.exit());
});
