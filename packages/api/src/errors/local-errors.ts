import type { ErrorEntry } from './error-entry.ts';

/** Codes of what goes wrong on the machine that a command runs on: ports, folders and files. */
export const localErrors = {
  KLUTCH_HEALTH_PORT_IN_USE: {
    meaning: 'Another process listens on the port for health and metrics.',
    remedy: 'Choose another port with `--health-port`; `0` takes any that is free, `none` serves nothing.',
    exit: 'conflict',
  },
  KLUTCH_HEALTH_PORT_REFUSED: {
    meaning: 'The system does not let this process listen at the address or port for health and metrics.',
    remedy: 'Choose an address of this machine and a port above 1023 with `--health-host` and `--health-port`.',
    exit: 'usage',
  },

  KLUTCH_SANDBOX_RUNNING: {
    meaning: 'A sandbox runs already from this folder.',
    remedy: 'Use that one, end it with `klutch sandbox down`, or choose another folder with `--dir`.',
    exit: 'conflict',
  },
  KLUTCH_SANDBOX_NOT_RUNNING: {
    meaning: 'No sandbox runs from this folder.',
    remedy: 'Start one with `klutch sandbox up`, or name the folder of another with `--dir`.',
    exit: 'remote',
  },

  KLUTCH_APISERVER_PORT_IN_USE: {
    meaning: 'Another process listens on the port of the embedded API server.',
    remedy: 'Choose another port, or 0 for any that is free.',
    exit: 'conflict',
  },
  KLUTCH_APISERVER_PORT_REFUSED: {
    meaning: 'The system does not let the embedded API server listen on its port.',
    remedy: 'Choose a port above 1023, or 0 for any that is free.',
    exit: 'usage',
  },
  KLUTCH_APISERVER_PKI_UNUSABLE: {
    meaning: 'Keys or certificates in the folder of the embedded API server are incomplete or cannot be used.',
    remedy: 'Restore the file the message names, or choose another folder.',
    exit: 'usage',
  },
  KLUTCH_STORE_LOCKED: {
    meaning: 'Another process uses the folder of the embedded API server.',
    remedy: 'Stop the process the message names, or choose another folder.',
    exit: 'conflict',
  },
  KLUTCH_STORE_UNUSABLE: {
    meaning: 'The folder of the embedded API server cannot be used for storage.',
    remedy: 'Choose a folder that this user may write to.',
    exit: 'usage',
  },
  KLUTCH_STORE_DAMAGED: {
    meaning: 'What the embedded API server has stored is damaged in its midst, so that objects would be lost.',
    remedy: 'Restore the folder from a backup, or choose another folder.',
    exit: 'usage',
  },
  KLUTCH_STORE_FAILED: {
    meaning: 'The embedded API server could not write to its folder, and accepts no changes until it can.',
    remedy: 'Make room on the disk, or repair it and start the server again.',
    exit: 'usage',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
