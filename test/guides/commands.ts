import { readFile } from 'node:fs/promises';

/** A block of commands of a guide. */
export interface Block {
  /** The heading it stands under. */
  readonly section: string;
  readonly text: string;
  /** Whether it needs Pods that run, as the words after `sh` say. */
  readonly needsNodes: boolean;
}

const root = new URL('../../', import.meta.url);

/** The blocks of shell commands of a guide, in reading order. */
export async function commandsOf(guide: string): Promise<readonly Block[]> {
  const lines = (await readFile(new URL(guide, root), 'utf8')).split('\n');
  const blocks: Block[] = [];
  let section = '';
  let open: { readonly fence: string; readonly text: string[] } | undefined;
  for (const line of lines) {
    const fence = /^\s*```(.*)$/.exec(line)?.[1];
    if (open !== undefined && fence === '') {
      const [language, ...words] = open.fence.split(' ');
      if (language === 'sh') blocks.push({ section, text: open.text.join('\n'), needsNodes: words.includes('nodes') });
      open = undefined;
    } else if (open !== undefined) open.text.push(line);
    else if (fence !== undefined) open = { fence, text: [] };
    else section = /^##+ (.*)$/.exec(line)?.[1] ?? section;
  }
  return blocks;
}
