import { bool, int64, list, must, named, ptr, struct, text } from '../types/fields.ts';

/** Rights of pods and containers. */

const capabilities = struct('Capabilities', 'Kernel capabilities.', {
  add: list(named('Capability'), 'To be added.'),
  drop: list(named('Capability'), 'To be taken away.'),
});

const seLinuxOptions = struct('SELinuxOptions', 'An SELinux label.', {
  user: text('User part.'),
  role: text('Role part.'),
  type: text('Type part.'),
  level: text('Level part.'),
});

const seccompProfile = struct('SeccompProfile', 'System calls that are allowed.', {
  type: must(named('SeccompProfileType', 'RuntimeDefault, Unconfined or Localhost.')),
  localhostProfile: ptr(text('File on the node, for Localhost.')),
});

const appArmorProfile = struct('AppArmorProfile', 'An AppArmor profile.', {
  type: must(named('AppArmorProfileType', 'RuntimeDefault, Unconfined or Localhost.')),
  localhostProfile: ptr(text('Profile on the node, for Localhost.')),
});

const windowsSecurityContextOptions = struct('WindowsSecurityContextOptions', 'Settings for Windows.', {
  gmsaCredentialSpecName: ptr(text('Name of the account specification.')),
  gmsaCredentialSpec: ptr(text('The account specification itself.')),
  runAsUserName: ptr(text('User name.')),
  hostProcess: ptr(bool('Whether it runs on the host.')),
});

export const securityContext = struct('SecurityContext', 'Rights of a container.', {
  capabilities: ptr(capabilities, 'Kernel capabilities.'),
  privileged: ptr(bool('Whether it may do what root on the node may.')),
  seLinuxOptions: ptr(seLinuxOptions, 'SELinux label.'),
  windowsOptions: ptr(windowsSecurityContextOptions, 'Settings for Windows.'),
  runAsUser: ptr(int64('User id.')),
  runAsGroup: ptr(int64('Group id.')),
  runAsNonRoot: ptr(bool('Whether root is refused.')),
  readOnlyRootFilesystem: ptr(bool('Whether the root file system cannot be written.')),
  allowPrivilegeEscalation: ptr(bool('Whether a process may gain rights.')),
  procMount: ptr(named('ProcMountType', 'How /proc is mounted.')),
  seccompProfile: ptr(seccompProfile, 'System calls that are allowed.'),
  appArmorProfile: ptr(appArmorProfile, 'AppArmor profile.'),
});

const sysctl = struct('Sysctl', 'A kernel setting.', {
  name: must(text('Its name.')),
  value: must(text('Its value.')),
});

export const podSecurityContext = struct('PodSecurityContext', 'Rights of all containers of a pod.', {
  seLinuxOptions: ptr(seLinuxOptions, 'SELinux label.'),
  windowsOptions: ptr(windowsSecurityContextOptions, 'Settings for Windows.'),
  runAsUser: ptr(int64('User id.')),
  runAsGroup: ptr(int64('Group id.')),
  runAsNonRoot: ptr(bool('Whether root is refused.')),
  supplementalGroups: list(int64(), 'Further groups of the processes.'),
  supplementalGroupsPolicy: ptr(named('SupplementalGroupsPolicy', 'Merge or Strict.')),
  fsGroup: ptr(int64('Group that owns volumes.')),
  sysctls: list(sysctl, 'Kernel settings.'),
  fsGroupChangePolicy: ptr(named('PodFSGroupChangePolicy', 'OnRootMismatch or Always.')),
  seccompProfile: ptr(seccompProfile, 'System calls that are allowed.'),
  appArmorProfile: ptr(appArmorProfile, 'AppArmor profile.'),
  seLinuxChangePolicy: ptr(named('PodSELinuxChangePolicy', 'How volumes get their label.')),
});
