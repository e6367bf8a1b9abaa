import { always, inlined, int32, int64, intOrString, list, must, named, ptr, struct, text } from '../types/fields.ts';

/** What is asked of containers while they live. */

const execAction = struct('ExecAction', 'A command.', {
  command: list(text(), 'The command and its arguments; there is no shell.'),
});

const httpHeader = struct('HTTPHeader', 'A header.', {
  name: must(text('Its name.')),
  value: must(text('Its value.')),
});

const httpGetAction = struct('HTTPGetAction', 'A request.', {
  path: text('Path to ask for.'),
  port: must(intOrString('Number or name of the port.')),
  host: text('Host; the pod itself if absent.'),
  scheme: named('URIScheme', 'HTTP or HTTPS.'),
  httpHeaders: list(httpHeader, 'Headers to send.'),
});

const tcpSocketAction = struct('TCPSocketAction', 'A connection.', {
  port: must(intOrString('Number or name of the port.')),
  host: text('Host; the pod itself if absent.'),
});

const grpcAction = struct('GRPCAction', 'A gRPC health check.', {
  port: must(int32('Number of the port.')),
  service: always(ptr(text('Service to ask about.'))),
});

const sleepAction = struct('SleepAction', 'A pause.', {
  seconds: must(int64('How long.')),
});

export const probe = struct('Probe', 'How to find out about the health of a container.', {
  ...inlined('ProbeHandler', {
    exec: ptr(execAction, 'A command that must succeed.'),
    httpGet: ptr(httpGetAction, 'A request that must succeed.'),
    tcpSocket: ptr(tcpSocketAction, 'A port that must accept connections.'),
    grpc: ptr(grpcAction, 'A gRPC health service.'),
  }),
  initialDelaySeconds: int32('Wait after the start.'),
  timeoutSeconds: int32('Longest wait for an answer.'),
  periodSeconds: int32('Time between two probes.'),
  successThreshold: int32('Successes in a row that count as success.'),
  failureThreshold: int32('Failures in a row that count as failure.'),
  terminationGracePeriodSeconds: ptr(int64('Time to end after a failure.')),
});

const lifecycleHandler = struct('LifecycleHandler', 'One thing to do.', {
  exec: ptr(execAction, 'Run a command.'),
  httpGet: ptr(httpGetAction, 'Send a request.'),
  tcpSocket: ptr(tcpSocketAction, 'Not supported any more.'),
  sleep: ptr(sleepAction, 'Wait.'),
});

export const lifecycle = struct('Lifecycle', 'What to do around the life of a container.', {
  postStart: ptr(lifecycleHandler, 'Right after the start.'),
  preStop: ptr(lifecycleHandler, 'Before the end.'),
  stopSignal: ptr(named('Signal', 'Signal that ends the container.')),
});
