import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One Go module of the kit and the programs it builds. */
export interface RecipeStep {
  /** Folder of the module. */
  readonly module: string;
  /** Packages to build; each gives a program named after its folder. */
  readonly packages: readonly string[];
  /** What the user reads while waiting: "kube-apiserver and kube-controller-manager 1.35.4". */
  readonly title: string;
  /** A hint how long a first build takes. */
  readonly duration: string;
  readonly linkerFlags: string;
}

/** How to build programs from source. */
export interface Recipe {
  /** Names the result: other sources, flags or another platform give another key. */
  readonly key: string;
  /** The oldest Go that can build it, for example `1.25`. */
  readonly minimumGo: string;
  readonly steps: readonly RecipeStep[];
}

/** The Go modules that come with the kit. */
export const GO_SOURCES = fileURLToPath(new URL('../../go', import.meta.url));

/** Reads the recipe from the Go modules; the versions are those their `go.mod` files require. */
export async function readRecipe(sources: string = GO_SOURCES): Promise<Recipe> {
  const kubernetesModule = join(sources, 'kubernetes');
  const etcdModule = join(sources, 'etcd');
  const kubernetesMod = await readFile(join(kubernetesModule, 'go.mod'), 'utf8');
  const etcdMod = await readFile(join(etcdModule, 'go.mod'), 'utf8');
  const kubernetes = requiredVersion(kubernetesMod, 'k8s.io/kubernetes');
  const etcd = requiredVersion(etcdMod, 'go.etcd.io/etcd/server/v3');
  const steps: RecipeStep[] = [
    {
      module: etcdModule,
      packages: ['.'],
      title: `etcd ${etcd}`,
      duration: 'about half a minute',
      linkerFlags: '-s -w',
    },
    {
      module: kubernetesModule,
      packages: ['./kube-apiserver', './kube-controller-manager'],
      title: `kube-apiserver and kube-controller-manager ${kubernetes}`,
      duration: 'about 5 minutes',
      linkerFlags: `-s -w ${versionStamp(kubernetes)}`,
    },
  ];
  const minimumGo = minimumGoOf(kubernetesMod);
  const digest = await digestOf(sources, steps);
  return { key: `kubernetes-${kubernetes}-etcd-${etcd}-${digest}`, minimumGo, steps };
}

/** Reads how to build Dex, the issuer. */
export async function readDexRecipe(sources: string = GO_SOURCES): Promise<Recipe> {
  const module = join(sources, 'dex');
  const goMod = await readFile(join(module, 'go.mod'), 'utf8');
  const version = requiredVersion(goMod, 'github.com/dexidp/dex');
  const step: RecipeStep = {
    module,
    packages: ['github.com/dexidp/dex/cmd/dex'],
    title: `Dex ${version}`,
    duration: 'about 2 minutes',
    linkerFlags: '-s -w',
  };
  const minimumGo = minimumGoOf(goMod);
  return { key: `dex-${version}-${await digestOf(sources, [step])}`, minimumGo, steps: [step] };
}

function minimumGoOf(goMod: string): string {
  return /^go (\d+\.\d+)/m.exec(goMod)?.[1] ?? '1.25';
}

/** Upstream stamps its version at link time; without it a server answers `v0.0.0-master` to `kubectl version`. */
function versionStamp(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .flatMap((path) => [
      `-X ${path}.gitVersion=v${version}`,
      `-X ${path}.gitMajor=${major}`,
      `-X ${path}.gitMinor=${minor}`,
      `-X ${path}.gitTreeState=clean`,
    ])
    .join(' ');
}

function requiredVersion(goMod: string, module: string): string {
  const escaped = module.replaceAll('.', String.raw`\.`);
  const match = new RegExp(String.raw`^\s*(?:require )?${escaped} v(\S+)`, 'm').exec(goMod);
  if (match?.[1] === undefined) throw new Error(`go.mod of the kit does not require ${module}`);
  return match[1];
}

async function digestOf(sources: string, steps: readonly RecipeStep[]): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  const files = await Promise.all(steps.map(({ module }) => filesBelow(module)));
  for (const file of files.flat().sort()) {
    hash.update(`\0${relative(sources, file)}\0`).update(await readFile(file));
  }
  for (const step of steps) hash.update(`\0${step.packages.join(' ')}\0${step.linkerFlags}`);
  return hash.digest('hex').slice(0, 12);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
