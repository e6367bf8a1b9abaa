import type { SandboxInfo } from '@klutch/sandbox';

/** Pure: how to use a sandbox that runs, line by line. */
export function instructions({ kubeconfig, provider, api, user }: SandboxInfo): readonly string[] {
  return [
    'In another terminal:',
    '',
    `  export KUBECONFIG=${shellWord(kubeconfig)}`,
    `  klutch bind ${provider} --api ${api} --skip-konnector --wait`,
    `  echo '${sample}' | kubectl apply -f -`,
    '  kubectl get greetings,secrets',
    '',
    `Log in as ${user.name} with password ${user.password}. The konnector runs here already, hence --skip-konnector.`,
    'With --device-code, you log in with a browser on another machine.',
    'Contexts of the kubeconfig: klutch-app, the current one, and klutch-control-plane.',
  ];
}

const sample = JSON.stringify({
  apiVersion: 'sandbox.klutch.io/v1',
  kind: 'Greeting',
  metadata: { name: 'ada' },
  spec: { to: 'Ada' },
});

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
