import {
  array,
  boolean,
  freeForm,
  type Infer,
  integer,
  intOrString,
  object,
  record,
  required,
  string,
} from '../schema/schema.ts';

const quantities = (description: string) => record(description, intOrString('A quantity.'));

/**
 * The fields of a core Container, all optional. Parts that Kubernetes itself checks when the Deployment is written
 * (probes, lifecycle, security context, sources of variables) are carried as they are.
 */
export const konnectorOverrides = object('Changes to the container of the konnector.', {
  name: string('Name of the container.'),
  image: string('Image to run.'),
  command: array('Entry point.', string('A word.'), { merge: 'atomic' }),
  args: array('Arguments.', string('An argument.'), { merge: 'atomic' }),
  workingDir: string('Working directory.'),
  ports: array(
    'Ports the container opens.',
    object('A port.', {
      containerPort: required(integer('Number of the port.', { format: 'int32' })),
      protocol: string('`TCP`, `UDP` or `SCTP`.', { default: 'TCP' }),
      name: string('Name of the port.'),
      hostIP: string('Address on the node.'),
      hostPort: integer('Port on the node.', { format: 'int32' }),
    }),
    { merge: { keys: ['containerPort', 'protocol'] } },
  ),
  envFrom: array('Objects whose entries become variables.', freeForm('A source.'), { merge: 'atomic' }),
  env: array(
    'Environment variables.',
    object('A variable.', {
      name: required(string('Name of the variable.')),
      value: string('Its value.'),
      valueFrom: freeForm('Where its value comes from.'),
    }),
    { merge: { keys: ['name'] } },
  ),
  resources: object('Compute resources.', {
    limits: quantities('The most the container may use.'),
    requests: quantities('What the container needs.'),
    claims: array('Dynamic resources.', freeForm('A claim.'), { merge: 'atomic' }),
  }),
  restartPolicy: string('When the container is started again.'),
  volumeMounts: array(
    'Volumes and where they appear.',
    object('A mount.', {
      mountPath: required(string('Path in the container.')),
      name: string('Name of the volume.'),
      readOnly: boolean('Mount without write access.'),
      recursiveReadOnly: string('Whether that holds for mounts below.'),
      subPath: string('Path in the volume.'),
      subPathExpr: string('Path in the volume, with variables.'),
      mountPropagation: string('How mounts spread between node and container.'),
    }),
    { merge: { keys: ['mountPath'] } },
  ),
  volumeDevices: array(
    'Block devices.',
    object('A device.', {
      devicePath: required(string('Path in the container.')),
      name: string('Name of the claim.'),
    }),
    { merge: { keys: ['devicePath'] } },
  ),
  livenessProbe: freeForm('When to restart the container.'),
  readinessProbe: freeForm('When the container takes traffic.'),
  startupProbe: freeForm('When the container counts as started.'),
  lifecycle: freeForm('What to do after start and before stop.'),
  terminationMessagePath: string('File with the last words of the container.'),
  terminationMessagePolicy: string('Where the last words come from.'),
  imagePullPolicy: string('When the image is pulled.'),
  securityContext: freeForm('Privileges of the container.'),
  stdin: boolean('Keep standard input open.'),
  stdinOnce: boolean('Close standard input after the first client.'),
  tty: boolean('Give the container a terminal.'),
});

/** Changes an operator wants on the konnector's container. */
export type KonnectorOverrides = Infer<typeof konnectorOverrides>;
